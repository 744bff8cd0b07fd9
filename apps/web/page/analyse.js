// Analysing: any engine on the shown position, variations, and the review of a whole game.

import { ask as askServer, games, search } from './api.js';
import { Board, looks } from './board.js';
import { ask, button, download, el, kept, select, svg } from './dom.js';
import { edit } from './editor.js';
import { Entry, sentence } from './entry.js';
import { losses, short, title, verdictFor } from './parts.js';
import { Tree } from './tree.js';

/** How long an analysis goes on, in seconds, and how much longer each time that more is asked for. */
const LONG = 60;
const LONGER = 4;

/** What was searched for so long before is not searched again, unless that is asked for. */
const ENOUGH = 3;

/** A turn that loses more of the chances is a mistake. */
const MISTAKE = 0.08;

export async function show(main, rest) {
  const view = new Analyse(main, await games());
  await view.begin(rest);
  return view;
}

/** How long a review looks at each turn, in seconds. */
const TIMES = [['0.1', '0.1 s'], ['0.3', '0.3 s'], ['0.5', '0.5 s'], ['2', '2 s'], ['10', '10 s']];

/** What can be laid over the board. */
const OVERLAYS = [['traps', 'Traps', 'Who stands beside the traps, and who is strongest there'],
  ['threats', 'Threats', 'What each side could win or capture if it were its turn'],
  ['piece', 'Piece', 'How many steps a piece is from each square, and where it can be pushed or pulled: click one']];

/** A game as the text of a link, with the number of turns before the position that is shown. */
export function linkOf(game, at = game.turns.length) {
  const bytes = new TextEncoder().encode(JSON.stringify({ ...game, at }));
  const text = btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return `${location.origin}/#/analyse/${text}`;
}

