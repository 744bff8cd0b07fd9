// An editor of positions: pieces are chosen and put on the board; whether that is a position, the server says.

import { ask } from './api.js';
import { Board, looks } from './board.js';
import { button, el, select } from './dom.js';
import { sentence } from './entry.js';
import { small } from './parts.js';

const KINDS = { arimaa: 'emhdcr', tzaar: 'zat' };

/** What stands in a cell of Tzaar's array that is no field. */
const OUTSIDE = 100;

/** The position in one line, as the server reads it. */
export function positionText(name, pieces, side) {
  const { cells } = looks[name];
  if (name === 'arimaa') return `${'gs'[side]} [${cells.map((cell) => pieces[cell.name] ?? ' ').join('')}]`;
  const values = { t: 1, a: 2, z: 3 };
  const numbers = (valueOf, outside) => looks.tzaar.array.map((place) => (place ? valueOf(pieces[place]) : outside)).join(' ');
  const value = (piece) => (piece ? values[piece[0].toLowerCase()] * (looks.tzaar.sideOf(piece) ? -1 : 1) : 0);
  const height = (piece) => (piece ? Number(piece.slice(1)) || 1 : 0);
  return `${side ? -1 : 1} ${numbers(value, OUTSIDE)} ${numbers(height, 0)}`;
}

/** Shows the editor, and resolves with the start that was made, or null. */
export function edit(main, name, state, spec) {
  const look = looks[name];
  let pieces = { ...state.pieces };
  let side = spec.sides.findIndex(({ letter }) => letter === state.side);
  let brush = null;
  const message = el('p', { class: 'message', role: 'status', 'aria-live': 'polite' });
  const board = new Board(name, { label: 'The board to be edited' });
  const show = () => board.show(pieces, { animate: false });
  const put = (cell) => {
    if (brush === null) delete pieces[cell];
    else if (name === 'tzaar' && pieces[cell]?.[0] === brush) pieces[cell] = `${brush}${(Number(pieces[cell].slice(1)) || 1) + 1}`;
    else pieces[cell] = brush;
    show();
  };
  board.onpick = (cell, isDragged) => { if (!isDragged) put(cell); };
  board.onmove = (from, to) => {
    pieces[to] = pieces[from];
    delete pieces[from];
    show();
  };
  board.oncell = null;
  const palette = el('div', { class: 'palette', role: 'group', 'aria-label': 'Pieces' });
  const brushes = () => {
    const all = [...KINDS[name].toUpperCase(), ...KINDS[name]];
    palette.replaceChildren(...all.map((piece) => button(small(name, [piece]), () => {
      brush = piece;
      brushes();
    }, { class: 'toggle', 'aria-pressed': String(brush === piece), 'aria-label': look.nameOf(piece) })),
    button('✕', () => {
      brush = null;
      brushes();
    }, { class: 'toggle', 'aria-pressed': String(brush === null), 'aria-label': 'Take away' }));
  };
  brushes();
  show();
  return new Promise((resolve) => {
    const finish = async () => {
      const start = positionText(name, pieces, side);
      try {
        await ask('position', { game: { name, start, turns: [] } });
        resolve(start);
      } catch (error) {
        message.textContent = sentence(error.message);
      }
    };
    main.replaceChildren(
      el('h1', { class: 'hidden' }, 'Edit a position'),
      el('div', { class: 'stage' },
        el('section', { class: 'board-box', 'aria-label': 'Board' }, board.element),
        el('section', { class: 'panel', 'aria-label': 'Editor' },
          el('p', { class: 'hint' }, name === 'tzaar' ? 'Choose a piece and click fields; a click on the same piece makes it higher. Drag to move.' : 'Choose a piece and click squares. Drag to move.'),
          palette,
          el('div', { class: 'row' }, select('To move', spec.sides.map((each, index) => [String(index), each.name]), String(side), (value) => { side = Number(value); })),
          el('div', { class: 'row' }, button('Empty', () => { pieces = {}; show(); })),
          message,
          el('div', { class: 'row' }, button('Cancel', () => resolve(null)), button('Done', finish, { class: 'primary wide' })))));
  });
}
