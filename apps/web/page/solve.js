// Solving: a search for a proof that is watched, its tree, and its proof walked turn by turn.

import { ask as askServer, solverParameters } from './api.js';
import { ask, button, el, kept, select } from './dom.js';
import { sentence } from './entry.js';
import { Explore, games } from './explore.js';
import { askParameters, short } from './parts.js';

/** A position to begin with: Gold wins in 2. */
const EXAMPLE = { name: 'arimaa', start: 'g [         H                  cr       m           R              ]', turns: [] };

const ALGORITHMS = [['pns', 'pns: best first, with a tree'], ['dfpns', 'dfpns: depth first'], ['auto', 'auto: all that Tusk knows']];

export async function show(main) {
  const view = new Solve(main, await games());
  await view.begin();
  return view;
}

class Solve extends Explore {
  name = 'solve';
  verb = 'solve';
  title = 'Solve';
  example = EXAMPLE;
  usual = { algorithm: 'pns', set: {} };
  columns = ['Step', 'Kind', 'To win / to lose', 'Visits'];

  settings() {
    return [
      select('Algorithm', ALGORITHMS, this.wishes.algorithm, (algorithm) => {
        this.set({ algorithm });
        this.drawControls();
      }),
      ...this.timeAndMemory(),
      button('Parameters', () => this.askParameters()),
    ];
  }

  async askParameters() {
    const set = await askParameters('Parameters of proof-number search', await solverParameters(), this.wishes.set,
      'They count when a search is started, by pns or dfpns.');
    if (set) this.set({ set });
  }

  params() {
    const { algorithm, set } = this.wishes;
    return { algorithm, set: algorithm === 'auto' ? {} : set };
  }

  async open(game) {
    this.walked = null;
    await super.open(game);
  }

  drawHead() {
    const { state } = this;
    const mover = this.side(this.rootSide);
    let result = `Who wins here, ${mover} to move?`;
    if (state?.result) {
      const other = this.spec.sides.find(({ name }) => name !== mover).name;
      result = `${state.result === 'win' ? mover : other} wins in ${state.turns}${state.turn ? `: ${state.turn}` : ''}.`;
    } else if (state) result = state.running ? 'Searching …' : state.reason ? `Not solved: ${state.reason}.` : 'Not solved yet.';
    const numbers = state?.root ? this.spec.sides.map(({ letter, name }) => `${name} ${number(state.root.numbers[letter])}`).join(', ') : '';
    const more = numbers ? `to be proved: ${numbers}` : state?.progress;
    this.head.replaceChildren(
      el('p', { class: 'result' }, result),
      el('p', { class: 'hint' }, state ? `${short(state.nodes)} positions in ${state.seconds.toFixed(1)} s${more ? `; ${more}` : ''}` : ''));
  }

  buttons() {
    const { state } = this;
    return [button('Walk the proof', () => this.walk([]), { disabled: !state?.proof, class: state?.proof ? 'primary' : '' })];
  }

  smallButtons() {
    return [
      button('Save the search', () => this.save(), { disabled: !this.running || this.state?.running !== false }),
      button('Open a search', () => this.openSaved()),
      button('An example', () => {
        kept.set('solve', EXAMPLE);
        this.open(EXAMPLE);
      }),
    ];
  }

  noTree() {
    if (this.state?.root) return 'What is decided keeps no tree below it: walk the proof instead.';
    return this.state?.result ? 'Walk the proof.' : 'This algorithm keeps no tree.';
  }

  /** A row of the tree: whose choice it is, and how many positions are to be proved for the root's side and against it. */
  describe(child) {
    const root = this.rootSide;
    const other = this.spec.sides.find(({ letter }) => letter !== root).letter;
    const isWon = child.winner === root;
    const numbers = child.winner ? `${isWon ? 'won' : 'lost'} in ${child.turns}${child.unchecked ? ' (file, unchecked)' : ''}` : `${number(child.numbers[root])} / ${number(child.numbers[other])}`;
    const kind = child.mover === root ? 'OR' : 'AND';
    return {
      cells: [kind, numbers, short(child.visits)],
      kind: child.winner ? (isWon ? 'won' : 'lost') : '',
      label: `${child.text}, ${kind}, ${numbers}, ${child.visits} visits`,
    };
  }

  // Files

  async save() {
    const name = el('input', { type: 'text', value: `search-${new Date().toISOString().slice(0, 16).replace(/[T:]/g, '-')}`, 'aria-label': 'Name', maxlength: 64 });
    const content = el('div', { class: 'form' },
      el('p', { class: 'hint' }, 'It is kept in the data folder of Tusk, in the form that tusk solve --save writes and --continue reads.'), name);
    if ((await ask('Save the search', content, [['', 'Cancel'], ['save', 'Save', 'primary']])) !== 'save') return;
    try {
      const { saved } = await this.speak({ save: name.value.trim() });
      this.message.replaceChildren(`It is saved as ${saved}. `, el('a', { href: `/api/v1/searches/${saved}`, download: saved }, 'Download it'), '.');
    } catch (error) {
      this.say(sentence(error.message));
    }
  }

