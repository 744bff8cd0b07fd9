// Parts that several views share: lists of turns, captured pieces, the text of scores.

import { looks } from './board.js';
import { ask, button, el, svg } from './dom.js';

/** The turns of a game in rows of two; `onclick(index)` is told how many turns are before the position meant. */
export function turnList(state, viewed, onclick, decorate = null) {
  const list = el('ol', { class: 'turns', 'aria-label': 'The turns of the game' });
  state.game.turns.forEach((turn, index) => {
    const isNow = index + 1 === viewed;
    const text = /^[A-Za-z][a-h][1-8]( |$)/.test(turn) ? 'sets up' : turn;
    const item = button([el('b', {}, state.labels[index]), ` ${text}`], () => onclick(index + 1), {
      class: isNow ? 'turn now' : 'turn', title: turn, 'aria-current': isNow ? 'true' : null,
    });
    decorate?.(item, index);
    list.append(el('li', {}, item));
  });
  queueMicrotask(() => {
    const now = list.querySelector('.now');
    if (now && list.isConnected) list.scrollTop = Math.max(0, now.offsetTop - list.clientHeight / 2);
  });
  return list;
}

/** Small pictures of pieces. */
export function small(game, pieces) {
  return pieces.map((piece) => {
    const picture = svg('svg', { viewBox: '-.5 -.5 1 1', class: 'small', 'aria-hidden': 'true' }, looks[game].drawPiece(piece));
    for (const disc of picture.querySelectorAll('.disc')) disc.classList.add('flat');
    return picture;
  });
}

/** What a side has lost, or still shows. */
export function losses(game, pieces, side) {
  const look = looks[game];
  if (game === 'arimaa') {
    const lost = look.captured(pieces)[side];
    return el('span', { class: 'losses', 'aria-label': lost.length ? `lost: ${lost.map(look.nameOf).join(', ')}` : 'nothing lost', role: 'img' },
      small(game, lost));
  }
  const counts = look.shown(pieces)[side];
  const words = `${counts.z} tzaars, ${counts.a} tzarras, ${counts.t} totts`;
  const letters = ['z', 'a', 't'].map((kind) => (side ? kind : kind.toUpperCase()));
  return el('span', { class: 'losses', 'aria-label': words, role: 'img' },
    letters.flatMap((letter, index) => [...small(game, [letter]), el('small', {}, String(counts['zat'[index]]))]));
}

/** A verdict as people read it, for the side to move. */
export function verdict({ score, proof }) {
  if (proof) return proof.result === 'win' ? `wins in ${proof.turns}` : `loses in ${proof.turns}`;
  if (score === null || score === undefined) return '–';
  return `${score > 0 ? '+' : score < 0 ? '−' : ''}${(Math.abs(score) / 100).toFixed(2)}`;
}

/** The same for the side that has begun, as in other games: positive is good for Gold or White. */
export function verdictFor(line, side, spec) {
  if (line.proof) {
    const winner = (line.proof.result === 'win') === (side === 0) ? 0 : 1;
    return `${spec.sides[winner].name} in ${line.proof.turns}`;
  }
  const score = line.score === null || line.score === undefined ? line.score : line.score * (side ? -1 : 1);
  return verdict({ score, proof: null });
}

/** A number that is short: 1.2 M. */
export function short(number) {
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  if (number >= 1e3) return `${(number / 1e3).toFixed(0)} k`;
  return String(Math.round(number));
}

/** The name of an engine as people write it. */
export function title(name) {
  return name === 'mcts' ? 'MCTS' : name[0].toUpperCase() + name.slice(1);
}

/** The names of the values of a switch or a choice, in the order of their numbers. */
const valueNames = ({ type, names }) => (type === 'switch' ? ['false', 'true'] : names);

/** The default of a parameter as the number that requests have. */
function defaultNumber(parameter) {
  return parameter.type === 'number' ? parameter.default : valueNames(parameter).indexOf(String(parameter.default));
}

/** The range of a parameter with its unit and default. */
function parameterRange(parameter) {
  const { type, least, most, unit } = parameter;
  if (type !== 'number') return `default ${parameter.default}`;
  return `${least} to ${most}${unit ? ` ${unit}` : ''}, default ${parameter.default}`;
}

/** A field for a parameter: a number, or the names of its values. */
function parameterInput(parameter, value) {
  const { name, type, least, most } = parameter;
  const attributes = { id: `parameter-${name}`, 'aria-describedby': `about-${name}` };
  if (type === 'number') return el('input', { type: 'number', min: least, max: most, value, ...attributes });
  const options = valueNames(parameter).map((text, index) => el('option', { value: index, selected: index === value }, text));
  return el('select', attributes, options);
}

/** Asks for parameters that are declared; resolves with those that are not as usual, or with nothing if they stay. */
export async function askParameters(heading, declared, set, note) {
  const inputs = declared.map((parameter) => {
    const { name, about } = parameter;
    const usual = defaultNumber(parameter);
    const input = parameterInput(parameter, set[name] ?? usual);
    const mark = () => row.classList.toggle('changed', Number(input.value) !== usual);
    input.addEventListener('input', mark);
    const row = el('div', { class: 'parameter' }, el('label', { for: `parameter-${name}` }, name.replaceAll('_', ' ')), input,
      el('small', { id: `about-${name}` }, `${about} (${parameterRange(parameter)})`));
    mark();
    return { name, usual, input };
  });
  const rows = inputs.map(({ input }) => input.parentElement);
  const filter = el('input', { type: 'search', placeholder: 'Find a parameter', 'aria-label': 'Find a parameter' });
  filter.addEventListener('input', () => {
    const words = filter.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(words);
  });
  const content = el('div', { class: 'form' }, el('p', { class: 'hint' }, note), filter, el('div', { class: 'parameters', tabindex: '0', role: 'group', 'aria-label': heading }, rows));
  const answer = await ask(heading, content, [['', 'Cancel'], ['usual', 'All as usual'], ['set', 'Set', 'primary']]);
  if (answer === 'usual') return {};
  if (answer !== 'set') return null;
  const changed = inputs.filter(({ usual, input }) => input.value !== '' && input.checkValidity() && Number(input.value) !== usual);
  return Object.fromEntries(changed.map(({ name, input }) => [name, Number(input.value)]));
}
