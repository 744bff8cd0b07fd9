// A board: it draws a position, and tells what a person does on it by pointer and keyboard.

import { kept, svg } from './dom.js';
import * as arimaa from './arimaa.js';
import * as tzaar from './tzaar.js';

export const looks = { arimaa, tzaar };

/** A finger or mouse that has moved less has clicked. */
const STILL = 6;

/** The colours of pieces, each a gradient. */
const COLOURS = ['gold', 'silver', 'white', 'black'];

let boards = 0;

/**
 * Draws positions of a game. `onmove(from, to, path)` is called when a piece is brought from one place to another by a
 * drag or two clicks, `onpick(cell)` when one is selected, `oncell(cell)` for each place that is clicked; it returns
 * true if that was all that was meant.
 */
export class Board {
  constructor(game, { onmove = null, onpick = null, oncell = null, label = 'The board' } = {}) {
    this.look = looks[game];
    this.onmove = onmove;
    this.onpick = onpick;
    this.oncell = oncell;
    this.isFlipped = false;
    this.pieces = {};
    this.elements = new Map();
    this.selected = null;
    this.targets = new Map();
    this.frozen = new Set();
    this.id = `board${(boards += 1)}`;
    this.cells = new Map(this.look.cells.map((cell) => [cell.name, cell]));
    const { width, height } = this.look.size;
    this.edges = svg('g', { class: 'edges', 'aria-hidden': 'true' });
    this.ground = svg('g', { 'aria-hidden': 'true' }, this.look.drawBoard());
    this.trailLayer = svg('g', { class: 'trails', 'aria-hidden': 'true' });
    this.markLayer = svg('g', { 'aria-hidden': 'true' });
    this.selectLayer = svg('g', { 'aria-hidden': 'true' });
    this.pieceLayer = svg('g', { 'aria-hidden': 'true' });
    this.targetLayer = svg('g', { 'aria-hidden': 'true' });
    this.noteLayer = svg('g', { 'aria-hidden': 'true' });
    this.notes = new Map();
    this.arrowLayer = svg('g', { class: 'arrows', 'aria-hidden': 'true' });
    this.hitLayer = svg('g');
    this.turned = svg('g', {}, this.ground, this.trailLayer, this.markLayer, this.selectLayer, this.pieceLayer, this.targetLayer,
      this.noteLayer, this.arrowLayer, this.hitLayer);
    this.element = svg('svg', {
      viewBox: `0 0 ${width} ${height}`, class: `board ${game}`, role: 'group', 'aria-label': label,
    }, this.defs(), this.turned, this.edges);
    this.drawHits();
    this.drawEdges();
    this.listen();
  }

  defs() {
    const gradient = (name) => svg('radialGradient', { id: `${this.id}-${name}`, cx: '35%', cy: '30%', r: '80%' },
      svg('stop', { offset: '0%', class: `${name}-light` }), svg('stop', { offset: '100%', class: `${name}-dark` }));
    const head = (name) => svg('marker', {
      id: `${this.id}-${name}`, viewBox: '0 0 10 10', refX: 6, refY: 5, markerWidth: 2.3, markerHeight: 2.3, orient: 'auto',
    }, svg('path', { d: 'M0 0L10 5L0 10z', class: `head ${name}` }));
    return svg('defs', {}, COLOURS.map(gradient), ['best', 'other', 'threat'].map(head));
  }

  drawHits() {
    for (const cell of this.look.cells) {
      const half = cell.width / 2;
      const shape = this.look.name === 'tzaar'
        ? svg('circle', { cx: cell.x, cy: cell.y, r: half, class: 'hit' })
        : svg('rect', { x: cell.x - half, y: cell.y - half, width: cell.width, height: cell.width, class: 'hit' });
      shape.setAttribute('role', 'button');
      shape.setAttribute('tabindex', '-1');
      shape.dataset.cell = cell.name;
      this.hitLayer.append(shape);
      this.elements.set(`hit ${cell.name}`, shape);
    }
    this.hit(this.look.cells[0].name).setAttribute('tabindex', '0');
    this.label();
  }

