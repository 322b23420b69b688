// Reduces a recording to what is compared: its text without the differences between runs. `e2e/support/recording.ts` writes
// recordings.

/**
 * @typedef {{ type: string, [key: string]: unknown }} Event
 * @typedef {{ method: string, path: string, headers: Record<string, unknown>, body?: unknown }} Request
 * @typedef {{ file: string, title: string, temp: string, requests: Request[], events: Event[][], outputs: string[] }} Recording
 */

/** Headers that the HTTP client sets for the connection. */
const TRANSPORT = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'accept-language',
  'sec-fetch-mode',
]);
/** Headers that name the machine. */
const MACHINE = /^x-stainless-(os|arch|runtime-version)$/;

/** @type {[pattern: RegExp, replacement: string][]} */
const VARIABLE_TEXT = [
  [/\b(127\.0\.0\.1|localhost):\d+/g, '$1:<port>'],
  [/\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/g, '<time>'],
  [/\b20\d\d-\d\d-\d\d\b/g, '<date>'],
  [/^System: .+$/gm, 'System: <system>'],
];
/** UUIDs, hashes, and random ids with a provider's prefix. */
const ID =
  /\b([a-z]+[_-])?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{24,64}|(?<=[a-z][_-])[A-Za-z0-9]{24,})(?!\w)/g;
const TIME_KEY = /^(at|[a-z]+At|until|durationMs)$/;
/** Headers that name a version of the provider's API. */
const INTERFACE = /^anthropic-/;
/** Properties of a folder, a machine or a layout, not of the app's behavior. */
const MACHINE_KEY = /^(inode|cols|rows)$/;
/** Whether the window has shown an answer yet. */
const SEEN_KEY = /^unread$/;
/** Events that depend on when a window started to listen. Call results contain the output of terminals. */
const UNSTEADY_EVENTS = new Set(['sandbox.changed', 'terminal.data']);
/** Events ordered after everything before them. Between two of them, calls run in parallel. */
const BARRIERS = new Set(['turn.started', 'turn.ended', 'message.added', 'message.delta', 'message.removed']);
/** Counts that include the length of temporary paths. */
const COUNT_KEY = /^(usage|costMicroDollars|stepCost)$/;

/** Replaces what differs between runs. Ids are numbered in the order of their first use. */
class Normalizer {
  /** @type {Map<string, number>} */
  #ids = new Map();

  /** @param {string} text */
  text(text) {
    let normal = text;
    for (const [pattern, replacement] of VARIABLE_TEXT) normal = normal.replace(pattern, replacement);
    return normal.replace(ID, (id) => {
      if (!this.#ids.has(id)) this.#ids.set(id, this.#ids.size + 1);
      return `<id ${this.#ids.get(id)}>`;
    });
  }

  /**
   * @param {unknown} value
   * @param {string} [key]
   * @returns {unknown}
   */
  value(value, key = '') {
    if (typeof value === 'number' && TIME_KEY.test(key)) return '<time>';
    if (COUNT_KEY.test(key)) return '<count>';
    if (MACHINE_KEY.test(key)) return '<machine>';
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !SEEN_KEY.test(name))
        .map(([name, inner]) => [this.text(name), this.value(inner, name)]),
    );
  }
}

/** @param {Request} request */
function normalRequest({ method, path, headers, body }) {
  const normalizer = new Normalizer();
  const normalHeader = (/** @type {string} */ name, /** @type {unknown} */ value) => {
    if (MACHINE.test(name)) return '<machine>';
    return INTERFACE.test(name) ? value : normalizer.value(value);
  };
  const chosen = Object.entries(headers)
    .filter(([name]) => !TRANSPORT.has(name))
    .map(([name, value]) => [name, normalHeader(name, value)])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  return {
    method,
    path: normalizer.text(path),
    headers: Object.fromEntries(chosen),
    body: normalizer.value(body),
  };
}

/**
 * Merges each message into one event, at its end: streaming and batching depend on time. Keeps streamed text if the message
 * did not end or ended with other text.
 * @param {Event[]} events
 */
