// Arimaa's board and pieces.

import { svg } from './dom.js';

const FILES = 'abcdefgh';

export const name = 'arimaa';
export const size = { width: 8.5, height: 8.5 };
/** Around which the board is turned. */
export const centre = { x: 4.25, y: 4 };
const TRAPS = ['c3', 'f3', 'c6', 'f6'];

/** The squares: their names and where their middles are. */
export const cells = [...'87654321'].flatMap((rank, row) =>
  [...FILES].map((file, column) => ({ name: file + rank, x: column + 0.75, y: row + 0.5, width: 1 })));

const NAMES = { r: 'rabbit', c: 'cat', d: 'dog', h: 'horse', m: 'camel', e: 'elephant' };
const ARMY = 'emhhddccrrrrrrrr';

/** Whose a piece is: 0 for Gold, 1 for Silver. */
export function sideOf(piece) {
  return piece === piece.toUpperCase() ? 0 : 1;
}

/** A piece in words. */
export function nameOf(piece) {
  return `${sideOf(piece) ? 'silver' : 'gold'} ${NAMES[piece.toLowerCase()]}`;
}

/** The squares below the pieces. */
export function drawBoard() {
  const squares = cells.map(({ name, x, y }, index) => {
    const isTrap = TRAPS.includes(name);
    const shade = (index + Math.floor(index / 8)) % 2 ? 'dark' : 'light';
    return svg('rect', { x: x - 0.5, y: y - 0.5, width: 1, height: 1, class: `square ${isTrap ? 'trap' : shade}` });
  });
  const marks = TRAPS.map((trap) => {
    const { x, y } = cells.find((cell) => cell.name === trap);
    return svg('path', { class: 'trap-mark', d: `M${x - 0.3} ${y - 0.3}l.6 .6M${x + 0.3} ${y - 0.3}l-.6 .6` });
  });
  return [...squares, ...marks];
}

/** The names at the edges. */
export function drawEdges(isFlipped) {
  const at = (index) => (isFlipped ? 7 - index : index);
  const ranks = [...'87654321'].map((rank, index) =>
    svg('text', { x: 0.12, y: at(index) + 0.56, class: 'edge' }, rank));
  const files = [...FILES].map((file, index) =>
    svg('text', { x: at(index) + 0.75, y: 8.32, class: 'edge' }, file));
  return [...ranks, ...files];
}

