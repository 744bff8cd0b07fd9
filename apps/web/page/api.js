// The connection to the server: questions with an id, reports on the way, and a last answer. See docs/api.md.

let socket = null;
let opening = null;
let next = 1;
let pause = 250;
const open = new Map();

function setOnline(isOnline) {
  const line = document.getElementById('offline');
  if (line) line.hidden = isOnline;
}

function connect() {
  opening ??= new Promise((resolve, reject) => {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const fresh = new WebSocket(`${scheme}://${location.host}/api/v1/socket`);
    fresh.onopen = () => {
      socket = fresh;
      pause = 250;
      setOnline(true);
      resolve(fresh);
    };
    fresh.onmessage = (event) => hear(JSON.parse(event.data));
    fresh.onclose = () => {
      socket = null;
      opening = null;
      reject(new Error('The connection to Tusk is lost.'));
      for (const request of open.values()) request.reject(new Error('The connection to Tusk is lost.'));
      open.clear();
      showWaiting();
      setOnline(false);
      setTimeout(() => connect().catch(() => {}), pause);
      pause = Math.min(5000, pause * 2);
    };
  });
  return opening;
}

/** Shows why a search waits, as long as one does. */
function showWaiting() {
  const line = document.getElementById('waiting');
  if (!line) return;
  const waiting = [...open.values()].find((request) => request.waiting);
  line.hidden = !waiting;
  line.textContent = waiting ? `Please wait: ${waiting.waiting}.` : '';
}

function hear(message) {
  const request = open.get(message.id);
  if (!request) return;
  const wasWaiting = request.waiting;
  request.waiting = message.waiting;
  if (message.done) open.delete(message.id);
  if (wasWaiting || request.waiting) showWaiting();
  if (message.waiting) return;
  if (!message.done) {
    request.report?.(message.result);
    return;
  }
  if (message.error === undefined) request.resolve(message.result);
  else request.reject(new Error(message.error));
}

/** Asks, and resolves with the last answer; `report` hears those before. */
export function ask(verb, params = {}, { report = null, priority = 0 } = {}) {
  return search(verb, params, { report, priority }).answer;
}

/** The same, with a way to cancel it. */
export function search(verb, params = {}, { report = null, priority = 0 } = {}) {
  const id = String(next++);
  let isCancelled = false;
  const answer = new Promise((resolve, reject) => {
    const send = (ready) => {
      if (isCancelled) {
        reject(new Error('cancelled'));
        return;
      }
      open.set(id, { resolve, reject, report });
      ready.send(JSON.stringify({ id, verb, priority, params }));
    };
    if (socket?.readyState === WebSocket.OPEN) send(socket);
    else connect().then(send, reject);
  });
  const cancel = () => {
    isCancelled = true;
    if (open.has(id) && socket?.readyState === WebSocket.OPEN) {
      socket.send(JSON.stringify({ id: String(next++), verb: 'cancel', params: { search: id } }));
    }
  };
  return { answer, cancel, id };
}

let about = null;

function askAbout() {
  about ??= ask('about');
  about.catch(() => {
    about = null;
  });
  return about;
}

/** The games and engines there are. */
export async function games() {
  return new Map((await askAbout()).games.map((game) => [game.name, game]));
}

/** What can be set of a search for a proof. */
export async function solverParameters() {
  return (await askAbout()).solver;
}
