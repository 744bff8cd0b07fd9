// Solving: a search for a proof that is watched, its tree, and its proof walked turn by turn.

import { ask, games, search } from './api.js';
import { Board } from './board.js';
import { button, el, kept, select } from './dom.js';
import { Entry, sentence } from './entry.js';
import { short } from './parts.js';

/** A position to begin with: Gold wins in 2. */
const EXAMPLE = { name: 'arimaa', start: 'g [         H                  cr       m           R              ]', turns: [] };

/** So many children of a vertex come at once. */
const PAGE = 100;

export async function show(main) {
  const view = new Solve(main, await games());
  await view.open(kept.get('solve', EXAMPLE));
  return view;
}

class Solve {
  constructor(main, all) {
    this.main = main;
    this.all = all;
    this.wishes = { algorithm: 'pns', time: 10, memory: 128, ...kept.get('solve.wishes', {}) };
  }

  end() {
    this.running?.cancel();
  }

  get spec() {
    return this.all.get(this.game.name);
  }

  async open(game) {
    this.running?.cancel();
    this.running = null;
    this.game = game;
    this.walked = null;
    this.state = null;
    this.board = new Board(game.name, { label: `The board of ${this.spec.title}` });
    this.entry = new Entry(this.board, { onchange: () => { if (this.rootSide) this.drawControls(); }, onsay: (text) => this.say(text) });
    this.head = el('div');
    this.tree = el('div', { class: 'vertices', role: 'tree', 'aria-label': 'The tree of the search', tabindex: '-1' });
    this.message = el('p', { class: 'message', role: 'status', 'aria-live': 'polite' });
    this.controls = el('div', { class: 'controls' });
    this.proof = el('div');
    const settings = el('div', { class: 'row settings' },
      select('Algorithm', [['pns', 'pns: best first, with a tree'], ['dfpns', 'dfpns: depth first'], ['auto', 'auto: all that Tusk knows']], this.wishes.algorithm, (algorithm) => this.set({ algorithm })),
      select('Time', [['5', '5 s'], ['10', '10 s'], ['60', '1 min'], ['600', '10 min']], String(this.wishes.time), (time) => this.set({ time: Number(time) })),
      select('Memory', [['64', '64 MiB'], ['128', '128 MiB'], ['512', '512 MiB']], String(this.wishes.memory), (memory) => this.set({ memory: Number(memory) })));
    this.main.replaceChildren(
      el('h1', { class: 'hidden' }, 'Solve'),
      el('div', { class: 'stage' },
        el('section', { class: 'board-box', 'aria-label': 'Board' }, this.board.element),
        el('section', { class: 'panel', 'aria-label': 'Solver' }, settings, this.head, this.tree, this.proof, this.message, this.controls)));
    this.tree.addEventListener('keydown', (event) => this.treeKey(event));
    try {
      await this.entry.open(game, { animate: false });
    } catch (error) {
      kept.set('solve', EXAMPLE);
      if (game !== EXAMPLE) await this.open(EXAMPLE);
      this.say(sentence(error.message));
    }
    this.entry.isLocked = true;
    this.rootSide = this.entry.state.side;
    this.seen = null;
    this.draw();
  }

  say(text) {
    this.message.textContent = text;
  }

  set(wishes) {
    Object.assign(this.wishes, wishes);
    kept.set('solve.wishes', this.wishes);
  }

  // The search

  async start() {
    this.running?.cancel();
    await this.open(this.game);
    const { algorithm, time, memory } = this.wishes;
    const running = search('solve', { game: this.game, algorithm, time, memory }, {
      report: (state) => { if (this.running === running) this.hear(state); },
    });
    this.running = running;
    try {
      await running.answer;
    } catch (error) {
      if (this.running === running) {
        this.running = null;
        this.say(sentence(error.message));
        this.draw();
      }
    }
  }

  /** Says something to the search that runs or pauses. */
  speak(wish) {
    return ask('solver', { search: this.running.id, wish });
  }

  hear(state) {
    const isFirst = !this.state?.root && state.root?.children;
    const isChanged = this.state?.running !== state.running;
    this.state = state;
    this.draw();
    if (isFirst || (isChanged && !state.running)) this.drawTree();
  }

