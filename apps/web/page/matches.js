// Matches and tournaments from the store: how they stand, live, and their games to be replayed.

import { ask, games } from './api.js';
import { Board } from './board.js';
import { button, el, kept, svg } from './dom.js';
import { sentence } from './entry.js';

/** How often an event that is under way is asked for, in milliseconds. */
const BEAT = 2000;

export async function show(main, rest) {
  const view = new Matches(main, await games());
  await view.begin(Number(rest) || null);
  return view;
}

class Matches {
  constructor(main, all) {
    this.main = main;
    this.all = all;
    this.list = el('div', { class: 'event-list' });
    this.detail = el('section', { class: 'panel', 'aria-label': 'Event' });
    this.replay = el('section', { class: 'replay', 'aria-label': 'Game' });
    this.main.replaceChildren(el('h1', {}, 'Matches and tournaments'), el('div', { class: 'arena' }, this.list, this.detail, this.replay));
  }

  end() {
    clearTimeout(this.timer);
    this.isEnded = true;
  }

  async begin(id) {
    const { events } = await ask('events');
    if (!events.length) {
      this.detail.replaceChildren(el('p', {}, 'There are no games in the store yet. '), el('p', { class: 'hint' }, 'For example: tusk match beginner random --games 20 --time 100ms'));
      this.list.hidden = true;
      this.timer = setTimeout(() => { if (!this.isEnded) this.begin(id); }, BEAT);
      return;
    }
    this.list.hidden = false;
    this.list.replaceChildren(...events.map((event) => el('a', { href: `#/matches/${event.id}`, 'data-id': event.id, class: 'event' },
      el('b', {}, event.name), el('small', {}, this.line(event)))));
    await this.open(events.some((event) => event.id === id) ? id : events[0].id);
  }

  /** How far an event is. */
  line(event) {
    return `${this.all.get(event.game)?.title ?? event.game}, ${event.finished} of ${event.scheduled} games${event.open ? ', open' : ''}`;
  }

  async open(id) {
    clearTimeout(this.timer);
    const link = this.list.querySelector(`[data-id="${id}"]`);
    link?.setAttribute('aria-current', 'true');
    let event;
    try {
      event = await ask('event', { id });
    } catch (error) {
      this.detail.replaceChildren(el('p', { role: 'alert' }, sentence(error.message)));
      return;
    }
    if (this.isEnded) return;
    this.event = event;
    link?.querySelector('small').replaceChildren(this.line(event));
    this.draw();
    if (event.open || event.finished < event.scheduled) {
      this.timer = setTimeout(() => { if (!this.isEnded) this.open(id); }, BEAT);
    }
  }

  draw() {
    const { event } = this;
    const parts = [el('div', {}, el('h2', {}, event.name),
      el('p', { class: 'hint', role: 'status' }, `${event.finished} of ${event.scheduled} games${event.open ? ', open' : ', closed'}`))];
    if (event.match) parts.push(this.match(event.match));
    if (event.ratings.length > 0) parts.push(this.ratings());
    if (event.contestants.length > 2) parts.push(this.table());
    parts.push(this.games());
    this.detail.replaceChildren(...parts);
  }

  match(match) {
    const [first, second] = this.event.contestants;
    const elo = match.elo === null ? 'out of reach' : `${signed(match.elo)}${match.elo_error === null ? '' : ` ± ${match.elo_error.toFixed(0)}`}`;
    const parts = [el('p', { class: 'result' }, `${first} – ${second}: +${match.wins} −${match.losses} =${match.unfinished}`),
      el('p', {}, `Elo ${elo}${match.los === null ? '' : `, likelihood of superiority ${(100 * match.los).toFixed(1)} %`}`)];
    if (match.curve.length > 1) parts.push(curve(match.curve, first));
    if (match.sprt) parts.push(gauge(match.sprt, this.event.contestants));
    return el('div', {}, parts);
  }

  ratings() {
    const rows = this.event.ratings.map((row) => el('tr', {}, el('th', { scope: 'row' }, row.name), el('td', {}, signed(row.rating)),
      el('td', {}, row.error === null ? '–' : row.error.toFixed(0)), el('td', {}, String(row.games)), el('td', {}, String(row.points))));
    return el('div', {}, el('table', { class: 'numbers-table' }, el('caption', { class: 'hidden' }, 'Ratings'),
      el('thead', {}, el('tr', {}, ['engine', 'rating', '±', 'games', 'points'].map((name) => el('th', { scope: 'col' }, name)))), el('tbody', {}, rows)));
  }

  table() {
    const { table } = this.event;
    const head = el('tr', {}, el('th', { scope: 'col' }, ''), table.map((_, index) => el('th', { scope: 'col' }, String(index + 1))));
    const rows = table.map((row, index) => el('tr', {}, el('th', { scope: 'row' }, `${index + 1} ${row.name}`),
      row.cells.map((cell) => el('td', {}, cell.games ? `${cell.points}/${cell.games}` : '–'))));
    return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Crosstable' }, el('table', { class: 'numbers-table' }, el('caption', { class: 'hidden' }, 'Crosstable'), el('thead', {}, head), el('tbody', {}, rows)));
  }

