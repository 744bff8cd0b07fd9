// Puzzles: find the one turn that wins.

import { ask as askServer, games } from './api.js';
import { Board } from './board.js';
import { button, el, kept } from './dom.js';
import { Entry, sentence } from './entry.js';

export async function show(main) {
  await games();
  const view = new Puzzles(main);
  await view.go(kept.get('puzzle.number', 1));
  return view;
}

class Puzzles {
  constructor(main) {
    this.main = main;
    this.solved = new Set(kept.get('puzzle.solved', []));
    this.board = new Board('arimaa', { label: 'The board of the puzzle' });
    this.entry = new Entry(this.board, { onchange: (state) => this.draw(state), onsay: (text) => this.say(text) });
    this.head = el('div');
    this.message = el('p', { class: 'message', role: 'status', 'aria-live': 'polite' });
    this.controls = el('div', { class: 'controls' });
    this.main.replaceChildren(
      el('h1', { class: 'hidden' }, 'Puzzles'),
      el('div', { class: 'stage' },
        el('section', { class: 'board-box', 'aria-label': 'Board' }, this.board.element),
        el('section', { class: 'panel', 'aria-label': 'Puzzle' }, this.head, this.message, this.controls)));
  }

  end() {}

  say(text) {
    this.message.textContent = text;
  }

  async go(number) {
    let puzzle;
    try {
      puzzle = await askServer('puzzle', { number });
    } catch {
      puzzle = await askServer('puzzle', { number: 1 });
    }
    this.puzzle = puzzle;
    this.isHelped = false;
    this.isDone = false;
    kept.set('puzzle.number', puzzle.number);
    this.entry.isLocked = false;
    await this.entry.open(puzzle.game, { animate: false });
    this.board.flip(this.state.side === 's');
    this.board.setArrows([]);
    this.board.setMarks(new Map());
    this.say('');
  }

  draw(state) {
    this.state = state;
    const { number, of, turns, grade } = this.puzzle;
    const side = state.side === 'g' ? 'Gold' : 'Silver';
    const streak = kept.get('puzzle.streak', 0);
    this.head.replaceChildren(
      el('h2', {}, `Puzzle ${number} of ${of}`),
      el('p', {}, this.isDone ? 'Solved.' : `${side} is to move and wins by force in ${turns} turns. Find the first one.`),
      el('p', { class: 'hint' }, `${'★'.repeat(grade)}${'☆'.repeat(5 - grade)} · ${this.solved.size} solved · streak ${streak}${this.solved.has(number) ? ' · this one too' : ''}`));
    this.controls.replaceChildren(
      el('div', { class: 'row entered' }, el('span', { class: 'steps-left' }, `${state.steps_left} steps left`), el('code', {}, state.steps.join(' '))),
      el('div', { class: 'row' },
        button('Undo step', () => this.entry.undo(), { disabled: !state.steps.length }),
        button('Reset', () => this.entry.reset(), { disabled: !state.steps.length }),
        button('Play turn', () => this.finish(), { class: 'primary wide', disabled: !state.end || this.isDone })),
      el('div', { class: 'row small-buttons' },
        button('Hint', () => this.hint()), button('Answer', () => this.answer()),
        button('Previous', () => this.go(this.puzzle.number - 1), { disabled: number <= 1 }),
        button('Next', () => this.go(number >= of ? 1 : number + 1), { class: this.isDone ? 'primary' : '' }),
        button('Analyse', () => this.analyse())));
  }

  async finish() {
    if (this.isDone) return;
    const turn = this.entry.finished();
    if (!turn) return;
    const { right } = await askServer('puzzle', { number: this.puzzle.number, turn });
    if (!right) {
      kept.set('puzzle.streak', 0);
      this.isHelped = true;
      await this.entry.reset();
      this.say(`${turn} does not win by force. Try again.`);
      return;
    }
    this.isDone = true;
    this.solved.add(this.puzzle.number);
    kept.set('puzzle.solved', [...this.solved]);
    if (!this.isHelped) kept.set('puzzle.streak', kept.get('puzzle.streak', 0) + 1);
    await this.entry.open({ ...this.puzzle.game, turns: [turn] });
    this.entry.isLocked = true;
    this.say('That is the turn: whatever the other side does, the win follows.');
  }

  async hint() {
    this.isHelped = true;
    const { hint } = await askServer('puzzle', { number: this.puzzle.number, hint: true });
    this.board.setMarks(new Map([[hint, 'both']]));
    this.say(`It begins on ${hint}.`);
  }

  async answer() {
    this.isHelped = true;
    kept.set('puzzle.streak', 0);
    const { answer, trail } = await askServer('puzzle', { number: this.puzzle.number, answer: true });
    await this.entry.reset();
    this.board.setArrows([trail]);
    this.say(sentence(`the answer is ${answer}`));
  }

  analyse() {
    kept.set('analyse', this.puzzle.game);
    location.hash = '#/analyse';
  }

  key(event) {
    if (event.target.matches?.('button, a, input, select')) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      this.finish();
    } else if (event.key === 'Backspace') {
      event.preventDefault();
      this.entry.undo();
    } else if (event.key === 'Escape') this.entry.reset();
    else if (event.key === 'f') this.board.flip();
  }
}
