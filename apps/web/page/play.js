// Playing against an engine.

import { ask as askServer, games, search } from './api.js';
import { Board, looks } from './board.js';
import { ask, button, clock, el, kept, select } from './dom.js';
import { Entry, sentence } from './entry.js';
import { losses, title, turnList } from './parts.js';

const LEVELS = ['beginner', 'intermediate', 'expert', 'unbeatable'];
const USUAL = { name: 'arimaa', engine: 'beginner', human: 0, seconds: 1, control: '', opening: null, guided: false };

/** Who advises, and for how many seconds it thinks about that. */
const GUIDE = { engine: 'tusk', time: 0.6, lines: 1, enough: 0.5 };

/** How much of the chances a turn may lose and still be called good, and from where on it was a mistake. */
const GOOD = 0.03;
const MISTAKE = 0.1;
const CONTROLS = [['', 'no clock'], ['300+5', '5 min + 5 s'], ['900+15', '15 min + 15 s'], ['3600+60', '60 min + 60 s']];

/** The view. It returns what ends it. */
export async function show(main, rest) {
  const all = await games();
  const view = new Play(main, all);
  if (rest === 'guided') {
    // From the rules: a game with comments, from a common setup.
    const name = kept.get('rules.game', 'arimaa');
    await view.start({ ...USUAL, name, opening: name === 'arimaa' ? 'setups' : 'fixed', guided: true });
    history.replaceState(null, '', '#/play');
  } else await view.begin();
  return view;
}

class Play {
  constructor(main, all) {
    this.main = main;
    this.all = all;
    this.thinking = null;
    this.viewed = null;
    this.timer = setInterval(() => this.tick(), 100);
  }

  end() {
    clearInterval(this.timer);
    this.stopThinking();
    this.isEnded = true;
  }

  /** Takes up the game that was kept, or begins one. */
  async begin() {
    const saved = kept.get('play');
    if (saved?.game) {
      this.match = saved;
      this.match.since = Date.now();
      try {
        await this.build();
        return;
      } catch {
        // What was kept is of an older version, or damaged: a new game does.
      }
    }
    await this.start({ ...USUAL, ...kept.get('play.wishes', {}) });
  }

  async start(wishes) {
    kept.set('play.wishes', wishes);
    const seed = Math.floor(Math.random() * 1e9);
    const begun = await askServer('start', { game: wishes.name, opening: wishes.opening, seed });
    const base = Number(wishes.control.split('+')[0]) || 0;
    this.match = {
      game: begun.game, engine: wishes.engine, human: Number(wishes.human), seconds: Number(wishes.seconds),
      control: wishes.control, clocks: [base, base], over: null, since: Date.now(), seed, guided: Boolean(wishes.guided),
    };
    this.save();
    await this.build();
  }

  save() {
    kept.set('play', this.match);
  }

  get name() {
    return this.match.game.name;
  }

  get spec() {
    return this.all.get(this.name);
  }

  get side() {
    return this.spec.sides.findIndex((side) => side.letter === this.live.side);
  }

  get isMine() {
    return this.side === this.match.human && !this.live.ended && !this.match.over;
  }

  async build() {
    this.stopThinking();
    this.viewed = null;
    this.arrangement = null;
    this.board = new Board(this.name, { label: `The board of ${this.spec.title}` });
    this.board.flip(this.match.human === 1);
    this.entry = new Entry(this.board, { onchange: (state) => this.draw(state), onsay: (text) => this.say(text) });
    this.message = el('p', { class: 'message', role: 'status', 'aria-live': 'polite' });
    this.left = el('span', { class: 'steps-left' });
    this.top = el('div', { class: 'player' });
    this.bottom = el('div', { class: 'player' });
    this.list = el('div', { class: 'turn-box' });
    this.controls = el('div', { class: 'controls' });
    this.typed = el('input', { type: 'text', id: 'typed', autocomplete: 'off', spellcheck: 'false', placeholder: this.name === 'arimaa' ? 'Ee2n Ee3n' : 'E4xF3' });
    const form = el('form', { class: 'typed', onsubmit: (event) => this.type(event) },
      el('label', { for: 'typed', class: 'hidden' }, 'Steps, typed'), this.typed, el('button', { type: 'submit', class: 'quiet' }, 'Enter'));
    this.main.replaceChildren(
      el('h1', { class: 'hidden' }, `Play ${this.spec.title}`),
      el('div', { class: 'stage' },
        el('section', { class: 'board-box', 'aria-label': 'Board' }, this.board.element),
        el('section', { class: 'panel', 'aria-label': 'Game' }, this.top, this.list, this.message, this.controls, form, this.bottom)));
    await this.entry.open(this.match.game, { animate: false });
    this.proceed();
  }