  async openSaved() {
    const rows = el('div', { class: 'form' });
    const dialog = document.getElementById('dialog');
    let chosen = null;
    const draw = async () => {
      const { searches } = await askServer('searches');
      rows.replaceChildren(...(searches.length ? searches.map((each) => el('div', { class: 'row kept-search' },
        button(each.name, () => {
          chosen = each;
          dialog.close('open');
        }, { class: 'wide', title: each.position }),
        el('small', {}, `${each.algorithm}, ${(each.bytes / 1048576).toFixed(1)} MiB`),
        el('a', { href: `/api/v1/searches/${each.name}`, download: each.name }, 'Download'),
        button('Delete', async () => {
          await askServer('forget_search', { name: each.name });
          await draw();
        }, { class: 'quiet', 'aria-label': `Delete ${each.name}` }))) : [el('p', { class: 'hint' }, 'Nothing is kept yet.')]));
    };
    const fault = el('p', { class: 'hint', role: 'alert' });
    const file = el('input', { type: 'file', 'aria-label': 'A file of tusk solve --save' });
    file.addEventListener('change', async () => {
      fault.textContent = 'The file is read …';
      const name = file.files[0].name.replace(/[^A-Za-z0-9._-]/g, '-').replace(/^\.+/, '').slice(0, 64) || 'search';
      const answer = await fetch(`/api/v1/searches/${name}`, { method: 'PUT', body: file.files[0] });
      fault.textContent = answer.ok ? '' : sentence((await answer.json()).error);
      if (answer.ok) await draw();
    });
    await draw();
    const content = el('div', { class: 'form' }, rows, el('label', { class: 'form' }, el('span', { class: 'hint' }, 'Or bring a file that tusk solve --save wrote:'), file), fault);
    if ((await ask('Open a search', content, [['', 'Close']])) !== 'open') return;
    await this.goOnWith(chosen);
  }

  /** Takes up a search that was kept. */
  async goOnWith({ name, game, position, algorithm }) {
    this.set({ algorithm });
    this.game = { name: game, start: position, turns: [] };
    kept.set('solve', this.game);
    await this.start({ saved: name, time: 0 });
  }

  // The proof

  /** Shows the proof after these turns of the loser. */
  async walk(turns) {
    let found;
    try {
      found = await this.speak({ walk: { turns } });
    } catch (error) {
      this.say(sentence(error.message));
      return;
    }
    this.walked = turns;
    this.seen = null;
    this.entry.isLocked = found.over;
    await this.entry.open(found.game);
    const { state } = this.entry;
    const winner = this.side(found.winner);
    const loser = this.spec.sides.find(({ letter }) => letter !== found.winner).name;
    const last = found.game.turns.length && !turns.length ? `${winner} plays ${found.game.turns.at(-1)}. ` : '';
    const answer = turns.length ? `${winner} answers ${found.game.turns.at(-1)}. ` : last;
    const rest = found.finishers ? `After ${found.listed.length ? 'any other turn' : 'any turn'} ${winner} finishes at once, by one of ${found.finishers} turns.` : '';
    this.extra.replaceChildren(
      el('h2', {}, 'The proof'),
      el('p', {}, found.over ? `${answer}${sentence(state.ended.sentence)}` : `${answer}${loser} may play anything: choose a defence below, or enter one on the board.`),
      el('p', { class: 'hint' }, found.over ? '' : rest),
      found.over ? '' : el('div', { class: 'defences' }, found.listed.map((turn) => button(turn, () => this.walk([...turns, turn])))),
      el('div', { class: 'row small-buttons' },
        button('Back', () => this.walk(turns.slice(0, -1)), { disabled: !turns.length }),
        button('Play this defence', () => this.defend(), { disabled: found.over, class: 'primary' }),
        button('Close', () => this.closeProof())));
  }

  /** Plays the defence that is entered on the board. */
  async defend() {
    if (this.walked === null) return;
    const turn = this.entry.finished();
    if (turn) await this.walk([...this.walked, turn]);
  }

  async closeProof() {
    this.walked = null;
    this.extra.replaceChildren();
    await this.entry.open(this.game);
    this.entry.isLocked = true;
  }

  key(event) {
    if (event.target.matches?.('button, a, input, select')) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      this.defend();
    } else if (event.key === 'Backspace') {
      event.preventDefault();
      this.entry.undo();
    } else super.key(event);
  }
}

/** A number of a proof; a side that cannot win has none. */
function number(value) {
  return value === null || value === undefined ? '∞' : short(value);
}
