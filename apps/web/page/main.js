// The page: which view is shown, its colours and keys.

import * as analyse from './analyse.js';
import { ask, el, kept } from './dom.js';
import * as learn from './learn.js';
import * as matches from './matches.js';
import * as play from './play.js';
import * as puzzles from './puzzles.js';
import * as rules from './rules.js';
import * as searchTree from './search.js';
import * as solve from './solve.js';

const VIEWS = [['play', 'Play', play], ['analyse', 'Analyse', analyse], ['solve', 'Solve', solve], ['search', 'Tree', searchTree], ['matches', 'Matches', matches], ['puzzles', 'Puzzles', puzzles], ['learn', 'Learn', learn], ['rules', 'Rules', rules]];

let view = null;

async function route() {
  const [, name = '', rest = ''] = location.hash.split('/');
  const [key, label, module] = VIEWS.find(([known]) => known === name) ?? VIEWS[0];
  for (const link of document.querySelectorAll('#nav a')) {
    if (link.dataset.view === key) {
      link.setAttribute('aria-current', 'page');
      link.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
    else link.removeAttribute('aria-current');
  }
  document.title = `Tusk – ${label}`;
  view?.end?.();
  view = null;
  const main = document.getElementById('main');
  try {
    view = await module.show(main, rest);
  } catch (error) {
    main.replaceChildren(el('p', { class: 'message', role: 'alert' }, error.message));
    setTimeout(() => { if (!view) route(); }, 1500);
  }
}

function colours() {
  const theme = kept.get('theme', 'auto');
  document.documentElement.dataset.theme = theme;
  const button = document.getElementById('theme');
  button.textContent = { auto: '◐', light: '☀', dark: '☾' }[theme];
  button.title = `Colours: ${theme}`;
}

function motion() {
  const usual = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (kept.get('motion') === null) kept.set('motion', usual);
  document.getElementById('motion').setAttribute('aria-pressed', String(kept.get('motion', usual)));
}

const HELP = [
  ['Click, or Space on the board', 'picks up a piece and puts it down'],
  ['Drag', 'moves a piece, along the way that you draw; an enemy piece is pushed or pulled'],
  ['Enter', 'plays the turn'],
  ['Backspace', 'takes the last step back'],
  ['Escape', 'puts the piece down; once more, takes all steps back'],
  ['Arrow keys', 'move on the board, or through the game when the board has no focus'],
  ['F', 'turns the board around'],
  ['M, E', 'in an analysis: the next mistake; the engine on and off'],
  ['Arrow keys, Enter, *', 'in a tree: move, open and close; open all beside it'],
];

function help() {
  const rows = HELP.map(([key, text]) => el('div', {}, el('dt', {}, key), el('dd', {}, text)));
  return ask('Keys', el('dl', { class: 'keys' }, rows), [['', 'Close', 'primary']]);
}

document.getElementById('nav').append(...VIEWS.map(([key, label]) => el('a', { href: `#/${key}`, 'data-view': key }, label)));
document.getElementById('theme').addEventListener('click', () => {
  const order = ['auto', 'light', 'dark'];
  kept.set('theme', order[(order.indexOf(kept.get('theme', 'auto')) + 1) % 3]);
  colours();
});
document.getElementById('motion').addEventListener('click', () => {
  kept.set('motion', !kept.get('motion', true));
  motion();
});
document.getElementById('help').addEventListener('click', help);
document.addEventListener('keydown', (event) => {
  if (document.getElementById('dialog').open || event.ctrlKey || event.altKey || event.metaKey) return;
  view?.key?.(event);
});
addEventListener('hashchange', route);
colours();
motion();
route();
