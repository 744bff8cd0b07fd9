// Learning: the reports of runs of `tusk learn`, with their plots.

import { ask } from './api.js';
import { el, svg } from './dom.js';
import { sentence } from './entry.js';

export async function show(main, rest) {
  const view = new Learn(main);
  await view.begin(decodeURIComponent(rest));
  return view;
}

class Learn {
  constructor(main) {
    this.list = el('div', { class: 'event-list' });
    this.detail = el('section', { class: 'panel report', 'aria-label': 'Report' });
    main.replaceChildren(el('h1', {}, 'Learning runs'), el('div', { class: 'arena two' }, this.list, this.detail));
  }

  async begin(wanted) {
    const { reports } = await ask('reports');
    if (!reports.length) {
      this.list.hidden = true;
      this.detail.replaceChildren(
        el('p', {}, 'There are no reports yet.'),
        el('p', { class: 'hint' }, 'tusk learn writes NAME.report.json beside each model. Reports in the data folder of Tusk (tusk serve --data DIR), or in its folder reports, are shown here.'));
      return;
    }
    const name = reports.some((report) => report.name === wanted) ? wanted : reports[0].name;
    this.list.replaceChildren(...reports.map((report) => el('a', {
      href: `#/learn/${encodeURIComponent(report.name)}`, class: 'event', 'aria-current': report.name === name ? 'true' : null,
    }, el('b', {}, report.name), el('small', {}, `${report.method ?? ''} ${day(report.written)}`))));
    try {
      this.draw(name, await ask('report', { name }));
    } catch (error) {
      this.detail.replaceChildren(el('p', { role: 'alert' }, sentence(error.message)));
    }
  }

  draw(name, report) {
    const parts = [el('div', {}, el('h2', {}, name), facts({
      method: report.method, data: [report.data].flat().filter(Boolean).join(', '), seed: report.seed,
    }))];
    const plots = [];
    if (report.loss?.length > 1) plots.push(el('div', {}, el('h2', {}, 'Loss'), lossPlot(report.loss)));
    if (report.calibration?.length) plots.push(el('div', {}, el('h2', {}, 'Calibration'), calibrationPlot(report.calibration)));
    if (plots.length) parts.push(el('div', { class: 'plots' }, plots));
    if (report.weights?.length) parts.push(el('div', {}, el('h2', {}, 'The greatest weights'), weightBars(report.weights)));
    for (const [key, heading] of [['figures', 'Figures'], ['ranks', 'How the turns that were played rank'], ['options', 'Options']]) {
      const told = report[key] && flat(report[key]);
      if (told && Object.keys(told).length) parts.push(el('details', { open: key !== 'options' }, el('summary', {}, heading), facts(told)));
    }
    this.detail.replaceChildren(...parts);
  }
}

const day = (seconds) => (seconds ? new Date(seconds * 1000).toISOString().slice(0, 10) : '');

/** Nested numbers and words, each by the way that leads to it. */
function flat(value, before = '') {
  if (value === null || typeof value !== 'object') return { [before]: value };
  return Object.assign({}, ...Object.entries(value).map(([key, part]) => flat(part, before ? `${before} ${key}` : key)));
}

function facts(values) {
  const rows = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return el('dl', { class: 'facts' }, rows.map(([key, value]) => el('div', {}, el('dt', {}, key.replaceAll('_', ' ')), el('dd', {}, typeof value === 'number' ? neat(value) : String(value)))));
}

/** A number with as many digits as say something. */
function neat(value) {
  if (Number.isInteger(value)) return value.toLocaleString('en');
  return Math.abs(value) >= 1e-3 && Math.abs(value) < 1e6 ? String(Number(value.toPrecision(4))) : value.toExponential(2);
}

const [WIDTH, HEIGHT, LEFT, BELOW] = [100, 46, 13, 6];

