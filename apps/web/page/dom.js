// Small helpers to make elements.

/** An element: el('button', {class: 'x', onclick: f}, 'text', child). */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same for a picture. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** A button. */
export function button(text, onclick, attributes = {}) {
  return el('button', { type: 'button', onclick, ...attributes }, text);
}

/** A choice among [value, text]. */
export function select(label, options, value, onchange) {
  const choice = el('select', { 'aria-label': label }, options.map(([value, text]) => el('option', { value }, text)));
  choice.value = value;
  choice.addEventListener('change', () => onchange(choice.value));
  return el('label', { class: 'field' }, el('span', {}, label), choice);
}

/** What is kept in this browser. */
export const kept = {
  get(key, usual = null) {
    try {
      const text = localStorage.getItem(`tusk.${key}`);
      return text === null ? usual : JSON.parse(text);
    } catch {
      return usual;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`tusk.${key}`, JSON.stringify(value));
    } catch {
      // A browser that keeps nothing still plays.
    }
  },
};

/** Shows a dialog, and resolves with the value of the button that closes it. */
export function ask(title, content, buttons) {
  const dialog = document.getElementById('dialog');
  return new Promise((resolve) => {
    const row = buttons.map(([value, text, kind]) =>
      button(text, () => dialog.close(value), { class: kind ?? '' }));
    dialog.replaceChildren(el('h2', { id: 'dialog-title' }, title), content, el('div', { class: 'row end' }, row));
    dialog.onclose = () => resolve(dialog.returnValue);
    dialog.returnValue = '';
    dialog.showModal();
  });
}

/** Hands a text to the person as a file. */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  el('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Seconds as a clock shows them; the last ones of a countdown with tenths. */
export function clock(seconds, isCountdown = false) {
  const left = Math.max(0, seconds);
  const minutes = Math.floor(left / 60);
  const rest = isCountdown && left < 20 ? (left % 60).toFixed(1).padStart(4, '0') : String(Math.floor(left % 60)).padStart(2, '0');
  return `${minutes}:${rest}`;
}