  hit(name) {
    return this.elements.get(`hit ${name}`);
  }

  label() {
    for (const cell of this.look.cells) {
      const words = [cell.name];
      const piece = this.pieces[cell.name];
      if (piece) words.push(this.look.nameOf(piece));
      if (this.frozen.has(cell.name)) words.push('frozen');
      if (cell.name === this.selected) words.push('selected');
      const target = this.targets.get(cell.name);
      if (target) words.push(target > 1 ? `can be reached in ${target} steps` : 'can be reached');
      this.hit(cell.name).setAttribute('aria-label', words.join(', '));
    }
  }

  drawEdges() {
    this.edges.replaceChildren(...this.look.drawEdges(this.isFlipped));
    const { x, y } = this.look.centre;
    this.turned.setAttribute('transform', this.isFlipped ? `rotate(180 ${x} ${y})` : '');
    for (const [name, element] of this.elements) {
      if (!name.startsWith('hit ')) this.place(element, name);
    }
  }

  flip(isFlipped = !this.isFlipped) {
    this.isFlipped = isFlipped;
    this.drawEdges();
    this.drawTargets();
    this.setNotes(this.notes);
  }

  /** Puts an element where a place is; pieces stand upright on a turned board too. */
  place(element, name) {
    const { x, y } = this.cells.get(name);
    element.style.transform = `translate(${x}px, ${y}px)${this.isFlipped ? ' rotate(180deg)' : ''}`;
  }

  /** Shows these pieces; `moves` tells which of the old ones are the new ones elsewhere. */
  show(pieces, { moves = [], frozen = [], animate = true } = {}) {
    const isMoving = animate && kept.get('motion', true);
    this.pieceLayer.classList.toggle('moving', isMoving);
    for (const [from, to] of moves) {
      const element = from && this.elements.get(from);
      if (!element) continue;
      this.remove(to);
      this.elements.delete(from);
      this.elements.set(to, element);
      this.pieceLayer.append(element);
      this.place(element, to);
    }
    for (const name of [...this.elements.keys()]) {
      if (!name.startsWith('hit ') && this.elements.get(name).dataset.piece !== pieces[name]) this.remove(name);
    }
    for (const [name, piece] of Object.entries(pieces)) {
      if (!this.elements.has(name)) this.add(name, piece);
    }
    this.pieces = { ...pieces };
    this.frozen = new Set(frozen);
    for (const name of Object.keys(pieces)) {
      this.elements.get(name).classList.toggle('frozen', this.frozen.has(name));
    }
    this.label();
  }

  add(name, piece) {
    const element = this.look.drawPiece(piece);
    for (const disc of element.querySelectorAll('.disc')) {
      const colour = COLOURS.find((colour) => element.classList.contains(colour));
      disc.style.fill = `url(#${this.id}-${colour})`;
    }
    element.dataset.piece = piece;
    this.elements.set(name, element);
    this.pieceLayer.append(element);
    this.place(element, name);
  }

  remove(name) {
    this.elements.get(name)?.remove();
    this.elements.delete(name);
  }

  /** Marks where the selected piece can go: a map from place to cost. */
  setTargets(selected, targets = new Map()) {
    this.selected = selected;
    this.targets = targets;
    this.drawTargets();
    this.label();
  }

  drawTargets() {
    const marks = [];
    this.selectLayer.replaceChildren(...(this.selected ? [this.ring(this.selected, 'selected')] : []));
    for (const [name, cost] of this.targets) {
      const { x, y } = this.cells.get(name);
      if (this.pieces[name]) marks.push(this.ring(name, 'target-ring'));
      else marks.push(svg('circle', { cx: x, cy: y, r: 0.16, class: 'target' }));
      if (cost > 1) {
        const turn = this.isFlipped ? `rotate(180 ${x} ${y})` : '';
        marks.push(svg('text', { x, y: y + 0.09, class: 'cost', transform: turn }, String(cost)));
      }
    }
    this.targetLayer.replaceChildren(...marks);
  }

