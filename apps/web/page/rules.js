// The rules, learned by doing: each lesson is a position and something to achieve in it.

import { ask, games } from './api.js';
import { Board } from './board.js';
import { button, el, kept, select } from './dom.js';
import { positionText } from './editor.js';
import { Entry } from './entry.js';

const has = (pieces, piece, ...places) => places.some((place) => pieces[place] === piece);
const count = (pieces, piece) => Object.values(pieces).filter((each) => each[0] === piece).length;
const ROW8 = [...'abcdefgh'].map((file) => `${file}8`);

/** Pieces as `Ee4 Ra1`. */
function set(text) {
  return Object.fromEntries(text.split(' ').map((word) => [word.slice(1, 3), word[0] + (word[3] ?? '')]));
}

const ARIMAA = [
  {
    title: 'The goal',
    text: ['Arimaa is played on eight rows by Gold, below, and Silver. You win when one of your rabbits reaches the far row.',
      'A turn has up to four steps. A step takes a piece to an empty square beside it: never diagonally.'],
    task: 'Bring the gold rabbit to the eighth row.',
    pieces: set('Rd5 Ee4 Rh1 ra8 rb8 eb5'),
    show: 'Rd5n Rd6n Rd7n',
    done: ({ pieces }) => has(pieces, 'R', ...ROW8),
  },
  {
    title: 'Four steps',
    text: ['The four steps can be shared among your pieces as you like, and you may stop sooner. The numbers show how many steps it takes.',
      'Rabbits go forwards and sideways, never back. All others go anywhere.'],
    task: 'Bring the elephant to d5 and the dog to b3, in one turn.',
    pieces: set('Ec4 Db2 Ra1 Rh1 rh8 ra8'),
    show: 'Ec4e Ed4n Db2n',
    done: ({ pieces }) => has(pieces, 'E', 'd5') && has(pieces, 'D', 'b3'),
  },
  {
    title: 'Pushing',
    text: ['From strong to weak: elephant, camel, horse, dog, cat, rabbit. A stronger piece pushes a weaker enemy beside it to an empty square, and takes its place. That costs two steps.',
      'Drag the enemy where it shall go. Or click your piece, then the enemy, then the square.'],
    task: 'Push the silver horse away from e5.',
    pieces: set('Ee4 he5 Ra1 Rh1 rh8 ra8'),
    show: 'he5n Ee4n',
    done: ({ pieces }) => !has(pieces, 'h', 'e5'),
  },
  {
    title: 'Pulling',
    text: ['A stronger piece can also pull: it steps away, and a weaker enemy that was beside it follows to where it stood. That costs two steps as well.',
      'Drag the enemy onto your piece, then choose where yours goes.'],
    task: 'Pull the silver cat from d6 to d5.',
    pieces: set('Hd5 cd6 Ra1 Rh1 rh8 ra8'),
    show: 'Hd5s cd6s',
    done: ({ pieces }) => has(pieces, 'c', 'd5'),
  },
  {
    title: 'Freezing',
    text: ['A piece beside a stronger enemy is frozen: it cannot move, unless a friend stands beside it too. Frozen pieces have a dashed rim.'],
    task: 'The dog on d4 is frozen by the camel. Bring a friend beside it.',
    pieces: set('Dd4 me4 Cb3 Ra1 Rh1 rh8 ra8'),
    show: 'Cb3n Cb4e',
    done: ({ pieces, frozen }) => has(pieces, 'D', 'd4') && !frozen.includes('d4'),
  },
  {
    title: 'Traps',
    text: ['The four crossed squares are traps. A piece on a trap is lost at once, unless a friend stands beside the trap. That holds for your own pieces too.'],
    task: 'Capture the silver dog: bring it into the trap on c6.',
    pieces: set('Ec4 dc5 Ra1 Rh1 rh8 ra8'),
    show: 'dc5n Ec4n',
    done: ({ pieces }) => count(pieces, 'd') === 0,
  },
  {
    title: 'Guards',
    text: ['The dog on f6 stands on a trap and lives, because the cat guards it. Take the guard away and the dog is lost.'],
    task: 'Capture the dog on f6 by moving its guard.',
    pieces: set('Hf4 df6 cf5 Ra1 Rh1 rh8 ra8'),
    show: 'cf5e Hf4n',
    done: ({ pieces }) => count(pieces, 'd') === 0,
  },
  {
    title: 'Winning',
    text: ['You also win if the enemy has no rabbits left, or cannot move. A turn must change the board, and may not bring about the same position for the third time.',
      'In a game, each side first sets up its sixteen pieces on its own two rows.'],
    task: 'There is a goal within this turn, but something is in the way.',
    pieces: set('Rd7 Ec8 cd8 re7 rf8 Rh1'),
    show: 'Ec8s cd8w Rd7n',
    done: ({ pieces }) => has(pieces, 'R', ...ROW8),
  },
];