  say(text) {
    this.message.textContent = text;
  }

  /** The state of the game itself, whatever is shown. */
  draw(state) {
    if (this.viewed === null) this.live = state;
    const isLive = this.viewed === null;
    if (isLive && state.setting_up && this.isMine) {
      this.arrange();
    } else if (this.arrangement) {
      this.arrangement = null;
      this.entry.attach();
      this.say('');
    }
    this.drawPlayers(state);
    this.list.replaceChildren(turnList(this.live, this.viewed ?? this.live.game.turns.length, (index) => this.look(index)));
    this.drawControls(state, isLive);
  }

  drawPlayers(state) {
    const { human, engine } = this.match;
    const row = (side) => {
      const isHuman = side === human;
      const isTurn = !this.live.ended && !this.match.over && this.side === side;
      return [
        el('span', { class: `dot side${side} ${this.name}`, 'aria-hidden': 'true' }),
        el('span', { class: 'who' }, isHuman ? 'You' : title(engine), el('small', {}, ` ${this.spec.sides[side].name}`),
          isTurn && !isHuman ? el('small', { class: 'thinking' }, ' thinks …') : null),
        this.live.setting_up ? el('span', { class: 'losses' }) : losses(this.name, state.pieces, side),
        el('span', { class: 'clock', 'data-side': side, role: 'timer', 'aria-label': `Clock of ${this.spec.sides[side].name}` }),
      ];
    };
    const isFlipped = this.board.isFlipped;
    this.top.replaceChildren(...row(isFlipped ? 0 : 1));
    this.bottom.replaceChildren(...row(isFlipped ? 1 : 0));
    this.tick();
  }

  drawControls(state, isLive) {
    const { match } = this;
    const rows = [];
    if (!isLive) {
      rows.push(el('div', { class: 'row' },
        button('Back to the game', () => this.look(null), { class: 'primary' }),
        button('Play from here', () => this.playFrom())));
    } else if (this.live.ended || match.over) {
      rows.push(el('p', { class: 'result' }, sentence(match.over ?? state.ended.sentence)));
    } else if (this.arrangement) {
      const setups = this.spec.sides[match.human].setups;
      rows.push(el('p', { class: 'hint' }, 'Set up your pieces: two clicks or a drag swap them.'),
        el('div', { class: 'row' },
          select('Setup', setups.map((_, index) => [String(index), `Preset ${index + 1}`]), String(this.preset ?? 0), (value) => this.usePreset(Number(value))),
          button('Mirror', () => this.mirror())),
        el('div', { class: 'row' }, button('Play this setup', () => this.finish(), { class: 'primary wide' })));
    } else {
      this.left.textContent = this.isMine ? looks[this.name].stepsLeft(state.steps_left) : '';
      const pips = el('span', { class: 'pips', 'aria-hidden': 'true' },
        [...Array(looks[this.name].turnSteps).keys()].map((index) => el('i', { class: index < state.steps_left ? 'on' : '' })));
      rows.push(el('div', { class: 'row entered' }, this.isMine ? pips : null, this.left,
        el('code', {}, state.steps.join(' '))));
      if (this.isMine && state.legal.some((step) => step.kind === 'place')) rows.push(this.tray(state));
      rows.push(el('div', { class: 'row' },
        button('Undo step', () => this.entry.undo(), { disabled: !state.steps.length }),
        button('Reset', () => this.entry.reset(), { disabled: !state.steps.length }),
        button('Hint', () => this.hint(), { disabled: !this.isMine }),
        button('Play turn', () => this.finish(), { class: 'primary wide', disabled: !this.isMine || !state.end })));
    }
    rows.push(el('div', { class: 'row small-buttons' },
      button('«', () => this.look(0), { 'aria-label': 'First position' }),
      button('‹', () => this.step(-1), { 'aria-label': 'One turn back' }),
      button('›', () => this.step(1), { 'aria-label': 'One turn on' }),
      button('»', () => this.look(null), { 'aria-label': 'Last position' }),
      button('Flip', () => this.flip()),
      button('Take back', () => this.takeBack(), { disabled: !this.canTakeBack() }),
      button('Resign', () => this.resign(), { disabled: Boolean(!isLive || !this.isMine) }),
      button('Analyse', () => this.analyse()),
      button('New game', () => this.askForGame())));
    this.controls.replaceChildren(...rows);
  }