  ring(name, kind) {
    const { x, y, width } = this.cells.get(name);
    return this.look.name === 'tzaar'
      ? svg('circle', { cx: x, cy: y, r: width / 2 - 0.02, class: kind })
      : svg('rect', { x: x - 0.48, y: y - 0.48, width: 0.96, height: 0.96, rx: 0.08, class: kind });
  }

  /** Draws how pieces went: steps with their kind and moves. */
  setTrail(steps, kind = 'last') {
    const lines = [];
    for (const step of steps) {
      step.moves.forEach(([from, to], index) => {
        const isVictim = (step.kind === 'push' && index === 0) || (step.kind === 'pull' && index === 1);
        const way = isVictim ? step.kind : step.kind === 'push' || step.kind === 'pull' ? 'step' : step.kind;
        lines.push(...this.way(from, to, `trail ${kind} ${way}`));
      });
    }
    this.trailLayer.replaceChildren(...lines);
  }

  way(from, to, kind) {
    const end = this.cells.get(to);
    if (!end) return [];
    const shade = [from, to].filter(Boolean).map((name) => this.ring(name, `${kind} shade`));
    const start = from && this.cells.get(from);
    return start ? [...shade, svg('line', { x1: start.x, y1: start.y, x2: end.x, y2: end.y, class: `${kind} way` })] : shade;
  }

  /** Writes small texts at the corners of places: a map from place to text and the name of a style. */
  setNotes(notes) {
    this.notes = notes;
    this.noteLayer.replaceChildren(...[...notes].flatMap(([name, { text, kind }]) => {
      const cell = this.cells.get(name);
      const side = this.isFlipped ? -1 : 1;
      const [x, y] = [cell.x + side * cell.width * 0.33, cell.y + side * cell.width * 0.33];
      const turn = this.isFlipped ? `rotate(180 ${x} ${y})` : '';
      const width = 0.18 + 0.13 * text.length;
      return [svg('rect', { x: x - width / 2, y: y - 0.15, width, height: 0.3, rx: 0.12, class: `note ${kind}` }),
        svg('text', { x, y: y + 0.08, class: `note-text ${kind}`, transform: turn }, text)];
    }));
  }

  /** Arrows above the pieces: the steps of turns, the best one first. */
  setArrows(turns, style = null) {
    const arrows = turns.flatMap((steps, index) => steps.flatMap((step) => step.moves.map(([from, to]) => {
      const [start, end] = [from && this.cells.get(from), this.cells.get(to)];
      if (!end) return null;
      const name = style ?? (index === 0 ? 'best' : 'other');
      if (!start) return svg('circle', { cx: end.x, cy: end.y, r: 0.44, class: `arrow ring ${name}` });
      const length = Math.hypot(end.x - start.x, end.y - start.y);
      const short = Math.min(0.22, length / 3) / length;
      return svg('line', {
        x1: start.x, y1: start.y, x2: end.x - (end.x - start.x) * short, y2: end.y - (end.y - start.y) * short,
        class: `arrow ${name}`, 'marker-end': `url(#${this.id}-${name})`,
      });
    }))).filter(Boolean);
    this.arrowLayer.replaceChildren(...arrows.reverse());
  }

  /** Marks places with a kind: a map from place to the name of a style. */
  setMarks(marks) {
    this.markLayer.replaceChildren(...[...marks].map(([name, kind]) => this.ring(name, `mark ${kind}`)));
  }