const TZAAR = [
  {
    title: 'Capturing',
    text: ['Tzaar is played on the crossings of lines. Each side has three types: six Tzaars with a crown, nine Tzarras with a ring, fifteen plain Totts.',
      'A turn has two moves. The first must be a capture: a stack goes along a line, over empty crossings, to the first stack it meets. If that is the enemy\'s and not higher, it is captured.'],
    task: 'Capture a black stack.',
    pieces: set('TE4 AB2 ZC3 tE6 tF3 aG3 zH4 tD2'),
    show: 'E4xF3',
    done: ({ steps }) => steps.length > 0,
  },
  {
    title: 'Stacking',
    text: ['The second move is a capture again, a stacking, or a pass. Stacking puts one of your stacks onto another: higher stacks can be captured only by stacks as high.'],
    task: 'Capture, then make one of your stacks two high.',
    pieces: set('TE4 AB2 ZC3 TC2 tE6 tF3 aG3 zH4 tD2'),
    show: 'E4xF3 C3+C2',
    done: ({ pieces }) => Object.values(pieces).some((piece) => piece === piece.toUpperCase() && Number(piece.slice(1)) > 1),
  },
  {
    title: 'Winning',
    text: ['A stack counts as the type on its top. Who has none of one of the three types in sight has lost; so has who cannot capture with the first move.'],
    task: 'Black shows one Tzaar only. Capture it.',
    pieces: set('TE4 AB2 ZC3 tE6 aD2 zE2 tH4'),
    show: 'E4xE2',
    done: ({ pieces }) => count(pieces, 'z') === 0,
  },
];

const LESSONS = { arimaa: ARIMAA, tzaar: TZAAR };

export async function show(main) {
  await games();
  const view = new Rules(main, kept.get('rules.game', 'arimaa'));
  await view.go(kept.get(`rules.${view.name}`, 0));
  return view;
}

class Rules {
  constructor(main, name) {
    this.main = main;
    this.choose(name);
  }

  end() {}

  choose(name) {
    this.name = name;
    kept.set('rules.game', name);
    this.lessons = LESSONS[name];
    this.done = new Set(kept.get(`rules.${name}.done`, []));
    this.board = new Board(name, { label: 'The board of the lesson' });
    this.entry = new Entry(this.board, { onchange: (state) => this.draw(state), onsay: (text) => this.say(text || this.praise()) });
    this.text = el('div', { class: 'text-panel' });
    this.message = el('p', { class: 'message', role: 'status', 'aria-live': 'polite' });
    this.controls = el('div', { class: 'controls' });
    this.main.replaceChildren(
      el('h1', { class: 'hidden' }, 'The rules'),
      el('div', { class: 'stage lesson' },
        el('section', { class: 'board-box', 'aria-label': 'Board' }, this.board.element),
        el('section', { class: 'panel', 'aria-label': 'Lesson' },
          el('div', { class: 'row' }, select('Game', [['arimaa', 'Arimaa'], ['tzaar', 'Tzaar']], name, (value) => {
            this.choose(value);
            this.go(kept.get(`rules.${value}`, 0));
          })), this.text, this.message, this.controls)));
  }

  praise() {
    if (!this.isDone) return '';
    return this.index + 1 < this.lessons.length ? 'Well done.' : 'Well done. You know the rules: play a game against the beginner, with Tusk as your guide.';
  }

  say(text) {
    this.message.textContent = text;
  }

  async go(index) {
    this.index = Math.max(0, Math.min(this.lessons.length - 1, index));
    kept.set(`rules.${this.name}`, this.index);
    this.isDone = false;
    const lesson = this.lessons[this.index];
    const start = positionText(this.name, lesson.pieces, 0);
    this.board.setArrows([]);
    await this.entry.open({ name: this.name, start, turns: [] }, { animate: false });
    this.say('');
  }

  draw(state) {
    const lesson = this.lessons[this.index];
    this.state = state;
    if (!this.isDone && lesson.done(state)) {
      this.isDone = true;
      this.done.add(this.index);
      kept.set(`rules.${this.name}.done`, [...this.done]);
      this.board.setArrows([]);
      this.say(this.praise());
    }
    this.text.replaceChildren(
      el('h2', {}, `${this.index + 1}. ${lesson.title}`), ...lesson.text.map((line) => el('p', {}, line)),
      el('p', {}, el('strong', {}, lesson.task), this.isDone ? el('span', { class: 'done-mark' }, ' ✓') : null));
    const isLast = this.index + 1 === this.lessons.length;
    this.controls.replaceChildren(
      el('div', { class: 'row entered' }, el('span', { class: 'steps-left' }, `${state.steps_left} left`), el('code', {}, state.steps.join(' '))),
      el('div', { class: 'row' },
        button('Undo', () => this.entry.undo(), { disabled: !state.steps.length }),
        button('Start again', () => this.go(this.index)),
        button('Show me', () => this.guide()),
        isLast
          ? el('a', { class: 'wide', href: '#/play/guided' }, 'Play a game with a guide')
          : button('Next', () => this.go(this.index + 1), { class: this.isDone ? 'primary wide' : 'wide' })),
      el('ol', { class: 'dots row', 'aria-label': 'Lessons' }, this.lessons.map((each, index) => el('li', {},
        button(this.done.has(index) ? '✓' : String(index + 1), () => this.go(index), {
          'aria-label': `Lesson ${index + 1}: ${each.title}`, class: 'toggle', 'aria-pressed': String(index === this.index),
        })))));
  }

  /** Shows a way to do it. */
  async guide() {
    await this.go(this.index);
    const { show: steps } = this.lessons[this.index];
    const { trail } = await ask('position', { game: this.entry.game, steps });
    this.board.setArrows([trail]);
    this.say(`For example: ${steps}`);
  }

  key(event) {
    if (event.target.matches?.('button, a, input, select')) return;
    if (event.key === 'Backspace') {
      event.preventDefault();
      this.entry.undo();
    } else if (event.key === 'Escape') this.entry.reset();
    else if (event.key === 'Enter' && this.isDone) this.go(this.index + 1);
  }
}
