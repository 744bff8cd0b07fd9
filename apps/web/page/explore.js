// A search that is watched, and its tree: what solving and the tree search have in common.

import { ask, games, search } from './api.js';
import { Board } from './board.js';
import { button, download, el, kept, select } from './dom.js';
import { Entry, sentence } from './entry.js';
import { Explorer } from './explorer.js';

export { games };

/** How long a search may go on at a time. */
const TIMES = [['5', '5 s'], ['10', '10 s'], ['60', '1 min'], ['600', '10 min']];
const MEMORIES = [['64', '64 MiB'], ['128', '128 MiB'], ['512', '512 MiB']];

/**
 * What a view of this kind adds: `name` (under which its position and wishes are kept), `verb`, `title`, `usual` wishes, `example`
 * position, `columns`, `describe(child)`, `settings()`, `params()`, `drawHead()`, `buttons()`, `noTree()`.
 */
export class Explore {
  constructor(main, all) {
    this.main = main;
    this.all = all;
  }

  /** The wishes, which are kept. */
  begin() {
    this.wishes = { time: 10, memory: 128, ...this.usual, ...kept.get(`${this.name}.wishes`, {}) };
    return this.open(kept.get(this.name, this.example));
  }

  end() {
    this.running?.cancel();
  }

  get spec() {
    return this.all.get(this.game.name);
  }

  side(letter) {
    return this.spec.sides.find((side) => side.letter === letter)?.name ?? letter;
  }

  async open(game) {
    this.stop();
    this.game = game;
    this.seen = null;
    this.board = new Board(game.name, { label: `The board of ${this.spec.title}` });
    this.entry = new Entry(this.board, { onchange: () => { if (this.rootSide) this.drawControls(); }, onsay: (text) => this.say(text) });
    this.head = el('div', { class: 'search-head' });
    this.explorer = new Explorer({
      label: 'The tree of the search', columns: this.columns,
      look: (path, from, count) => this.speak({ look: { path, from, count } }),
      describe: (child, vertex) => this.describe(child, vertex),
      onchoose: (vertex) => this.choose(vertex),
      onfault: (error) => this.say(sentence(error.message)),
    });
    this.message = el('p', { class: 'message', role: 'status', 'aria-live': 'polite' });
    this.controls = el('div', { class: 'controls' });
    this.extra = el('div', { class: 'extra' });
    this.main.replaceChildren(
      el('h1', { class: 'hidden' }, this.title),
      el('div', { class: 'stage' },
        el('section', { class: 'board-box', 'aria-label': 'Board' }, this.board.element),
        el('section', { class: 'panel', 'aria-label': this.title },
          el('div', { class: 'row settings' }, this.settings()), this.head, this.explorer.element, this.extra, this.message, this.controls)));
    try {
      await this.entry.open(game, { animate: false });
    } catch (error) {
      kept.set(this.name, this.example);
      if (game !== this.example) await this.open(this.example);
      this.say(sentence(error.message));
      return;
    }
    this.entry.isLocked = true;
    this.rootSide = this.entry.state.side;
    this.explorer.clear('Start the search to see its tree.');
    this.draw();
  }

  say(text) {
    this.message.textContent = text;
  }

  set(wishes) {
    Object.assign(this.wishes, wishes);
    kept.set(`${this.name}.wishes`, this.wishes);
  }

  timeAndMemory() {
    return [
      select('Time', TIMES, String(this.wishes.time), (time) => this.set({ time: Number(time) })),
      select('Memory', MEMORIES, String(this.wishes.memory), (memory) => this.set({ memory: Number(memory) })),
    ];
  }

  // The search

  stop() {
    this.running?.cancel();
    this.running = null;
    this.state = null;
  }

  /** Forgets what was found: the position stays. */
  async reset() {
    await this.open(this.game);
    this.say('');
  }

  async start(more = {}) {
    await this.open(this.game);
    const { time, memory } = this.wishes;
    // A search that was kept goes on with its own memory and parameters.
    const wishes = more.saved ? {} : { memory, ...this.params() };
    const running = search(this.verb, { game: this.game, time, ...wishes, ...more }, {
      report: (state) => { if (this.running === running) this.hear(state); },
    });
    this.running = running;
    this.drawControls();
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
    if (!this.running) return Promise.reject(new Error('the search has ended: start it again'));
    return ask('solver', { search: this.running.id, wish });
  }

  hear(state) {
    const isFirst = !this.state?.root?.children && state.root?.children;
    const isChanged = this.state?.running !== state.running;
    this.state = state;
    this.draw();
    if (isFirst || (isChanged && !state.running)) this.drawTree();
  }

  async drawTree() {
    const { running } = this;
    const isThere = this.state?.root?.children && (await this.explorer.reload());
    if (this.running === running && !isThere) this.explorer.clear(this.noTree());
  }

  draw() {
    this.drawHead();
    this.drawControls();
  }

  drawControls() {
    const { state } = this;
    const isOpen = Boolean(this.running);
    const isRunning = isOpen && (state?.running ?? true);
    const buttons = isOpen
      ? [isRunning
        ? button('Pause', () => this.speak({ pause: {} }), { class: 'primary' })
        : button('Continue', () => this.speak({ continue: this.wishes.time }), { disabled: Boolean(state?.over), class: state?.over ? '' : 'primary' }),
      button('Reset', () => this.reset())]
      : [button('Start', () => this.start(), { class: 'primary wide' })];
    this.controls.replaceChildren(
      el('div', { class: 'row' }, buttons, this.buttons()),
      el('div', { class: 'row small-buttons' },
        button('Most promising path', () => this.explorer.openBest(), { disabled: !state?.root?.children }),
        button('Save the position', () => this.savePosition()),
        button('Analyse it', () => this.analyse()),
        this.smallButtons?.() ?? []));
  }

  // A vertex

  /** Shows the board of a vertex. */
  async choose({ path }) {
    try {
      const { pieces, trail, position } = await this.speak({ look: { path, count: 1 } });
      this.seen = position;
      this.board.show(pieces, { animate: false });
      this.board.setTrail(trail);
    } catch (error) {
      this.say(sentence(error.message));
    }
  }

  get position() {
    return this.seen ?? this.entry.state.position;
  }

  savePosition() {
    download('position.txt', `${this.position}\n`);
  }

  analyse() {
    kept.set('analyse', { name: this.game.name, start: this.position, turns: [] });
    location.hash = '#/analyse';
  }

  key(event) {
    if (event.target.matches?.('button, a, input, select')) return;
    if (event.key === 'f') this.board.flip();
  }
}