  /** The pieces that are still to be placed, in Tzaar. */
  tray(state) {
    const hand = looks.tzaar.inHand(state.pieces, this.match.human).filter(([, count]) => count > 0);
    if (!hand.some(([kind]) => kind === this.entry.hand)) this.entry.hand = hand[0]?.[0] ?? null;
    const names = { z: 'Tzaar', a: 'Tzarra', t: 'Tott' };
    return el('div', { class: 'row', role: 'group', 'aria-label': 'Piece to place' }, hand.map(([kind, count]) =>
      button(`${names[kind]} × ${count}`, () => {
        this.entry.hand = kind;
        this.drawControls(this.live, true);
      }, { 'aria-pressed': String(this.entry.hand === kind), class: 'toggle' })));
  }

  // Setups

  arrange() {
    this.preset ??= 0;
    if (!this.arrangement) this.setArrangement(this.spec.sides[this.match.human].setups[this.preset] ?? '');
    else this.showArrangement();
    this.board.onpick = (cell) => this.swap(cell);
    this.board.onmove = (from, to) => this.swap(to, from);
    this.board.oncell = null;
  }

  usePreset(index) {
    this.preset = index;
    this.setArrangement(this.spec.sides[this.match.human].setups[index]);
  }

  setArrangement(text) {
    this.arrangement = Object.fromEntries(text.split(' ').map((word) => [word.slice(1), word[0]]));
    this.showArrangement();
  }

  showArrangement() {
    this.board.show({ ...this.live.pieces, ...this.arrangement }, { animate: false });
    this.board.setTargets(null);
  }

  mirror() {
    const files = 'abcdefgh';
    const mirrored = Object.entries(this.arrangement).map(([square, piece]) => [files[7 - files.indexOf(square[0])] + square[1], piece]);
    this.arrangement = Object.fromEntries(mirrored);
    this.showArrangement();
  }

  swap(cell, from = this.board.selected) {
    if (!this.arrangement?.[cell]) {
      this.say('Your pieces stand on your two home rows.');
      this.board.setTargets(null);
    } else if (!from || from === cell) {
      this.board.setTargets(from === cell ? null : cell);
    } else if (this.arrangement[from]) {
      [this.arrangement[from], this.arrangement[cell]] = [this.arrangement[cell], this.arrangement[from]];
      this.showArrangement();
    }
  }

  // Turns

  async type(event) {
    event.preventDefault();
    const text = this.typed.value.trim();
    if (!text) {
      await this.finish();
      return;
    }
    if (!this.isMine || this.viewed !== null) {
      this.say('It is not your turn.');
      return;
    }
    if (this.live.setting_up) {
      await this.playTurn(text);
    } else if (!(await this.entry.type(text))) {
      return;
    }
    this.typed.value = '';
  }

  async finish() {
    if (this.viewed !== null || !this.isMine) return;
    if (this.arrangement) {
      await this.playTurn(Object.entries(this.arrangement).map(([square, piece]) => piece + square).join(' '));
      return;
    }
    const turn = this.entry.finished();
    if (turn) await this.playTurn(turn);
  }

  // Advice

  /** What the guide says of the position after these turns. */
  async advice(turns) {
    const game = { ...this.match.game, turns };
    const { lines } = await search('analyse', { game, ...GUIDE }, { priority: 3 }).answer;
    return lines[0] ?? null;
  }

  async hint() {
    const { turns } = this.match.game;
    this.say('The guide thinks …');
    try {
      const best = await this.advice(turns);
      if (this.match.game.turns !== turns || !best) return;
      await this.entry.reset();
      this.board.setArrows([best.trail]);
      this.say(`Tusk would play ${best.turn}.`);
    } catch (error) {
      this.say(sentence(error.message));
    }
  }

  /** Says how good a turn of the person was. */
  async comment(before) {
    const { game, human } = this.match;
    const turns = game.turns.slice(0, before + 1);
    try {
      const best = await this.advice(game.turns.slice(0, before));
      const own = this.live.ended ? null : await this.advice(turns);
      if (this.match.game.turns[before] !== turns[before] || !best || !own) return;
      const chance = (line) => (human ? 1 - line.chance : line.chance);
      const lost = chance(best) - chance(own);
      if (lost < GOOD) this.say('That was a good turn.');
      else this.say(`${lost < MISTAKE ? 'A little better was' : 'Much better was'} ${best.turn}: it keeps ${Math.round(100 * lost)} % more of your chances.`);
    } catch {
      // A game goes on without a comment.
    }
  }

