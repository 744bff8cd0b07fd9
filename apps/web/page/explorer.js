// The tree of a search, a vertex at a time. Only the rows in view exist, and children come as they are needed: so a tree
// of millions of vertices is no more work than a small one.

import { el } from './dom.js';

/** The height of a row, in pixels; style.css has the same. */
const ROW = 24;

/** So many children of a vertex come at once. */
const PAGE = 100;

/** Browsers draw nothing that is higher, in pixels: beyond that, the scroll bar stands for more rows than it has pixels. */
const HIGHEST = 8e6;

/** Rows above and below the view that are drawn already. */
const SPARE = 6;

/** Rows that are deeper are no more indented: their text would leave the view. */
const DEEPEST = 14;

let explorers = 0;

/**
 * `look(path, from, count)` resolves with a vertex and some of its children, as the server tells them. `describe(child,
 * vertex)` tells what a row shows: its `cells`, in the columns `columns`, its `kind` and a `label`. `onchoose(vertex)` is
 * called with the one that is selected.
 */
export class Explorer {
  constructor({ label, columns, look, describe, onchoose, onfault }) {
    Object.assign(this, { look, describe, onchoose, onfault });
    this.id = `tree${(explorers += 1)}`;
    this.space = el('div', { class: 'space', role: 'none' });
    this.rows = el('div', { class: 'rows', role: 'tree', 'aria-label': label, tabindex: '0' });
    this.view = el('div', { class: 'vertex-view', role: 'none' }, this.space, this.rows);
    this.head = el('div', { class: 'vertex head', 'aria-hidden': 'true' }, columns.map((name) => el('span', {}, name)));
    this.note = el('p', { class: 'hint' });
    this.element = el('div', { class: 'vertices' }, this.head, this.note, this.view);
    this.view.addEventListener('scroll', () => this.draw());
    this.rows.addEventListener('keydown', (event) => this.whileBusy(() => this.key(event)));
    this.rows.addEventListener('click', (event) => this.click(event));
    new ResizeObserver(() => this.draw()).observe(this.view);
    this.clear();
  }

  /** Shows nothing but a note. */
  clear(note = '') {
    this.root = vertex(null, 0, null);
    this.selected = null;
    this.note.textContent = note;
    this.note.hidden = !note;
    this.head.hidden = this.view.hidden = Boolean(note);
    this.draw();
  }

  /** Shows the tree anew, with the vertices open that were. */
  async reload() {
    const open = openPaths(this.root);
    const chosen = this.selected ? this.selected.path : null;
    const fresh = vertex(null, 0, null);
    await this.load(fresh, 0);
    if (!fresh.count) return false;
    for (const path of open) await this.reopen(fresh, path);
    const selected = chosen && (await this.find(fresh, chosen));
    this.clear();
    this.root = fresh;
    this.selected = selected;
    this.draw();
    return true;
  }

  async find(root, path) {
    let at = root;
    for (const text of path) {
      if (!at.pages.has(0)) await this.load(at, 0);
      at = at.pages.get(0)?.find((child) => child.data.text === text);
      if (!at) return null;
    }
    return at;
  }

  async reopen(root, path) {
    const found = await this.find(root, path);
    if (found?.count) await this.open(found);
  }

  /** Loads a page of children. */
  async load(parent, page) {
    if (parent.pages.has(page) || parent.loading.has(page)) return;
    parent.loading.add(page);
    try {
      const found = await this.look(parent.path, page * PAGE, PAGE);
      setRows(parent, found.vertex.children);
      parent.pages.set(page, found.children.map((data, index) => vertex(parent, page * PAGE + index, data)));
    } catch (error) {
      this.onfault(error);
    }
    parent.loading.delete(page);
  }

  /** Shows the children of a vertex. */
  async open(at) {
    if (at.isOpen || !at.count) return;
    await this.load(at, 0);
    setOpen(at, true);
    this.draw();
  }

  close(at) {
    setOpen(at, false);
    this.draw();
  }

