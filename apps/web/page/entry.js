// A turn that is entered step by step on a board.

import { ask } from './api.js';
import { looks } from './board.js';

/** What is selected of several steps that begin and end alike: another place that tells them apart. */
function otherPlace(step, from, to, pieces, look) {
  const other = step.moves.find(([start, end]) => start !== from || end !== to);
  if (!other) return null;
  // Several pushers of one piece differ by where they stand; anything else by where the other piece goes.
  const isMine = pieces[other[0]] && look.sideOf(pieces[other[0]]) !== look.sideOf(pieces[from]);
  return step.kind === 'push' && isMine && other[1] === from ? other[0] : other[1];
}

/**
 * Keeps a game and the steps of the turn that is entered. `onchange(state)` is called whenever the position changes,
 * `onsay(text)` with what a person should read.
 */
export class Entry {
  constructor(board, { onchange, onsay }) {
    this.board = board;
    this.onchange = onchange;
    this.onsay = onsay;
    this.look = looks[board.look.name];
    this.game = { name: this.look.name, start: '', turns: [] };
    this.steps = [];
    this.state = null;
    this.choices = null;
    this.hand = null;
    this.isLocked = false;
    this.version = 0;
    this.attach();
  }

  /** Listens to the board. */
  attach() {
    this.board.onpick = (cell, isSure) => this.pick(cell, isSure);
    this.board.onmove = (from, to, path) => this.move(from, to, path);
    this.board.oncell = (cell) => this.cell(cell);
  }

  /** Shows another game, or the same after another turn. */
  async open(game, { animate = true } = {}) {
    this.game = game;
    this.steps = [];
    await this.refresh({ animate, isOpened: true });
  }

  /** Asks for the position anew; what was asked before is forgotten. */
  async refresh({ animate = true, isOpened = false } = {}) {
    const version = (this.version += 1);
    const state = await ask('position', { game: this.game, steps: this.steps.join(' ') }, { priority: 10 });
    if (version !== this.version) return;
    const before = this.state;
    this.state = state;
    this.choices = null;
    let moves = [];
    if (isOpened && before && animate && isNext(before.game, state.game)) moves = movesOf(state.last);
    else if (!isOpened) moves = movesOf(state.trail.slice(before?.steps.length ?? 0));
    this.board.show(state.pieces, { moves, frozen: state.frozen, animate });
    this.board.setTrail(state.steps.length ? state.trail : state.last, state.steps.length ? 'now' : 'last');
    this.board.setTargets(null);
    this.onchange(state);
  }

  get isMine() {
    return !this.isLocked && this.state && !this.state.ended && !this.state.setting_up;
  }

  /** Where the piece of a place can go, and what that costs. */
  targetsOf(cell) {
    const targets = new Map();
    for (const step of this.state.legal) {
      for (const [from, to] of step.moves) {
        if (from === cell && !(targets.get(to) <= step.cost)) targets.set(to, step.cost);
      }
    }
    for (const { from, to, steps } of this.state.routes) {
      if (from === cell && !targets.has(to)) targets.set(to, steps.length);
    }
    return targets;
  }

  pick(cell, isSure) {
    if (!this.isMine) return;
    this.choices = null;
    const targets = this.targetsOf(cell);
    if (this.board.selected === cell && !isSure) {
      this.board.setTargets(null);
    } else if (targets.size > 0) {
      this.board.setTargets(cell, targets);
      this.onsay('');
    } else {
      this.board.setTargets(null);
      if (this.board.pieces[cell] && !isSure) this.explain(cell, this.front(cell));
    }
  }

  /** A place in front of another, to ask why nothing can go there. */
  front(cell) {
    const [x, y] = [cell.charCodeAt(0), Number(cell[1])];
    if (this.look.name === 'tzaar') return cell;
    const up = this.look.sideOf(this.board.pieces[cell]) === 0 ? y + 1 : y - 1;
    return up >= 1 && up <= 8 ? `${String.fromCharCode(x)}${up}` : cell;
  }

  /** A click that is more than a selection: a choice among steps, or a place for a piece from the hand. */
  cell(cell) {
    if (!this.isMine) return false;
    const chosen = this.choices?.get(cell);
    if (chosen) {
      this.play([chosen.text]);
      return true;
    }
    if (this.hand) {
      const step = this.state.legal.find((step) => step.kind === 'place' && step.text === `${this.hand.toUpperCase()}@${cell}`);
      if (step) this.play([step.text]);
      else this.onsay(`A piece is placed on an empty field, and ${cell} is not.`);
      return true;
    }
    return false;
  }

  async move(from, to, path) {
    if (!this.isMine) return;
    const { pieces } = this.board;
    const steps = this.state.legal.filter((step) => step.moves.some(([start, end]) => start === from && end === to));
    const single = steps.find((step) => step.moves.length === 1);
    if (path.length > 2 && pieces[from]) {
      const along = this.look.pathSteps(pieces[from], path);
      if (along && (await this.play(along, { isTried: true }))) return;
    }
    if (single) {
      await this.play([single.text]);
      return;
    }
    if (steps.length === 1) {
      await this.play([steps[0].text]);
      return;
    }
    if (steps.length > 1) {
      this.choices = new Map(steps.map((step) => [otherPlace(step, from, to, pieces, this.look), step]));
      const isPusher = steps[0].kind === 'push' && this.choices.size > 0 && pieces[[...this.choices.keys()][0]];
      this.board.setTargets(from, new Map([...this.choices.keys()].map((place) => [place, 2])));
      this.onsay(isPusher ? 'Which piece pushes? Choose it.' : 'Choose where the other piece goes.');
      return;
    }
    const route = this.state.routes.find((route) => route.from === from && route.to === to);
    if (route) await this.play(route.steps);
    else await this.explain(from, to);
  }

  async explain(from, to) {
    try {
      const { why } = await ask('explain', { game: this.game, steps: this.steps.join(' '), from, to });
      this.onsay(`${why[0].toUpperCase()}${why.slice(1)}.`);
    } catch (error) {
      this.onsay(error.message);
    }
  }

  /** Plays steps; returns whether they were legal. */
  async play(texts, { isTried = false } = {}) {
    const before = this.steps;
    this.steps = [...this.steps, ...texts];
    try {
      await this.refresh();
      this.steps = this.state.steps;
      this.onsay('');
      return true;
    } catch (error) {
      this.steps = before;
      if (!isTried) {
        this.onsay(error.message);
        this.board.setTargets(null);
      }
      return false;
    }
  }

  /** Steps that were typed. */
  async type(text) {
    return this.play(text.trim().split(/\s+/).filter(Boolean));
  }

  async undo() {
    if (!this.steps.length) return;
    this.steps = this.steps.slice(0, -1);
    await this.refresh({ animate: false });
  }

  async reset() {
    if (!this.steps.length) return;
    this.steps = [];
    await this.refresh({ animate: false });
  }

  /** The turn as far as it can be played; null with a reason told, if it cannot. */
  finished() {
    if (!this.isMine) return null;
    if (this.state.end) return this.state.end;
    this.onsay(this.state.end_fault ? sentence(this.state.end_fault) : 'Enter a step first.');
    return null;
  }
}

export function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

export function movesOf(steps) {
  return steps.flatMap((step) => step.moves);
}

/** Whether a game is another one with one turn more. */
function isNext(before, after) {
  return before.start === after.start && after.turns.length === before.turns.length + 1
    && before.turns.every((turn, index) => turn === after.turns[index]);
}