  draw() {
    const { state } = this;
    const side = (letter) => this.spec.sides.find((each) => each.letter === letter)?.name ?? letter;
    const mover = side(this.rootSide);
    let result = `Who wins here, ${mover} to move?`;
    if (state?.result) {
      const isWin = state.result === 'win';
      const other = this.spec.sides.find(({ name }) => name !== mover).name;
      result = `${isWin ? mover : other} wins in ${state.turns}${state.turn ? `: ${state.turn}` : ''}.`;
    } else if (state) result = state.running ? 'Searching …' : 'Not solved yet.';
    const numbers = state?.root ? this.spec.sides.map(({ letter, name }) => `${name} ${number(state.root.numbers[letter])}`).join(', ') : '';
    this.head.replaceChildren(
      el('p', { class: 'result' }, result),
      el('p', { class: 'hint' }, state ? `${short(state.nodes)} positions in ${state.seconds.toFixed(1)} s${numbers ? `; to be proved: ${numbers}` : ''}` : ''));
    this.drawControls();
  }

  drawControls() {
    const { state } = this;
    const isOpen = Boolean(this.running);
    const isRunning = isOpen && (state?.running ?? true);
    this.controls.replaceChildren(
      el('div', { class: 'row' },
        button(isOpen ? 'Start again' : 'Start', () => this.start(), { class: isOpen ? '' : 'primary wide' }),
        button('Pause', () => this.speak({ pause: {} }), { disabled: !isRunning }),
        button('Continue', () => this.speak({ continue: this.wishes.time }), { disabled: !isOpen || isRunning || Boolean(state?.result) }),
        button('Walk the proof', () => this.walk([]), { disabled: !state?.proof, class: state?.proof ? 'primary' : '' })),
      el('div', { class: 'row small-buttons' },
        button('Most proving path', () => this.mostProving(), { disabled: !state?.root }),
        button('Analyse this position', () => this.analyse()),
        button('An example', () => {
          kept.set('solve', EXAMPLE);
          this.open(EXAMPLE);
        })));
  }

  // The tree

  async drawTree() {
    const list = el('ul', { role: 'group' });
    this.tree.replaceChildren(list);
    if (!this.state?.root) {
      if (this.state) list.append(el('li', { role: 'none', class: 'hint' }, 'This algorithm keeps no tree.'));
      return;
    }
    if (!this.state.root.children) {
      list.append(el('li', { role: 'none', class: 'hint' }, 'What is decided keeps no tree below it: walk the proof instead.'));
      return;
    }
    await this.addChildren(list, [], 0);
    this.tree.querySelector('[role=treeitem]')?.setAttribute('tabindex', '0');
  }

  async addChildren(list, path, from) {
    let found;
    try {
      found = await this.speak({ look: { path, from, count: PAGE } });
    } catch (error) {
      this.say(sentence(error.message));
      return;
    }
    list.querySelector(':scope > .more')?.remove();
    list.append(...found.children.map((child) => this.vertex(child, [...path, child.text])));
    const shown = from + found.children.length;
    if (shown < found.vertex.children) {
      list.append(el('li', { class: 'more', role: 'none' },
        button(`${found.vertex.children - shown} more`, () => this.addChildren(list, path, shown), { class: 'quiet' })));
    }
  }

  vertex(child, path) {
    const root = this.rootSide;
    const other = this.spec.sides.find(({ letter }) => letter !== root).letter;
    const isWon = child.winner === root;
    const numbers = child.winner ? `${isWon ? 'won' : 'lost'} in ${child.turns}` : `${number(child.numbers[root])} / ${number(child.numbers[other])}`;
    const row = el('div', { class: `vertex ${child.best ? 'best' : ''} ${child.winner ? (isWon ? 'won' : 'lost') : ''}` },
      el('span', { class: 'step' }, `${child.children ? '▸' : '·'} ${child.text}`),
      el('span', { class: 'numbers' }, numbers), el('span', { class: 'visits' }, short(child.visits)));
    const item = el('li', {
      role: 'treeitem', tabindex: '-1', 'aria-expanded': child.children ? 'false' : null, 'aria-selected': 'false',
      'aria-label': `${child.text}, ${numbers}, ${child.visits} visits`,
    }, row);
    item.path = path;
    item.count = child.children;
    row.addEventListener('click', () => this.choose(item, true));
    return item;
  }