  toggle(at) {
    return at.isOpen ? this.close(at) : this.open(at);
  }

  /** Selects a vertex, and brings it into view. */
  choose(at) {
    this.selected = at;
    const top = rowOf(at) * ROW;
    const height = this.view.clientHeight;
    const from = this.view.scrollTop * this.scale;
    if (top < from) this.view.scrollTop = top / this.scale;
    else if (top + ROW > from + height) this.view.scrollTop = (top + ROW - height) / this.scale + 1;
    this.draw();
    this.onchoose(at);
  }

  /** Opens the best child again and again, and selects the last one: where the search goes on. */
  async openBest() {
    let at = this.root;
    while (at.count) {
      await (at === this.root ? this.load(at, 0) : this.open(at));
      const best = at.pages.get(0)?.find(({ data }) => data.best);
      if (!best || (!best.data.visits && at !== this.root)) break;
      at = best;
    }
    if (at !== this.root) this.choose(at);
  }

  // Drawing

  get total() {
    return this.root.rows;
  }

  draw() {
    const { view } = this;
    const height = this.total * ROW;
    const shown = Math.min(height, HIGHEST);
    const room = view.clientHeight;
    this.scale = height > HIGHEST ? (height - room) / (HIGHEST - room) : 1;
    this.space.style.height = `${shown}px`;
    const top = view.scrollTop * this.scale;
    const first = Math.max(0, Math.floor(top / ROW) - SPARE);
    const last = Math.min(this.total, Math.ceil((top + room) / ROW) + SPARE);
    this.rows.style.transform = `translateY(${view.scrollTop + first * ROW - top}px)`;
    this.drawn = [];
    const wanted = new Map();
    for (let row = first; row < last; row += 1) {
      const at = this.at(row);
      this.drawn.push(at);
      if (!at.data) wanted.set(`${at.parent.path.join(' ')} ${at.page}`, at);
    }
    this.rows.replaceChildren(...this.drawn.map((at, index) => this.row(at, index)));
    const active = this.drawn.indexOf(this.selected);
    if (active >= 0) this.rows.setAttribute('aria-activedescendant', `${this.id}-${active}`);
    else this.rows.removeAttribute('aria-activedescendant');
    for (const { parent, page } of wanted.values()) this.load(parent, page).then(() => this.drawSoon());
  }

  drawSoon() {
    this.soon ??= requestAnimationFrame(() => {
      this.soon = null;
      this.draw();
    });
  }

  /** The vertex of a row; one that has not come yet has no data. */
  at(row) {
    let [parent, rest] = [this.root, row];
    for (;;) {
      let before = 0;
      const opened = parent.opened.find((child) => {
        if (rest <= child.index + before + child.rows) return true;
        before += child.rows;
        return false;
      });
      const index = rest - before;
      if (!opened || index <= opened.index) {
        const page = Math.floor(index / PAGE);
        return parent.pages.get(page)?.[index % PAGE] ?? { parent, index, page, data: null, depth: parent.depth + 1 };
      }
      [parent, rest] = [opened, index - opened.index - 1];
    }
  }

  row(at, index) {
    const indent = { style: `padding-left: ${Math.min(at.depth, DEEPEST) * 0.5}rem` };
    if (!at.data) return el('div', { class: 'vertex', role: 'none' }, el('span', { class: 'step', ...indent }, '…'));
    const { cells, kind, label } = this.describe(at.data, at);
    const mark = at.isOnPath ? '★ ' : at.data.best ? '☆ ' : '';
    const isSelected = at === this.selected;
    const words = [label, at.isOnPath ? 'on the most promising path' : at.data.best ? 'the best one here' : null];
    return el('div', {
      id: `${this.id}-${index}`, class: `vertex ${kind}${isSelected ? ' selected-row' : ''}${at.data.best ? ' best' : ''}`, role: 'treeitem',
      'aria-level': at.depth, 'aria-setsize': at.parent.count, 'aria-posinset': at.index + 1, 'aria-selected': String(isSelected),
      'aria-expanded': at.count ? String(at.isOpen) : null, 'aria-label': words.filter(Boolean).join(', '),
    }, el('span', { class: 'step', ...indent }, el('i', { class: 'twist' }, at.count ? (at.isOpen ? '▾' : '▸') : '·'), ` ${mark}${at.data.text}`),
    cells.map((cell) => el('span', {}, cell)));
  }