  cellAt(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY);
    return found && this.element.contains(found) ? found.dataset?.cell ?? null : null;
  }

  point(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.turned.getScreenCTM().inverse());
    return { x: at.x, y: at.y };
  }

  listen() {
    const { element } = this;
    element.addEventListener('pointerdown', (event) => this.press(event));
    element.addEventListener('pointermove', (event) => this.drag(event));
    element.addEventListener('pointerup', (event) => this.release(event));
    element.addEventListener('pointercancel', () => this.drop());
    element.addEventListener('keydown', (event) => this.key(event));
    element.addEventListener('focusin', (event) => {
      if (event.target.dataset?.cell) this.focusCell(event.target.dataset.cell, false);
    });
  }

  press(event) {
    const cell = event.target.dataset?.cell;
    if (!cell || event.button > 0) return;
    event.preventDefault();
    this.focusCell(cell);
    this.held = { cell, path: [cell], x: event.clientX, y: event.clientY, isDragged: false };
    capture(this.element, event.pointerId);
  }

  drag(event) {
    const { held } = this;
    if (!held) return;
    const distance = Math.hypot(event.clientX - held.x, event.clientY - held.y);
    if (!held.isDragged && (distance < STILL || !this.pieces[held.cell] || !this.onmove)) return;
    if (!held.isDragged) {
      held.isDragged = true;
      held.element = this.elements.get(held.cell);
      held.element?.classList.add('held');
      if (held.element) this.pieceLayer.append(held.element);
      this.onpick?.(held.cell, true);
    }
    const { x, y } = this.point(event);
    if (held.element) {
      held.element.style.transform = `translate(${x}px, ${y}px)${this.isFlipped ? ' rotate(180deg)' : ''} scale(1.12)`;
    }
    const cell = this.cellAt(event);
    if (cell && cell !== held.path.at(-1)) {
      const back = held.path.lastIndexOf(cell);
      if (back >= 0) held.path.length = back + 1;
      else held.path.push(cell);
    }
  }

  release(event) {
    const { held } = this;
    if (!held) return;
    const to = this.cellAt(event);
    this.drop();
    if (!held.isDragged) this.click(held.cell);
    else if (to && to !== held.cell) this.onmove?.(held.cell, to, held.path);
    else this.onpick?.(held.cell, true);
  }

  drop() {
    const { held } = this;
    this.held = null;
    if (held?.element) {
      held.element.classList.remove('held');
      if (this.elements.get(held.cell) === held.element) this.place(held.element, held.cell);
    }
  }

  click(cell) {
    if (this.oncell?.(cell)) return;
    if (this.selected && this.selected !== cell && (this.targets.has(cell) || !this.pieces[cell])) {
      this.onmove?.(this.selected, cell, [this.selected, cell]);
    } else {
      this.onpick?.(cell, false);
    }
  }

  key(event) {
    const cell = event.target.dataset?.cell;
    if (!cell) return;
    const way = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (way && !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      event.stopPropagation();
      this.focusCell(this.neighbour(cell, this.isFlipped ? way.map((part) => -part) : way));
    } else if (event.key === ' ') {
      event.preventDefault();
      event.stopPropagation();
      this.click(cell);
    }
  }

  neighbour(name, [right, down]) {
    const from = this.cells.get(name);
    let best = null;
    for (const cell of this.look.cells) {
      const [x, y] = [cell.x - from.x, cell.y - from.y];
      const along = x * right + y * down;
      const aside = Math.abs(x * down) + Math.abs(y * right);
      if (along < 0.3 || aside > along * 1.8) continue;
      const cost = along + aside * 1.5;
      if (!best || cost < best.cost) best = { name: cell.name, cost };
    }
    return best?.name ?? name;
  }

  focusCell(name, isMoved = true) {
    for (const cell of this.look.cells) this.hit(cell.name).setAttribute('tabindex', cell.name === name ? '0' : '-1');
    if (isMoved) this.hit(name).focus({ preventScroll: true });
  }
}

function capture(element, pointer) {
  try {
    element.setPointerCapture(pointer);
  } catch {
    // A pointer that is gone already needs no capture.
  }
}