// Heads in a square of 100 around the middle.
const SHAPES = {
  r: '<path d="M-9-4c-9-10-14-26-9-34 3-5 8-3 11 4 3 8 5 17 5 25h4c0-8 2-17 5-25 3-7 8-9 11-4 5 8 0 24-9 34 8 4 13 11 13 19 0 14-10 22-22 22s-22-8-22-22c0-8 5-15 13-19z"/><g class="eye"><circle cx="-8" cy="14" r="3"/><circle cx="8" cy="14" r="3"/><path d="M-4 22h8l-4 5z"/></g>',
  c: '<path d="M-26-30c8 2 13 6 17 10 6-1 12-1 18 0 4-4 9-8 17-10 3 12 3 20 1 26 3 5 4 10 4 15 0 14-14 25-31 25s-31-11-31-25c0-5 1-10 4-15-2-6-2-14 1-26z"/><g class="eye"><ellipse cx="-11" cy="6" rx="4" ry="5"/><ellipse cx="11" cy="6" rx="4" ry="5"/><path d="M-4 17h8l-4 4z"/></g><path class="line" d="M-14 20l-20-3M-14 24l-19 4M14 20l20-3M14 24l19 4"/>',
  d: '<path d="M-18-27c6-4 12-5 18-5s12 1 18 5c10-2 17 4 19 14 2 11-1 22-8 28-3-3-6-7-7-12-1 17-5 33-22 35-17-2-21-18-22-35-1 5-4 9-7 12-7-6-10-17-8-28 2-10 9-16 19-14z"/><g class="eye"><circle cx="-9" cy="-6" r="3.5"/><circle cx="9" cy="-6" r="3.5"/><path d="M-7 12c0-4 14-4 14 0 0 5-5 8-7 8s-7-3-7-8z"/></g>',
  h: '<path d="M-6-36l4 9c20 1 33 17 35 40 1 9 0 18-2 25h-46c0-14 4-22 12-29-6 2-12 2-16 6-4 5-11 6-15 1-3-3-3-7 0-11 8-10 11-17 14-22 3-6 6-9 9-11-1-3 1-6 5-8z"/><g class="eye"><circle cx="-5" cy="-13" r="3.5"/></g><path class="line" d="M8-22c12 6 18 20 18 36"/>',
  m: '<path d="M-35-22c-3-6 1-12 8-12 8-1 15 2 18 8 3 7 1 16 1 23 0 5 3 6 5 1 5-14 10-24 17-24 9 0 13 14 19 28 4 9 6 18 5 36h-9l-4-19c-6 5-19 6-26 3l-2 16h-9c-1-18-3-24-9-30-8-7-6-16-5-23-5 1-8-1-9-7z"/><g class="eye"><circle cx="-21" cy="-25" r="3"/></g>',
  e: '<path d="M-13-30c8-6 18-6 26 0 13-6 26 0 29 12 3 14-4 30-17 32-5 1-9 0-12-2 0 8 1 14 5 17 3 2 6 1 7-2h9c0 9-8 14-16 12-12-3-14-14-14-25h-8c0 5-1 9-3 13h-8c1-5 2-9 2-15-3 2-7 3-12 2-13-2-20-18-17-32 3-12 16-18 29-12z"/><g class="eye"><circle cx="-9" cy="-10" r="3.5"/><circle cx="9" cy="-10" r="3.5"/></g><path class="line" d="M-19-22c4 9 4 22-2 32M19-22c-4 9-4 22 2 32"/>',
};
const RADIUS = { r: 0.37, c: 0.385, d: 0.395, h: 0.405, m: 0.42, e: 0.44 };

/** The picture of a piece around the origin. */
export function drawPiece(piece) {
  const kind = piece.toLowerCase();
  const radius = RADIUS[kind];
  const group = svg('g', { class: `piece ${sideOf(piece) ? 'silver' : 'gold'}` },
    svg('circle', { r: radius, class: 'rim' }), svg('circle', { r: radius - 0.045, class: 'disc' }));
  const shape = svg('g', { class: 'shape', transform: `scale(${radius * 0.0178})` });
  shape.innerHTML = SHAPES[kind];
  group.append(shape);
  return group;
}

/** What each side has lost. */
export function captured(pieces) {
  return [0, 1].map((side) => {
    const left = [...Object.values(pieces)].filter((piece) => sideOf(piece) === side).map((piece) => piece.toLowerCase());
    const lost = [...ARMY].filter((kind) => {
      const at = left.indexOf(kind);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
    return lost.map((kind) => (side ? kind : kind.toUpperCase()));
  });
}

/** The steps that lead a piece along a path of neighbours; null if it is none. */
export function pathSteps(piece, path) {
  const steps = [];
  for (let index = 1; index < path.length; index += 1) {
    const [from, to] = [path[index - 1], path[index]];
    const [across, up] = [to.charCodeAt(0) - from.charCodeAt(0), to.charCodeAt(1) - from.charCodeAt(1)];
    const letter = { '1,0': 'e', '-1,0': 'w', '0,1': 'n', '0,-1': 's' }[`${across},${up}`];
    if (!letter) return null;
    steps.push(piece + from + letter);
  }
  return steps;
}

/** What the page says about how much of the turn is left. */
export function stepsLeft(count) {
  return count === 1 ? '1 step left' : `${count} steps left`;
}

export const turnSteps = 4;