function joinStreams(events) {
  /** @type {Map<unknown, { text: string, reasoning: string }>} */
  const streams = new Map();
  const add = (/** @type {unknown} */ id, /** @type {Record<string, unknown>} */ piece) => {
    const { text, reasoning } = streams.get(id) ?? { text: '', reasoning: '' };
    streams.set(id, { text: `${text}${piece.text}`, reasoning: `${reasoning}${piece.reasoning}` });
  };
  /** @type {Event[]} */
  const joined = [];
  for (const event of events) {
    const message = /** @type {Record<string, unknown>} */ (event.message ?? {});
    if (event.type === 'message.delta') {
      add(event.messageId, event);
    } else if (event.type === 'message.added' && message.phase === 'streaming') {
      add(message.id, message);
    } else if (event.type === 'message.ended') {
      const streamed = streams.get(message.id);
      const isWhole =
        `${message.text}`.startsWith(streamed?.text ?? '') &&
        `${message.reasoning}`.startsWith(streamed?.reasoning ?? '');
      if (isWhole) streams.delete(message.id);
      joined.push({ ...event, type: 'message.added' });
    } else {
      joined.push(event);
    }
  }
  const left = [...streams].map(([messageId, text]) => ({ type: 'message.delta', messageId, ...text }));
  return [...joined, ...left];
}

/**
 * Sorts the events of parallel calls by call, in the order in which the agent made them.
 * @param {Event[]} events
 */
function orderCalls(events) {
  /** @type {unknown[]} */
  const calls = [];
  /** @type {Event[]} */
  const ordered = [];
  /** @type {{ lane: number, event: Event }[]} */
  let parallel = [];
  const flush = () => {
    ordered.push(...parallel.sort((a, b) => a.lane - b.lane).map(({ event }) => event));
    parallel = [];
  };
  for (const event of events) {
    if (BARRIERS.has(event.type)) {
      flush();
      const message = /** @type {{ calls?: { callId: string }[] } | undefined} */ (event.message);
      calls.push(...(message?.calls ?? []).map(({ callId }) => callId));
      ordered.push(event);
    } else {
      const approval = /** @type {{ callId?: string } | undefined} */ (event.approval);
      parallel.push({ lane: calls.indexOf(event.callId ?? approval?.callId), event });
    }
  }
  flush();
  return ordered;
}

/** @param {Event[]} events of one thread, repeated if several windows show it */
function normalThread(events) {
  const bySeq = new Map(events.map((event) => [Number(event.seq), event]));
  const ordered = [...bySeq].sort(([a], [b]) => a - b).map(([, { seq: _, ...event }]) => event);
  const normalizer = new Normalizer();
  return orderCalls(joinStreams(/** @type {Event[]} */ (ordered))).map((event) => normalizer.value(event));
}

/**
 * Events of the whole app: the content of each type without repetitions and order, because watchers, terminals and startup
 * checks run in parallel.
 * @param {Event[]} events
 */
function normalAppEvents(events) {
  const steady = events.filter(({ type }) => !UNSTEADY_EVENTS.has(type));
  const lines = steady
    // Which files a watcher reports, and how many together, depends on time.
    .map((event) => (event.type === 'files.changed' ? { type: event.type } : event))
    .map((event) => JSON.stringify(new Normalizer().value(event)));
  return [...new Set(lines)].sort().map((line) => JSON.parse(line));
}

/** @param {Event[]} events of one app */
function normalApp(events) {
  const ids = new Set(events.map(({ seq, threadId }) => (seq === undefined ? undefined : threadId)));
  ids.delete(undefined);
  const ofThread = (/** @type {unknown} */ id) =>
    events.filter((event) => event.seq !== undefined && event.threadId === id);
  return {
    threads: [...ids].map((id) => normalThread(ofThread(id))),
    app: normalAppEvents(events.filter(({ seq }) => seq === undefined)),
  };
}

/**
 * Output of the headless command: events if it prints JSON lines, otherwise text.
 * @param {string} output
 */
function normalOutput(output) {
  const lines = output.trim().split('\n');
  try {
    return normalThread(lines.map((line) => JSON.parse(line)));
  } catch {
    return lines.map((line) => new Normalizer().text(line));
  }
}

/**
 * Removes the path of the temporary folder and the random suffixes of folder names in it. Those names also appear alone, as project names.
 * @param {Recording} recording
 * @returns {Recording}
 */
function withSteadyNames(recording) {
  let text = JSON.stringify(recording).replaceAll(recording.temp, '<temp>');
  for (const [, name = '', end = ''] of text.matchAll(/<temp>\/([\w-]+)-(\w{6})(?!\w)/g))
    text = text.replaceAll(`${name}-${end}`, name);
  return JSON.parse(text);
}

/**
 * The comparable text of a recording.
 * @param {Recording} recording
 */
export function transcript(recording) {
  const { file, title, requests, events, outputs } = withSteadyNames(recording);
  return `${JSON.stringify(
    {
      file,
      title,
      requests: requests.map(normalRequest),
      apps: events.map(normalApp),
      outputs: outputs.map(normalOutput),
    },
    null,
    1,
  )}\n`;
}