/** A plot of lines with axes: `series` are {points: [[x, y]], kind}. */
function plot(label, series, { xLabel, yLabel, extra = () => [] }) {
  const all = series.flatMap(({ points }) => points);
  const range = (index) => {
    const values = all.map((point) => point[index]);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return least === most ? [least - 0.5, most + 0.5] : [least, most];
  };
  const [[left, right], [low, high]] = [range(0), range(1)];
  const x = (value) => LEFT + ((value - left) / (right - left)) * (WIDTH - LEFT - 2);
  const y = (value) => HEIGHT - BELOW - ((value - low) / (high - low)) * (HEIGHT - BELOW - 3);
  const text = (at, words, anchor) => svg('text', { ...at, class: 'axis', 'text-anchor': anchor }, words);
  return svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'plot', role: 'img', 'aria-label': label },
    svg('path', { class: 'axes', d: `M${LEFT} 2V${HEIGHT - BELOW}H${WIDTH - 1}` }),
    text({ x: LEFT - 1, y: y(high) + 1 }, neat(high), 'end'), text({ x: LEFT - 1, y: y(low) }, neat(low), 'end'),
    text({ x: x(left), y: HEIGHT - 2 }, neat(left), 'start'), text({ x: x(right), y: HEIGHT - 2 }, neat(right), 'end'),
    text({ x: (LEFT + WIDTH) / 2, y: HEIGHT - 1.6 }, xLabel, 'middle'), text({ x: LEFT + 1, y: 4 }, yLabel, 'start'),
    extra(x, y),
    series.map(({ points, kind }) => svg('polyline', { class: `series ${kind}`, points: points.map((point) => `${x(point[0]).toFixed(2)},${y(point[1]).toFixed(2)}`).join(' ') })));
}

function lossPlot(loss) {
  const series = [{ kind: 'main', points: loss.map(({ step, loss: value }) => [step, value]) }];
  const validated = loss.filter(({ validation }) => validation !== null && validation !== undefined);
  if (validated.length > 1) series.push({ kind: 'second', points: validated.map(({ step, validation }) => [step, validation]) });
  const last = loss.at(-1);
  return el('figure', {}, plot(`Loss from ${neat(loss[0].loss)} to ${neat(last.loss)}`, series, { xLabel: 'step', yLabel: 'loss' }),
    series.length > 1 ? el('figcaption', { class: 'hint' }, el('i', { class: 'key main' }), ' training ', el('i', { class: 'key second' }), ' validation') : '');
}

/** What was foretold against what came, with the area of a point as the number of positions. */
function calibrationPlot(points) {
  const most = Math.max(...points.map(({ positions }) => positions ?? 1));
  const told = points.map(({ predicted, won }) => [predicted, won]);
  return el('figure', {}, plot('How often Gold won against how often it should have won', [{ kind: 'main', points: told }, { kind: 'ideal', points: [[0, 0], [1, 1]] }], {
    xLabel: 'foretold', yLabel: 'won',
    extra: (x, y) => points.map(({ predicted, won, positions }) => svg('circle', { cx: x(predicted), cy: y(won), r: 0.5 + 1.1 * Math.sqrt((positions ?? 1) / most), class: 'dot-turn' })),
  }), el('figcaption', { class: 'hint' }, 'On the diagonal, what was foretold came true.'));
}

function weightBars(weights) {
  const most = Math.max(...weights.map(({ weight }) => Math.abs(weight))) || 1;
  const rows = weights.slice(0, 30).map(({ function: name, term, weight }) => el('tr', {},
    el('th', { scope: 'row' }, `${name} ${term === '1' || !term ? '' : `· ${term}`}`),
    el('td', {}, neat(weight)),
    el('td', { class: 'bar-cell' }, el('i', { class: weight < 0 ? 'bar minus' : 'bar', style: `width: ${(100 * Math.abs(weight)) / most}%` }))));
  return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'The greatest weights' }, el('table', { class: 'numbers-table' }, el('caption', { class: 'hidden' }, 'The greatest weights'),
    el('thead', {}, el('tr', {}, ['weight of', '', ''].map((text) => el('th', { scope: 'col' }, text || el('span', { class: 'hidden' }, 'value'))))), el('tbody', {}, rows)));
}