function gameOfLink(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

class Analyse {
  constructor(main, all) {
    this.main = main;
    this.all = all;
    this.running = null;
    this.reviewing = null;
    this.wishes = { engine: 'tusk', lines: 2, isOn: true, isThreat: false, seconds: 0.5, overlay: '', ...kept.get('analyse.wishes', {}) };
  }

  end() {
    this.running?.cancel();
    this.reviewing?.cancel();
    document.removeEventListener('dragover', this.over);
    document.removeEventListener('drop', this.dropped);
  }

  async begin(link) {
    this.over = (event) => event.preventDefault();
    this.dropped = (event) => this.drop(event);
    document.addEventListener('dragover', this.over);
    document.addEventListener('drop', this.dropped);
    let game = kept.get('analyse');
    let at = null;
    if (link) {
      try {
        ({ at = null, ...game } = gameOfLink(link));
      } catch {
        game = null;
      }
    }
    game ??= (await askServer('start', { game: 'arimaa', opening: 'setups', seed: 1 })).game;
    try {
      await this.open(game);
      const shown = at === 0 ? this.tree.root : this.tree.main()[at - 1];
      if (shown && shown !== this.tree.at) await this.go(shown);
    } catch (error) {
      kept.set('analyse', null);
      await this.open((await askServer('start', { game: 'arimaa', opening: 'setups', seed: 1 })).game);
      this.say(`That game cannot be opened: ${error.message}`);
    }
  }

  /** Opens a game with nothing but its turns. */
  async open(game) {
    await askServer('position', { game });
    this.running?.cancel();
    this.reviewing?.cancel();
    this.reviewing = null;
    this.tree = new Tree(game);
    this.summary = null;
    this.build();
    await this.go(this.tree.at);
  }

  get spec() {
    return this.all.get(this.tree.name);
  }

  build() {
    const { name } = this.tree;
    this.board = new Board(name, { label: `The board of ${this.spec.title}` });
    this.entry = new Entry(this.board, { onchange: (state) => this.draw(state), onsay: (text) => this.say(text) });
    this.bar = el('div', { class: 'score-bar', role: 'img' }, el('div', { class: 'share' }));
    this.message = el('p', { class: 'message', role: 'status', 'aria-live': 'polite' });
    this.lines = el('ol', { class: 'lines-found', 'aria-label': 'The best lines' });
    this.speed = el('p', { class: 'hint speed' });
    this.list = el('div', { class: 'tree', role: 'group', 'aria-label': 'The game and its variations' });
    new ResizeObserver(() => this.showNow()).observe(this.list);
    this.graph = el('div', { class: 'graph' });
    this.controls = el('div', { class: 'controls' });
    this.tactics = el('div', { class: 'tactics' });
    this.lost = el('div', { class: 'row lost' });
    const engines = this.spec.engines.map((engine) => [engine.name, title(engine.name)]);
    if (!engines.some(([engine]) => engine === this.wishes.engine)) this.wishes.engine = engines[0][0];
    this.toggle = button('Engine', () => this.set({ isOn: !this.wishes.isOn }), { class: 'toggle', 'aria-pressed': String(this.wishes.isOn) });
    this.threat = button('After a pass', () => this.set({ isThreat: !this.wishes.isThreat }), {
      class: 'toggle', 'aria-pressed': String(this.wishes.isThreat), title: 'What would the other side do if this one passed?',
    });
    this.overlays = name === 'arimaa' ? OVERLAYS : OVERLAYS.filter(([key]) => key === 'threats');
    this.overlayButtons = this.overlays.map(([key, text, about]) => button(text, () => this.cover(this.wishes.overlay === key ? '' : key), {
      class: 'toggle', 'data-overlay': key, title: about, 'aria-pressed': String(this.wishes.overlay === key),
    }));
    const overlays = el('div', { class: 'row overlays small-buttons', role: 'group', 'aria-label': 'Laid over the board' }, el('span', { class: 'hint' }, 'Show'), this.overlayButtons);
    const listen = this.board.oncell;
    this.board.oncell = (cell) => {
      if (this.wishes.overlay === 'piece') this.inspect(cell);
      return listen(cell);
    };
    const settings = el('div', { class: 'row settings' }, this.toggle,
      select('Engine', engines, this.wishes.engine, (engine) => this.set({ engine })),
      select('Lines', ['1', '2', '3', '5'].map((count) => [count, count]), String(this.wishes.lines), (lines) => this.set({ lines: Number(lines) })),
      this.threat);
    this.typed = el('input', { type: 'text', id: 'typed', autocomplete: 'off', spellcheck: 'false', placeholder: name === 'arimaa' ? 'Ee2n Ee3n' : 'E4xF3 E5+E6' });
    const form = el('form', { class: 'typed', onsubmit: (event) => this.type(event) },
      el('label', { for: 'typed', class: 'hidden' }, 'Steps, typed'), this.typed, el('button', { type: 'submit', class: 'quiet' }, 'Enter'));
    this.main.replaceChildren(
      el('h1', { class: 'hidden' }, `Analyse ${this.spec.title}`),
      el('div', { class: 'stage' },
        el('section', { class: 'board-box', 'aria-label': 'Board' }, this.bar, this.board.element),
        el('section', { class: 'panel', 'aria-label': 'Analysis' },
          settings, el('div', {}, this.lines, this.speed), overlays, this.tactics, this.lost, this.graph, this.list, this.message, this.controls, form)));
  }

  say(text) {
    this.message.textContent = text;
  }

  set(wishes) {
    Object.assign(this.wishes, wishes);
    kept.set('analyse.wishes', this.wishes);
    this.toggle.setAttribute('aria-pressed', String(this.wishes.isOn));
    this.threat.setAttribute('aria-pressed', String(this.wishes.isThreat));
    this.think();
  }

  /** Shows a node of the tree. */
  async go(node) {
    this.tree.at = node;
    this.inspected = null;
    kept.set('analyse', this.tree.game(this.tree.main().at(-1) ?? this.tree.root));
    await this.entry.open(this.tree.game(node));
    this.think();
  }

  draw(state) {
    this.state = state;
    this.tree.path().forEach((node, index) => {
      node.label = state.labels[index];
    });
    this.tree.at.side = state.side;
    this.drawTree();
    this.drawControls();
    this.drawGraph();
    this.drawOverlay();
    this.drawLost();
  }

  /** What each side has lost so far, or still shows. */
  drawLost() {
    const { name } = this.tree;
    const isNothing = this.state.setting_up || (name === 'arimaa' && looks.arimaa.captured(this.state.pieces).every((lost) => !lost.length));
    this.lost.replaceChildren(...(isNothing ? [] : this.spec.sides.flatMap((side, index) => [
      el('span', { class: `dot side${index} ${name}`, 'aria-hidden': 'true' }), losses(name, this.state.pieces, index)])));
  }

  drawControls() {
    const { state } = this;
    const rows = [];
    if (state.ended) rows.push(el('p', { class: 'result' }, sentence(state.ended.sentence)));
    else if (state.setting_up) rows.push(el('p', { class: 'hint' }, 'A side is still to set up: type its pieces, such as Ra1 Rb1 …'));
    else {
      rows.push(el('div', { class: 'row entered' },
        el('span', { class: 'steps-left' }, looks[this.tree.name].stepsLeft(state.steps_left)), el('code', { class: 'wide' }, state.steps.join(' ')),
        button('Undo step', () => this.entry.undo(), { disabled: !state.steps.length }),
        button('Play turn', () => this.finish(), { class: 'primary', disabled: !state.end })));
    }
    const { at } = this.tree;
    rows.push(el('div', { class: 'row small-buttons' },
      button('«', () => this.go(this.tree.root), { 'aria-label': 'First position' }),
      button('‹', () => this.step(-1), { 'aria-label': 'One turn back' }),
      button('›', () => this.step(1), { 'aria-label': 'One turn on' }),
      button('»', () => this.go(this.tree.main().at(-1) ?? this.tree.root), { 'aria-label': 'Last position' }),
      button('Flip', () => this.board.flip()),
      button('Main line', () => this.promote(), { disabled: !at.parent }),
      button('Delete', () => this.remove(), { disabled: !at.parent })));
    rows.push(el('div', { class: 'row small-buttons' },
      button(this.reviewing ? 'Stop the review' : 'Review the game', () => this.review(), { disabled: !this.tree.main().length }),
      select('Time for each turn of a review', TIMES, String(this.wishes.seconds), (seconds) => {
        this.wishes.seconds = Number(seconds);
        kept.set('analyse.wishes', this.wishes);
      }),
      button('Next mistake', () => this.nextMistake(), { disabled: !this.tree.main().some((node) => isMistake(node)) }),
      button('Try again', () => this.tryAgain(), { disabled: !isMistake(at) })));
    rows.push(el('div', { class: 'row small-buttons' },
      button('Import', () => this.importGame()), button('Export', () => this.exportGame()),
      button('Edit', () => this.editPosition()), button('Play from here', () => this.playFrom()),
      button('Solve', () => this.take('solve')), button('Search tree', () => this.take('search'))));
    this.controls.replaceChildren(...rows);
  }

  drawTree() {
    const turn = (node) => {
      const loss = node.row?.loss > 0 && isMistake(node) ? el('i', { class: 'loss' }, ` −${node.row.loss}`) : null;
      const text = /^[A-Za-z][a-h][1-8]( |$)/.test(node.turn) ? 'sets up' : node.turn;
      const isNow = node === this.tree.at;
      return button([el('b', {}, node.label), ` ${text}`, loss], () => this.go(node), {
        class: isNow ? 'turn now' : 'turn', 'aria-current': isNow ? 'true' : null, title: node.turn,
      });
    };
    const line = (first) => {
      const parts = [];
      for (let node = first; node; [node] = node.children) {
        parts.push(turn(node));
        const siblings = node.parent.children;
        if (node === siblings[0]) {
          for (const other of siblings.slice(1)) parts.push(el('div', { class: 'variation' }, line(other)));
        }
        if (node !== siblings[0] && node !== first) break;
      }
      return parts;
    };
    this.list.replaceChildren(...line(this.tree.root.children[0]));
    this.showNow();
  }

  /** Brings the turn that is shown into view. */
  showNow() {
    const now = this.list.querySelector('.now');
    if (now) this.list.scrollTop = Math.max(0, now.offsetTop - this.list.clientHeight / 2);
  }

  drawGraph() {
    const nodes = this.tree.main().filter((node) => node.row);
    if (!nodes.length) {
      this.graph.replaceChildren();
      return;
    }
    const [width, height] = [100, 17];
    const x = (index) => (width * (index + 0.5)) / nodes.length;
    const y = (node) => height * (1 - (node.row.chance ?? 0.5));
    const points = nodes.map((node, index) => `${x(index).toFixed(2)},${y(node).toFixed(2)}`).join(' ');
    const dots = nodes.map((node, index) => svg('circle', {
      cx: x(index), cy: y(node), r: node === this.tree.at ? 1.3 : isMistake(node) ? 0.9 : 0.45,
      class: node === this.tree.at ? 'dot-now' : isMistake(node) ? 'dot-mistake' : 'dot-turn',
    }));
    const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'chances', role: 'img', 'aria-label': `The chances of ${this.spec.sides[0].name}, turn by turn` },
      svg('polygon', { points: `${x(0)},${height} ${points} ${x(nodes.length - 1)},${height}`, class: 'area' }),
      svg('line', { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: 'middle' }),
      svg('polyline', { points, class: 'curve' }), dots);
    picture.addEventListener('click', (event) => {
      const box = picture.getBoundingClientRect();
      const index = Math.floor(((event.clientX - box.x) / box.width) * nodes.length);
      this.go(nodes[Math.max(0, Math.min(nodes.length - 1, index))]);
    });
    const words = this.summary ? this.spec.sides.map(({ name }) => {
      const accuracy = this.summary.accuracy[name.toLowerCase()];
      return accuracy === null ? '' : `${name} ${accuracy.toFixed(0)} %`;
    }).filter(Boolean).join(', ') : '';
    this.graph.replaceChildren(picture, el('p', { class: 'hint' }, words && `Accuracy: ${words}`));
  }

  // The engine

  async think() {
    this.running?.cancel();
    this.running = null;
    this.lines.replaceChildren();
    this.speed.textContent = '';
    this.board.setArrows([]);
    this.drawBar(this.state.ended ? Number(this.state.ended.winner === this.spec.sides[0].letter) : this.tree.at.chance ?? null);
    if (!this.wishes.isOn || this.state.ended || this.trying) return;
    const { engine, lines, isThreat } = this.wishes;
    const node = this.tree.at;
    const running = search('analyse', { game: this.tree.game(), engine, lines, time: Math.min(600, LONG * LONGER ** (node.deeper ?? 0)),
      enough: node.deeper ? null : ENOUGH, threat: isThreat && !this.state.setting_up },
      { report: (report) => { if (this.running === running) this.tell(node, report); } });
    this.running = running;
    try {
      const report = await running.answer;
      if (this.running === running) this.tell(node, report, true);
    } catch (error) {
      if (this.running === running) this.say(sentence(error.message));
    }
  }

  /** Goes on with a position that was searched for as long as is usual. */
  deepen(node) {
    node.deeper = (node.deeper ?? 0) + 1;
    this.think();
  }

  tell(node, report, isOver = false) {
    const [best] = report.lines;
    if (!this.wishes.isThreat) {
      node.chance = best?.chance ?? node.chance;
      this.drawBar(node.chance);
    }
    const side = this.spec.sides.findIndex(({ letter }) => letter === report.side);
    const hovered = this.lines.matches(':hover');
    if (!hovered) {
      this.lines.replaceChildren(...report.lines.map((line) => el('li', {},
        el('b', { class: 'verdict' }, verdictFor(line, side, this.spec)),
        el('span', { class: 'pv' }, line.pv.map((turn, index) => this.pvTurn(line, turn, index))))));
    }
    const speed = report.seconds > 0 ? `, ${short(report.nodes / report.seconds)} nodes/s` : '';
    const stored = report.stored ? ', found before' : '';
    this.speed.replaceChildren(`Depth ${report.depth}, ${short(report.nodes)} nodes${speed}${stored}${this.wishes.isThreat ? ' (a threat, after a pass)' : ''} `,
      isOver && !best?.proof ? button('Search deeper', () => this.deepen(node), { class: 'quiet' }) : '');
    if (!this.isPreviewed && !this.entry.steps.length) this.board.setArrows(report.lines.map((line) => line.trail));
  }

  /** A turn of a line: shown when the pointer is over it, added to the tree by a click. */
  pvTurn(line, turn, index) {
    if (this.wishes.isThreat) return el('span', {}, `${turn} `);
    const game = this.tree.game();
    const part = { ...game, turns: [...game.turns, ...line.pv.slice(0, index + 1)] };
    return button(turn, () => this.add(line.pv.slice(0, index + 1)), {
      class: 'pv-turn', onmouseenter: () => this.preview(part), onmouseleave: () => this.preview(null),
    });
  }

  async preview(game) {
    this.isPreviewed = Boolean(game);
    if (!game) {
      this.board.show(this.state.pieces, { frozen: this.state.frozen, animate: false });
      this.board.setTrail(this.state.steps.length ? this.state.trail : this.state.last, this.state.steps.length ? 'now' : 'last');
      return;
    }
    try {
      const state = await askServer('position', { game }, { priority: 9 });
      if (!this.isPreviewed) return;
      this.board.show(state.pieces, { frozen: state.frozen, animate: false });
      this.board.setTrail(state.last);
      this.board.setArrows([]);
    } catch {
      // A preview that does not come is none.
    }
  }

  async add(turns) {
    this.isPreviewed = false;
    let node = this.tree.at;
    for (const turn of turns) node = this.tree.child(node, turn);
    // Labels come with the positions on the way.
    const state = await askServer('position', { game: this.tree.game(node) });
    this.tree.path(node).forEach((each, index) => {
      each.label = state.labels[index];
    });
    await this.go(node);
  }

  drawBar(chance) {
    const share = this.bar.firstChild;
    const part = chance ?? 0.5;
    share.style.height = `${(100 * part).toFixed(1)}%`;
    this.bar.classList.toggle('unknown', chance === null || chance === undefined);
    this.bar.classList.toggle('flipped', this.board.isFlipped);
    this.bar.setAttribute('aria-label', `${this.spec.sides[0].name} wins with ${Math.round(100 * part)} percent`);
  }

  // Turns

  async type(event) {
    event.preventDefault();
    const text = this.typed.value.trim();
    if (text && this.state.setting_up) await this.play(text);
    else if (!text) await this.finish();
    else if (!(await this.entry.type(text))) return;
    this.typed.value = '';
  }

  async finish() {
    const turn = this.entry.finished();
    if (turn) await this.play(turn);
  }

  async play(turn) {
    const game = this.tree.game();
    try {
      const state = await askServer('position', { game: { ...game, turns: [...game.turns, turn] } });
      const node = this.tree.child(this.tree.at, state.game.turns.at(-1));
      node.label = state.labels.at(-1);
      this.answerTry(node, state);
      await this.go(node);
    } catch (error) {
      this.say(sentence(error.message));
    }
  }

  step(by) {
    const { at } = this.tree;
    const node = by < 0 ? at.parent : at.children[0];
    return node ? this.go(node) : undefined;
  }

  promote() {
    this.tree.promote(this.tree.at);
    return this.go(this.tree.at);
  }

  remove() {
    this.tree.remove(this.tree.at);
    return this.go(this.tree.at);
  }

  // The review

  async review() {
    if (this.reviewing) {
      this.reviewing.cancel();
      return;
    }
    const nodes = this.tree.main();
    const game = this.tree.game(nodes.at(-1));
    const { engine, seconds } = this.wishes;
    this.running?.cancel();
    this.running = null;
    const reviewing = search('review', { game, engine, time: seconds }, {
      report: (row) => {
        nodes[row.index].row = row;
        nodes[row.index].chance = row.chance;
        this.say(`Turn ${row.turn}: ${nodes.filter((node) => node.row).length} of ${row.of}`);
        this.drawGraph();
        this.drawTree();
      },
      priority: 1,
    });
    this.reviewing = reviewing;
    this.drawControls();
    try {
      this.summary = await reviewing.answer;
      const worst = this.summary.worst.map(({ turn, loss }) => `${turn} (−${loss})`).join(', ');
      this.say(worst ? `The turns that lost most: ${worst}.` : 'No turn has lost anything.');
    } catch (error) {
      this.say(sentence(error.message));
    }
    this.reviewing = null;
    this.drawControls();
    this.drawGraph();
    this.think();
  }

  nextMistake() {
    const nodes = this.tree.main();
    const from = nodes.indexOf(this.tree.at);
    const after = nodes.findIndex((node, index) => index > from && isMistake(node));
    const index = after >= 0 ? after : nodes.findIndex((node) => isMistake(node));
    if (index < 0) return;
    const node = nodes[index];
    this.go(node).then(() => this.say(`${node.label} lost ${node.row.loss} points. Better: ${node.row.best}`));
  }

  /** Goes before a mistake, for the person to find something better. */
  async tryAgain() {
    const node = this.tree.at;
    this.trying = node;
    await this.go(node.parent);
    this.say(`Find a better turn than ${node.turn}.`);
  }

  async answerTry(node, state) {
    const mistake = this.trying;
    if (!mistake) return;
    this.trying = null;
    const game = this.tree.game(mistake.parent);
    const best = await askServer('position', { game: { ...game, turns: [...game.turns, mistake.row.best] } });
    if (best.position === state.position) this.say('That is the best turn.');
    else this.say(`The engine prefers ${mistake.row.best}; look at what it says now about yours.`);
  }

  // What is laid over the board

  cover(overlay) {
    this.wishes.overlay = overlay;
    kept.set('analyse.wishes', this.wishes);
    for (const each of this.overlayButtons) each.setAttribute('aria-pressed', String(each.dataset.overlay === overlay));
    this.inspected = null;
    this.drawOverlay();
  }

  /** Tells more of the piece on a place. */
  inspect(cell) {
    if (!this.board.pieces[cell]) return;
    this.inspected = this.inspected === cell ? null : cell;
    this.drawOverlay();
  }

  async drawOverlay() {
    const { overlay } = this.wishes;
    const node = this.tree.at;
    this.board.setNotes(new Map());
    this.board.setMarks(new Map());
    if (this.tactics.firstChild?.matches('.threats')) this.board.setArrows([]);
    this.tactics.replaceChildren();
    const isKnown = this.overlays.some(([key]) => key === overlay);
    if (!isKnown || this.state.ended || this.state.setting_up || this.entry.steps.length) return;
    const place = overlay === 'piece' ? this.inspected : null;
    const seen = await askServer('insight', { game: this.tree.game(), ...(place && { place }) });
    if (this.tree.at !== node || this.wishes.overlay !== overlay) return;
    if (overlay === 'traps') this.showTraps(seen.traps);
    else if (overlay === 'threats') this.showThreats(seen.threats);
    else this.showPiece(seen.piece);
  }

  showTraps(traps) {
    const styleOf = (letter) => ['first', 'second'][this.spec.sides.findIndex((side) => side.letter === letter)] ?? 'both';
    this.board.setNotes(new Map(traps.map(({ place, guards }) => [place, { text: guards.join(':'), kind: 'plain' }])));
    this.board.setMarks(new Map(traps.filter(({ strongest }) => strongest).map(({ place, strongest }) => [place, styleOf(strongest)])));
    const [first, second] = this.spec.sides.map(({ name }) => name);
    this.tactics.replaceChildren(el('p', { class: 'hint' }, `Pieces beside each trap, ${first}:${second}; the colour is that of the strongest.`));
  }

  showThreats(threats) {
    if (!threats.length) {
      this.tactics.replaceChildren(el('p', { class: 'hint' }, 'Nothing is threatened.'));
      return;
    }
    const isArimaa = this.tree.name === 'arimaa';
    const target = ({ kind, from, to }) => (kind === 'capture' && isArimaa ? from : to);
    this.board.setMarks(new Map(threats.map((threat) => [target(threat), 'danger'])));
    // In Arimaa, the fewest steps that are needed; in Tzaar, how many stacks can capture this one.
    const numbers = new Map();
    for (const threat of threats) {
      const known = numbers.get(target(threat));
      numbers.set(target(threat), isArimaa ? Math.min(threat.steps, known ?? 9) : (known ?? 0) + 1);
    }
    this.board.setNotes(new Map([...numbers].map(([place, number]) => [place, { text: String(number), kind: 'danger' }])));
    const words = { goal: 'goal', elimination: 'all rabbits captured', capture: '' };
    const rows = threats.map((threat) => {
      const { side, kind, from, to, steps, turn, trail } = threat;
      const what = isArimaa ? [words[kind] || `${looks.arimaa.nameOf(this.board.pieces[from])} on ${from} captured on ${to}`, ` in ${steps}: `, el('code', {}, turn)] : [`${from} captures ${to}`];
      const show = () => this.board.setArrows([trail ?? []], 'threat');
      return el('li', {}, button([el('b', {}, this.spec.sides.find(({ letter }) => letter === side).name), ' ', ...what], show, {
        class: 'turn', onmouseenter: show, onfocus: show, title: turn,
      }));
    });
    this.tactics.replaceChildren(el('ul', { class: 'threats', 'aria-label': 'Threats' }, rows));
  }

  showPiece(piece) {
    if (!piece) {
      this.tactics.replaceChildren(el('p', { class: 'hint' }, 'Click a piece: how many steps is it from each square, and where can it be pushed or pulled?'));
      return;
    }
    const distances = Object.entries(piece.distances);
    this.board.setNotes(new Map(distances.map(([place, steps]) => [place, { text: String(steps), kind: steps <= 4 ? `near near${steps}` : 'far' }])));
    this.board.setMarks(new Map(Object.keys(piece.displaced).map((place) => [place, 'danger'])));
    const near = distances.filter(([, steps]) => steps <= 4).length;
    const pushed = Object.keys(piece.displaced).length;
    const name = looks.arimaa.nameOf(this.board.pieces[piece.place]);
    this.tactics.replaceChildren(el('p', { class: 'hint' }, `The ${name} on ${piece.place} reaches ${near} squares in a turn; ${pushed ? `it can be pushed or pulled to ${pushed} (marked)` : 'it cannot be pushed or pulled'}. Numbers from 5 on are a guess.`));
  }

  // Coming and going

  async importGame() {
    const text = el('textarea', { 'aria-label': 'A position or a game, in any notation' });
    const file = el('input', { type: 'file', 'aria-label': 'A file' });
    file.addEventListener('change', async () => {
      if (file.files[0]) text.value = await file.files[0].text();
    });
    const content = el('div', { class: 'form' },
      el('p', { class: 'hint' }, 'Paste a board, a position in one line, or the record of a game, of Arimaa or Tzaar. A file can also be dropped onto the page.'),
      text, file);
    if ((await ask('Import', content, [['', 'Cancel'], ['open', 'Open', 'primary']])) === 'open') await this.read(text.value);
  }

  async read(text) {
    try {
      const { games: found } = await askServer('read', { text });
      if (!found.length) throw new Error('There is nothing in it');
      let [game] = found;
      if (found.length > 1) {
        let chosen = '0';
        const rows = found.map((each, index) => [String(index), `${index + 1}: ${each.turns.length ? `${each.turns.length} turns` : each.start.slice(0, 40)}`]);
        const content = el('div', { class: 'form' }, select('Game', rows, chosen, (value) => { chosen = value; }));
        if ((await ask(`${found.length} games`, content, [['', 'Cancel'], ['open', 'Open', 'primary']])) !== 'open') return;
        game = found[Number(chosen)];
      }
      await this.open(game);
      this.say('');
    } catch (error) {
      this.say(sentence(error.message));
    }
  }

  async drop(event) {
    const file = event.dataTransfer?.files?.[0];
    if (!file) return;
    event.preventDefault();
    await this.read(await file.text());
  }

  async exportGame() {
    const texts = await askServer('write', { game: this.tree.game() });
    const field = (label, text, file = null) => (text ? el('div', { class: 'form' }, el('label', { class: 'form' }, el('span', { class: 'hint' }, label), el('textarea', { readonly: true, rows: Math.min(8, text.split('\n').length) }, text)),
      el('div', { class: 'row small-buttons' }, button('Copy', () => navigator.clipboard?.writeText(text), { 'aria-label': `Copy: ${label}` }),
        file && button('Save as a file', () => download(file, `${text.trimEnd()}\n`), { 'aria-label': `Save as a file: ${label}` }))) : null);
    await ask('Export', el('div', { class: 'form' },
      field('A link that holds the game and the position that is shown', linkOf(this.tree.game(this.lastOfLine()), this.tree.path().length)), field('Record', texts.record, 'game.txt'),
      field('Position', texts.position, 'position.txt'), field('Picture', texts.picture, 'board.txt')), [['', 'Close', 'primary']]);
  }

  /** The end of the line that is shown. */
  lastOfLine() {
    let node = this.tree.at;
    while (node.children.length) [node] = node.children;
    return node;
  }

  async editPosition() {
    this.running?.cancel();
    this.running = null;
    const start = await edit(this.main, this.tree.name, this.state, this.spec);
    if (start) await this.open({ name: this.tree.name, start, turns: [] });
    else await this.open(this.tree.game(this.tree.main().at(-1) ?? this.tree.root));
  }

  playFrom() {
    const human = this.spec.sides.findIndex(({ letter }) => letter === this.state.side);
    const wishes = kept.get('play.wishes', {});
    const engine = this.spec.engines.some(({ name }) => name === wishes.engine) ? wishes.engine : 'beginner';
    kept.set('play', {
      game: this.tree.game(), engine, human, seconds: Number(wishes.seconds) || 1, control: '', clocks: [0, 0], over: null, since: Date.now(), seed: 1,
    });
    location.hash = '#/play';
  }

  /** Takes the position to another view. */
  take(view) {
    kept.set(view, { name: this.tree.name, start: this.state.position, turns: [] });
    location.hash = `#/${view}`;
  }

  key(event) {
    const isTyping = event.target.matches?.('input, textarea, select');
    if (isTyping) return;
    const isButton = event.target.matches?.('button, a');
    if (event.key === 'Enter' && !isButton) {
      event.preventDefault();
      this.finish();
    } else if (event.key === 'Backspace') {
      event.preventDefault();
      this.entry.undo();
    } else if (event.key === 'Escape') {
      this.entry.choices = null;
      if (this.board.selected) this.board.setTargets(null);
      else this.entry.reset();
    } else if (event.key === 'ArrowLeft' || event.key === ',') this.step(-1);
    else if (event.key === 'ArrowRight' || event.key === '.') this.step(1);
    else if (event.key === 'f') this.board.flip();
    else if (event.key === 'm') this.nextMistake();
    else if (event.key === 'e') this.set({ isOn: !this.wishes.isOn });
  }
}

function isMistake(node) {
  return node.row?.chance_lost > MISTAKE && node.row.loss > 0;
}
