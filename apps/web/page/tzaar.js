// Tzaar's board and pieces.

import { svg } from './dom.js';

const COLUMNS = 'ABCDEFGHI';
const WIDE = Math.sqrt(3) / 2;

export const name = 'tzaar';
export const size = { width: 8 * WIDE + 2, height: 10.4 };
/** Around which the board is turned. */
export const centre = { x: size.width / 2, y: size.height / 2 };

/** The name of the field in a row and column of the sloped array; see the rules' own Field. */
function fieldName(row, column) {
  const above = Math.max(0, column - 4) + (column === 4 && row > 4 ? 1 : 0);
  return COLUMNS[column] + (row + 1 - above);
}

function isField(row, column) {
  return row >= 0 && row < 9 && column >= 0 && column < 9 && Math.abs(row - column) <= 4 && !(row === 4 && column === 4);
}

const place = (row, column) => ({ x: 1 + column * WIDE, y: 1.2 + row + 2 - column / 2 });

const fields = [...Array(81).keys()]
  .map((index) => [Math.floor(index / 9), index % 9])
  .filter(([row, column]) => isField(row, column));

export const cells = fields.map(([row, column]) => ({ name: fieldName(row, column), ...place(row, column), width: 0.92 }));

/** The names of the fields by the cells of the sloped array, null where there is none. */
export const array = [...Array(81).keys()].map((index) => {
  const [row, column] = [Math.floor(index / 9), index % 9];
  return isField(row, column) ? fieldName(row, column) : null;
});

const NAMES = { t: 'tott', a: 'tzarra', z: 'tzaar' };

/** Whose a stack is: 0 for White, 1 for Black. */
export function sideOf(piece) {
  return piece[0] === piece[0].toUpperCase() ? 0 : 1;
}

const kindOf = (piece) => piece[0].toLowerCase();
const heightOf = (piece) => Number(piece.slice(1)) || 1;

/** A stack in words. */
export function nameOf(piece) {
  const height = heightOf(piece);
  const words = `${sideOf(piece) ? 'black' : 'white'} ${NAMES[kindOf(piece)]}`;
  return height > 1 ? `${words}, ${height} high` : words;
}

export function drawBoard() {
  const lines = [];
  for (const [row, column] of fields) {
    for (const [down, right] of [[0, 1], [1, 0], [1, 1]]) {
      if (!isField(row + down, column + right)) continue;
      const [from, to] = [place(row, column), place(row + down, column + right)];
      lines.push(`M${from.x} ${from.y}L${to.x} ${to.y}`);
    }
  }
  const corners = [[0, 0], [0, 4], [4, 8], [8, 8], [8, 4], [4, 0]].map(([row, column]) => {
    const { x, y } = place(row, column);
    const middle = place(4, 4);
    return `${middle.x + (x - middle.x) * 1.27} ${middle.y + (y - middle.y) * 1.27}`;
  });
  return [
    svg('path', { class: 'ground', d: `M${corners.join('L')}Z` }),
    svg('path', { class: 'lines', d: lines.join('') }),
    ...cells.map(({ x, y }) => svg('circle', { class: 'point', cx: x, cy: y, r: 0.07 })),
  ];
}

export function drawEdges(isFlipped) {
  const turn = ({ x, y }) => (isFlipped ? { x: size.width - x, y: size.height - y } : { x, y });
  const texts = [];
  for (let column = 0; column < 9; column += 1) {
    const rows = fields.filter((field) => field[1] === column).map((field) => field[0]);
    for (const [row, by] of [[Math.min(...rows), -0.64], [Math.max(...rows), 0.64]]) {
      const at = place(row, column);
      const { x, y } = turn({ x: at.x, y: at.y + by });
      texts.push(svg('text', { x, y: y + 0.09, class: 'edge' }, fieldName(row, column)));
    }
  }
  return texts;
}

const CROWN = 'M-.17 .12L-.2-.13L-.09-.03L0-.19L.09-.03L.2-.13L.17 .12Z';

export function drawPiece(piece) {
  const kind = kindOf(piece);
  const height = heightOf(piece);
  const group = svg('g', { class: `piece ${sideOf(piece) ? 'black' : 'white'}` });
  const layers = Math.min(height, 5);
  for (let layer = layers - 1; layer >= 0; layer -= 1) {
    group.append(svg('circle', { r: 0.39, cy: layer * 0.055 - (layers - 1) * 0.028, class: layer ? 'rim under' : 'rim' }));
  }
  const top = svg('g', { transform: `translate(0 ${-(layers - 1) * 0.028})` }, svg('circle', { r: 0.355, class: 'disc' }));
  if (kind === 'a') top.append(svg('circle', { r: 0.2, class: 'ring' }), svg('circle', { r: 0.08, class: 'dot' }));
  if (kind === 'z') top.append(svg('circle', { r: 0.28, class: 'ring' }), svg('path', { d: CROWN, class: 'dot crown' }));
  if (height > 1) {
    top.append(svg('circle', { cx: 0.27, cy: -0.27, r: 0.17, class: 'badge' }),
      svg('text', { x: 0.27, y: -0.19, class: 'badge-text' }, String(height)));
  }
  group.append(top);
  return group;
}

const ARMY = { z: 6, a: 9, t: 15 };

/** How many stacks of each type a side shows: who has none of one has lost. */
export function shown(pieces) {
  return [0, 1].map((side) => {
    const counts = { z: 0, a: 0, t: 0 };
    for (const piece of Object.values(pieces)) {
      if (sideOf(piece) === side) counts[kindOf(piece)] += 1;
    }
    return counts;
  });
}

/** The pieces that a side has still to place. */
export function inHand(pieces, side) {
  const counts = shown(pieces)[side];
  return Object.entries(ARMY).map(([kind, all]) => [kind, all - counts[kind]]);
}

export function pathSteps() {
  return null;
}

export function stepsLeft(count) {
  return count === 1 ? '1 move left' : `${count} moves left`;
}

export const turnSteps = 2;
