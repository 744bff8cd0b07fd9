// The tree of Monte-Carlo tree search: visits, values and priors, while it grows.

import { button, el, kept, select } from './dom.js';
import { Explore, games } from './explore.js';
import { askParameters, short, title, verdictFor } from './parts.js';

const EXAMPLE = { name: 'arimaa', start: 'g [rrrddrrrrhcm c r     e   HE   h               H R C MC RRRRDDRRR]', turns: [] };

export async function show(main) {
  const view = new SearchTree(main, await games());
  await view.begin();
  return view;
}

class SearchTree extends Explore {
  name = 'search';
  verb = 'tree';
  title = 'Search tree';
  example = EXAMPLE;
  usual = { engine: 'mcts', sets: {} };
  columns = ['Move', 'Visits', 'Chance', 'Prior'];

  get engine() {
    const { engines } = this.spec;
    const keepers = engines.filter(({ tree }) => tree);
    return keepers.find(({ name }) => name === this.wishes.engine) ?? keepers[0];
  }

  settings() {
    const engines = this.spec.engines.filter(({ tree }) => tree).map(({ name }) => [name, title(name)]);
    return [
      select('Engine', engines, this.engine.name, (engine) => this.set({ engine })),
      ...this.timeAndMemory(),
      button('Parameters', () => this.askParameters()),
    ];
  }

  async askParameters() {
    const { name, parameters } = this.engine;
    const set = await askParameters(`Parameters of ${title(name)}`, parameters, this.wishes.sets[name] ?? {}, 'They count when a search is started.');
    if (set) this.set({ sets: { ...this.wishes.sets, [name]: set } });
  }

  params() {
    const { name } = this.engine;
    return { engine: name, set: this.wishes.sets[name] ?? {} };
  }

  drawHead() {
    const { state } = this;
    const mover = this.side(this.rootSide);
    const side = this.spec.sides.findIndex(({ letter }) => letter === this.rootSide);
    const [best] = state?.lines ?? [];
    const speed = state?.seconds > 0 ? `, ${short((state.visits ?? 0) / state.seconds)} a second` : '';
    this.head.replaceChildren(
      el('p', { class: 'result' }, best?.turn ? `${verdictFor(best, side, this.spec)}: ${best.turn}` : state ? 'Searching …' : `What should ${mover} play?`),
      el('p', { class: 'hint' }, state?.visits ? `${short(state.visits)} visits in ${state.seconds.toFixed(1)} s${speed}; chances are ${this.spec.sides[0].name}'s` : 'Where a tree search spends its visits, what it found there, and what it thought before it looked.'));
  }

  buttons() {
    return [];
  }

  smallButtons() {
    return [button('An example', () => {
      kept.set(this.name, EXAMPLE);
      this.open(EXAMPLE);
    })];
  }

  noTree() {
    return this.state?.running ? 'The tree is about to grow.' : 'The engine has an answer without a tree here.';
  }

  describe(child, { parent }) {
    const first = parent.pages.get(0)?.[0]?.data.visits ?? child.visits;
    const chance = child.proof ? proofText(child) : `${(100 * child.chance).toFixed(1)} %`;
    const share = el('span', { class: 'share-bar', style: `--share: ${first ? Math.min(1, child.visits / first) : 0}` }, short(child.visits));
    return {
      cells: [share, child.visits ? chance : '–', child.prior === null ? '' : child.prior.toFixed(3)],
      kind: child.proof ? (child.proof.result === 'win' ? 'won' : 'lost') : '',
      label: `${child.text}, ${child.visits} visits, ${child.visits ? chance : 'not tried'}`,
    };
  }
}

/** What is certain, for whoever chooses the move. */
function proofText({ proof }) {
  return `${proof.result === 'win' ? 'wins' : 'loses'} in ${proof.turns}`;
}