  /** Plays a turn of either side. */
  async playTurn(turn) {
    const side = this.side;
    const turns = [...this.match.game.turns, turn];
    const { version } = this.entry;
    try {
      const game = { ...this.match.game, turns };
      await this.entry.open(game);
      if (this.entry.version !== version + 1) return;
      this.match.game = this.live.game;
    } catch (error) {
      this.say(sentence(error.message));
      return;
    }
    this.stopClock(side);
    this.save();
    this.board.setArrows([]);
    const isOwn = side === this.match.human;
    if (isOwn || !this.match.guided) this.say('');
    if (isOwn && this.match.guided && !/^[A-Za-z][a-h][1-8]( |$)|resigns/.test(turn)) this.comment(turns.length - 1);
    this.proceed();
  }

  /** Lets the engine think if it is its turn. */
  async proceed() {
    const { match } = this;
    this.entry.isLocked = !this.isMine;
    this.match.since = Date.now();
    if (this.live.ended || match.over || this.isMine || this.isEnded) return;
    this.drawPlayers(this.live);
    const params = { game: match.game, engine: match.engine, time: this.thinkingTime(), seed: match.seed + match.game.turns.length };
    const thinking = search('move', params, { priority: 5 });
    this.thinking = thinking;
    try {
      const { turn } = await thinking.answer;
      if (this.thinking !== thinking) return;
      this.thinking = null;
      if (this.viewed !== null) this.viewed = null;
      await this.playTurn(turn ?? 'resigns');
    } catch (error) {
      if (this.thinking !== thinking) return;
      this.thinking = null;
      this.say(`${error.message} Trying again …`);
      setTimeout(() => {
        if (!this.isEnded && !this.thinking && this.match === match) this.proceed();
      }, 1500);
    }
  }

  /** On a clock, an engine uses a part of what is left. */
  thinkingTime() {
    const { control, clocks, seconds } = this.match;
    if (!control) return seconds;
    const left = clocks[this.side];
    const increment = Number(control.split('+')[1]) || 0;
    return Math.max(0.05, Math.min(left - 0.5, left / 30 + increment * 0.7));
  }

  stopThinking() {
    this.thinking?.cancel();
    this.thinking = null;
  }

  // Clocks

  used() {
    return (Date.now() - this.match.since) / 1000;
  }

  stopClock(side) {
    const { match } = this;
    if (match.control) match.clocks[side] += Number(match.control.split('+')[1]) - this.used();
    else match.clocks[side] += this.used();
    match.since = Date.now();
  }

  tick() {
    if (!this.live || !this.match) return;
    const { match } = this;
    const isOver = this.live.ended || match.over;
    for (const face of this.main.querySelectorAll('.clock')) {
      const side = Number(face.dataset.side);
      const running = !isOver && side === this.side ? this.used() : 0;
      const shown = match.control ? match.clocks[side] - running : match.clocks[side] + running;
      const text = clock(shown, Boolean(match.control));
      if (face.textContent !== text) face.textContent = text;
      face.classList.toggle('running', !isOver && side === this.side);
      face.classList.toggle('low', Boolean(match.control) && shown < 20);
      if (match.control && shown <= 0 && !isOver) this.timeIsOver(side);
    }
  }

  timeIsOver(side) {
    this.stopThinking();
    this.match.clocks[side] = 0;
    const names = this.spec.sides.map(({ name }) => name);
    this.match.over = `${names[1 - side]} has won: ${names[side]}'s time is over`;
    this.save();
    this.entry.isLocked = true;
    this.look(null);
  }

  // Looking around

  /** Shows the position after so many turns; null is the game as it is. */
  async look(index) {
    const count = this.match.game.turns.length;
    this.viewed = index === null || index >= count ? null : Math.max(0, index);
    const turns = this.viewed === null ? this.match.game.turns : this.match.game.turns.slice(0, this.viewed);
    this.entry.isLocked = true;
    await this.entry.open({ ...this.match.game, turns });
    if (this.viewed === null) {
      this.entry.isLocked = !this.isMine;
      if (!this.isMine && !this.thinking) this.proceed();
    }
  }

  step(by) {
    const now = this.viewed ?? this.match.game.turns.length;
    return this.look(now + by >= this.match.game.turns.length ? null : Math.max(0, now + by));
  }