  /** Shows the board of a vertex, and opens or closes it. */
  async choose(item, isToggled) {
    for (const other of this.tree.querySelectorAll('[aria-selected=true]')) other.setAttribute('aria-selected', 'false');
    for (const other of this.tree.querySelectorAll('[tabindex="0"]')) other.setAttribute('tabindex', '-1');
    item.setAttribute('aria-selected', 'true');
    item.setAttribute('tabindex', '0');
    item.focus({ preventScroll: true });
    item.firstChild.scrollIntoView({ block: 'nearest' });
    try {
      const { pieces, trail, position } = await this.speak({ look: { path: item.path, count: 1 } });
      this.seen = position;
      this.board.show(pieces, { animate: false });
      this.board.setTrail(trail);
    } catch (error) {
      this.say(sentence(error.message));
    }
    if (isToggled) await this.toggle(item);
  }

  async toggle(item, isOpen = item.getAttribute('aria-expanded') !== 'true') {
    if (!item.count) return;
    item.setAttribute('aria-expanded', String(isOpen));
    item.querySelector('.step').textContent = `${isOpen ? '▾' : '▸'} ${item.path.at(-1)}`;
    item.querySelector(':scope > ul')?.remove();
    if (isOpen) {
      const list = el('ul', { role: 'group' });
      item.append(list);
      await this.addChildren(list, item.path, 0);
    }
  }

  /** Opens the best child again and again: where the search goes on. */
  async mostProving() {
    await this.drawTree();
    let item = this.tree.querySelector('[role=treeitem]');
    for (let depth = 0; item && depth < 60; depth += 1) {
      if (!item.count) break;
      await this.toggle(item, true);
      const next = item.querySelector('[role=treeitem]');
      if (!next) break;
      item = next;
    }
    if (item) await this.choose(item, false);
  }

  treeKey(event) {
    const item = document.activeElement.closest?.('[role=treeitem]');
    if (!item || !this.tree.contains(item)) return;
    const items = [...this.tree.querySelectorAll('[role=treeitem]')];
    const at = items.indexOf(item);
    const isOpen = item.getAttribute('aria-expanded') === 'true';
    if (event.key === 'ArrowDown' && items[at + 1]) this.choose(items[at + 1], false);
    else if (event.key === 'ArrowUp' && items[at - 1]) this.choose(items[at - 1], false);
    else if (event.key === 'ArrowRight' && !isOpen) this.toggle(item, true);
    else if (event.key === 'ArrowLeft' && isOpen) this.toggle(item, false);
    else if (event.key === 'ArrowLeft') {
      const parent = item.parentElement.closest('[role=treeitem]');
      if (parent) this.choose(parent, false);
    } else if (event.key === 'Enter' || event.key === ' ') this.toggle(item);
    else return;
    event.preventDefault();
    event.stopPropagation();
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
    this.entry.isLocked = found.over;
    await this.entry.open(found.game);
    const { state } = this.entry;
    const winner = this.spec.sides.find(({ letter }) => letter === found.winner).name;
    const loser = this.spec.sides.find(({ letter }) => letter !== found.winner).name;
    const last = found.game.turns.length && !turns.length ? `${winner} plays ${found.game.turns.at(-1)}. ` : '';
    const answer = turns.length ? `${winner} answers ${found.game.turns.at(-1)}. ` : last;
    const rest = found.finishers ? `After ${found.listed.length ? 'any other turn' : 'any turn'} ${winner} finishes at once, by one of ${found.finishers} turns.` : '';
    this.proof.replaceChildren(
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
    this.proof.replaceChildren();
    await this.entry.open(this.game);
    this.entry.isLocked = true;
  }

  analyse() {
    const start = this.seen ?? this.entry.state.position;
    kept.set('analyse', { name: this.game.name, start, turns: [] });
    location.hash = '#/analyse';
  }

  key(event) {
    if (event.target.matches?.('button, a, input, select')) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      this.defend();
    } else if (event.key === 'Backspace') {
      event.preventDefault();
      this.entry.undo();
    } else if (event.key === 'f') this.board.flip();
  }
}

/** A number of a proof; a side that cannot win has none. */
function number(value) {
  return value === null || value === undefined ? '∞' : short(value);
}