  games() {
    const items = this.event.games.map((game) => {
      const result = game.winner === null ? 'unfinished' : `${[game.first, game.second][game.winner]} wins`;
      return el('li', {}, button([el('b', {}, String(game.number)), ` ${game.first} – ${game.second}: ${result}, ${game.reason}, ${game.turns} turns`],
        () => this.play(game.number), { class: 'turn' }));
    });
    return el('div', { class: 'turn-box' }, el('ol', { class: 'turns', 'aria-label': 'Games' }, items));
  }

  /** Shows a game, to be replayed turn by turn. */
  async play(number) {
    const told = await ask('event_game', { id: this.event.id, number });
    const { game } = told;
    const board = new Board(game.name, { label: 'The board of the game' });
    const line = el('p', { class: 'hint', role: 'status', 'aria-live': 'polite' });
    let at = 0;
    this.go = async (to) => {
      at = Math.max(0, Math.min(game.turns.length, to));
      const state = await ask('position', { game: { ...game, turns: game.turns.slice(0, at) } });
      board.show(state.pieces, { moves: state.last.flatMap((step) => step.moves), frozen: state.frozen });
      board.setTrail(state.last);
      line.textContent = at ? `${state.labels[at - 1]} ${game.turns[at - 1]}${state.ended ? `. ${state.ended.sentence}.` : ''}` : 'The start';
    };
    this.back = () => this.go(at - 1);
    this.on = () => this.go(at + 1);
    this.replay.replaceChildren(el('h2', {}, `Game ${told.number}: ${told.first} – ${told.second}`), board.element,
      el('div', { class: 'row small-buttons' },
        button('«', () => this.go(0), { 'aria-label': 'First position' }), button('‹', this.back, { 'aria-label': 'One turn back' }),
        button('›', this.on, { 'aria-label': 'One turn on' }), button('»', () => this.go(game.turns.length), { 'aria-label': 'Last position' }),
        button('Analyse', () => {
          kept.set('analyse', game);
          location.hash = '#/analyse';
        })), line);
    await this.go(game.turns.length);
    this.replay.scrollIntoView({ block: 'nearest' });
  }

  key(event) {
    if (event.target.matches?.('input, select')) return;
    if (event.key === 'ArrowLeft') this.back?.();
    else if (event.key === 'ArrowRight') this.on?.();
  }
}

const signed = (value) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(0)}`;

/** The estimate of the strength as games went on, with its error band. */
function curve(points, name) {
  const [width, height] = [100, 34];
  const values = points.flatMap(({ elo, error }) => [elo - error, elo + error]);
  // The first games say little: their errors would hide the rest.
  const last = points.at(-1);
  const reach = Math.max(60, Math.min(600, Math.max(...values.map(Math.abs))), Math.abs(last.elo) + last.error);
  const x = ({ games: count }) => (width * count) / last.games;
  const y = (elo) => height / 2 - (Math.max(-reach, Math.min(reach, elo)) / reach) * (height / 2 - 1);
  const line = (value) => points.map((point) => `${x(point).toFixed(2)},${y(value(point)).toFixed(2)}`);
  const band = [...line(({ elo, error }) => elo + error), ...line(({ elo, error }) => elo - error).reverse()].join(' ');
  return svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'chances', role: 'img', 'aria-label': `Elo of ${name}: ${signed(last.elo)} plus or minus ${last.error.toFixed(0)} after ${last.games} games` },
    svg('polygon', { points: band, class: 'area' }), svg('line', { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: 'middle' }),
    svg('polyline', { points: line(({ elo }) => elo).join(' '), class: 'curve' }));
}

/** How far a sequential test is. */
function gauge(test, [first, second]) {
  const share = (test.llr - test.lower) / (test.upper - test.lower);
  const at = 100 * Math.max(0, Math.min(1, share));
  return el('div', {}, svg('svg', { viewBox: '0 0 100 6', preserveAspectRatio: 'none', class: 'gauge', role: 'img', 'aria-label': `The test: ${test.llr.toFixed(2)} between ${test.lower.toFixed(2)} and ${test.upper.toFixed(2)}` },
    svg('rect', { width: 100, height: 6, rx: 3, class: 'gauge-ground' }), svg('rect', { width: at, height: 6, rx: 3, class: 'gauge-share' }),
    svg('line', { x1: (-100 * test.lower) / (test.upper - test.lower), x2: (-100 * test.lower) / (test.upper - test.lower), y1: 0, y2: 6, class: 'middle' })),
  el('p', { class: 'hint' }, `SPRT ${test.elo0} to ${test.elo1} Elo: ${test.sentence.replace(/\bA\b/g, first).replace(/\bB\b/g, second)}`));
}