  flip() {
    this.board.flip();
    this.drawPlayers(this.live);
  }

  async cutTo(turns) {
    this.stopThinking();
    this.match.game = { ...this.match.game, turns };
    this.match.over = null;
    this.viewed = null;
    this.arrangement = null;
    this.entry = new Entry(this.board, { onchange: (state) => this.draw(state), onsay: (text) => this.say(text) });
    await this.entry.open(this.match.game, { animate: false });
    this.save();
    this.proceed();
  }

  playFrom() {
    return this.cutTo(this.match.game.turns.slice(0, this.viewed));
  }

  canTakeBack() {
    return this.match.game.turns.length > (this.match.human === 1 && this.live.labels[0]?.endsWith(this.spec.sides[0].letter) ? 1 : 0);
  }

  /** Takes turns back until it is the person's again. */
  takeBack() {
    const { turns } = this.match.game;
    const mine = this.spec.sides[this.match.human].letter;
    let keep = turns.length - 1;
    while (keep > 0 && !this.live.labels[keep].endsWith(mine)) keep -= 1;
    return this.cutTo(turns.slice(0, Math.max(0, keep)));
  }

  async resign() {
    const answer = await ask('Resign?', el('p', {}, 'The engine wins the game.'), [['', 'Go on'], ['yes', 'Resign', 'danger']]);
    if (answer === 'yes') await this.playTurn('resigns');
  }

  async askForGame() {
    const wishes = { ...USUAL, ...kept.get('play.wishes', {}) };
    const content = el('div', { class: 'form' });
    const fill = () => {
      const spec = this.all.get(wishes.name);
      const names = spec.engines.map(({ name }) => name);
      const others = names.filter((name) => !LEVELS.includes(name));
      const ordered = [...LEVELS.filter((name) => names.includes(name)), ...others];
      if (!names.includes(wishes.engine)) wishes.engine = 'beginner';
      if (!spec.openings.includes(wishes.opening)) [wishes.opening] = spec.openings;
      const openings = {
        empty: 'you set up', setups: 'common setups', random: 'random board', fixed: 'the fixed start', tournament: 'you place the pieces',
      };
      const about = el('p', { class: 'hint' }, spec.engines.find(({ name }) => name === wishes.engine).about);
      content.replaceChildren(
        select('Game', [...this.all.values()].map(({ name, title }) => [name, title]), wishes.name, (value) => {
          wishes.name = value;
          fill();
        }),
        select('Opponent', ordered.map((name) => [name, title(name)]), wishes.engine, (value) => {
          wishes.engine = value;
          fill();
        }),
        about,
        select('You play', spec.sides.map(({ name }, index) => [String(index), name]), String(wishes.human), (value) => { wishes.human = Number(value); }),
        select('Start', spec.openings.map((name) => [name, openings[name] ?? name]), wishes.opening, (value) => { wishes.opening = value; }),
        select('Thinks for', [['0.3', '0.3 s'], ['1', '1 s'], ['3', '3 s'], ['10', '10 s'], ['30', '30 s']], String(wishes.seconds), (value) => { wishes.seconds = Number(value); }),
        select('Clock', CONTROLS, wishes.control, (value) => { wishes.control = value; }),
        select('Guide', [['', 'none'], ['1', 'comments on your turns']], wishes.guided ? '1' : '', (value) => { wishes.guided = Boolean(value); }));
    };
    fill();
    if ((await ask('New game', content, [['', 'Cancel'], ['play', 'Play', 'primary']])) === 'play') await this.start(wishes);
  }

  analyse() {
    kept.set('analyse', this.match.game);
    location.hash = '#/analyse';
  }

  /** A key that was pressed anywhere in the view. */
  key(event) {
    const isTyping = event.target.matches?.('input, textarea, select, button, a');
    if (event.key === 'Enter' && !isTyping) {
      event.preventDefault();
      this.finish();
    } else if (event.key === 'Backspace' && !isTyping) {
      event.preventDefault();
      this.entry.undo();
    } else if (event.key === 'Escape') {
      this.entry.choices = null;
      if (this.board.selected) this.board.setTargets(null);
      else this.entry.reset();
    } else if (!isTyping && event.key === 'f') this.flip();
    else if (!isTyping && (event.key === 'ArrowLeft' || event.key === ',')) this.step(-1);
    else if (!isTyping && (event.key === 'ArrowRight' || event.key === '.')) this.step(1);
  }
}