  // Pointer and keys

  click(event) {
    const index = [...this.rows.children].indexOf(event.target.closest('.vertex'));
    const at = this.drawn[index];
    if (!at?.data) return;
    this.choose(at);
    this.toggle(at);
  }

  /** Says so as long as something is under way, for those who do not see it. */
  async whileBusy(work) {
    this.rows.setAttribute('aria-busy', 'true');
    await work();
    this.rows.setAttribute('aria-busy', 'false');
  }

  async key(event) {
    const at = this.selected;
    const row = at ? rowOf(at) : -1;
    const page = Math.max(1, Math.floor(this.view.clientHeight / ROW) - 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined && !['ArrowRight', 'ArrowLeft', 'Enter', ' ', '*'].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (step !== undefined) await this.goTo(Math.max(0, Math.min(this.total - 1, row + step)));
    else if (!at) return;
    else if (event.key === 'ArrowRight' && at.isOpen) await this.goTo(row + 1);
    else if (event.key === 'ArrowRight') await this.open(at);
    else if (event.key === 'ArrowLeft' && at.isOpen) this.close(at);
    else if (event.key === 'ArrowLeft' && at.parent !== this.root) this.choose(at.parent);
    else if (event.key === '*') await this.openSiblings(at);
    else await this.toggle(at);
  }

  /** Opens a vertex and all beside it that are there. */
  async openSiblings(at) {
    for (const child of [...at.parent.pages.values()].flat()) await this.open(child);
  }

  async goTo(row) {
    if (!this.total) return;
    let at = this.at(row);
    if (!at.data) {
      await this.load(at.parent, at.page);
      at = this.at(row);
    }
    if (at.data) this.choose(at);
  }
}

function vertex(parent, index, data) {
  return {
    parent, index, data,
    count: data?.children ?? 0,
    depth: parent ? parent.depth + 1 : 0,
    path: parent ? [...parent.path, data.text] : [],
    isOnPath: parent ? parent.isOnPath && data.best : true,
    isOpen: false,
    /** How many rows are below it. */
    rows: 0,
    /** The children that are open, by their order. */
    opened: [],
    pages: new Map(),
    loading: new Set(),
  };
}

/** A vertex has so many children: those of the root are always shown. */
function setRows(at, count) {
  at.count = count;
  if (!at.parent) at.rows = count + at.opened.reduce((sum, child) => sum + child.rows, 0);
}

function setOpen(at, isOpen) {
  if (at.isOpen === isOpen) return;
  at.isOpen = isOpen;
  const { opened } = at.parent;
  const rows = at.count + at.opened.reduce((sum, child) => sum + child.rows, 0);
  if (isOpen) {
    at.rows = rows;
    const before = opened.findIndex((child) => child.index > at.index);
    opened.splice(before < 0 ? opened.length : before, 0, at);
  } else {
    opened.splice(opened.indexOf(at), 1);
    at.rows = 0;
  }
  // Above a vertex that is closed nothing changes but its own count, which is made anew when it opens.
  for (let each = at.parent; each && (each.isOpen || !each.parent); each = each.parent) each.rows += isOpen ? rows : -rows;
}

/** The row of a vertex. */
function rowOf(at) {
  let row = -1;
  for (let each = at; each.parent; each = each.parent) {
    row += each.index + 1;
    for (const child of each.parent.opened) {
      if (child.index < each.index) row += child.rows;
    }
  }
  return row;
}

/** The paths of all vertices that are open, the upper ones first. */
function openPaths(at) {
  return at.opened.flatMap((child) => [child.path, ...openPaths(child)]);
}

