import type { AppSnapshot } from '@contract/app';
import type { CommandName, Input, Output } from '@contract/commands';
import type { ThreadState } from '@contract/conversation';
import type { AppEvent, HostEvent, ThreadEvent } from '@contract/events';
import type { MessageId, ThreadId } from '@contract/ids';
import { type AppError, type ErrorInWords, fail, type Result } from '@contract/result';
import { type Client, connect, type Port } from '@contract/rpc';
import { optional } from '@contract/shared/optional';
import { reduce } from '@contract/thread';
import { create } from 'zustand';
import { errorIn } from '../i18n/errors';
import { changedParts, reduceApp } from './app-state';
import { readScreen, screenKey, screenOf, writeScreen } from './screen';
import { betweenKeys } from './typing';

/**
 * A thread that some part of the window shows. `opening`: the snapshot is requested; events that arrive first wait in it.
 */
export type OpenThread =
  | { phase: 'opening'; early: ThreadEvent[]; last: ThreadState | undefined }
  | { phase: 'open'; state: ThreadState }
  | { phase: 'failed'; error: ErrorInWords };

/** Messages loaded when a thread opens; earlier ones load when the person scrolls there. */
const TAIL = 120;

interface LinkState {
  /** `waiting` for the port or the app's snapshot. */
  phase: 'waiting' | 'ready' | 'failed';
  error: ErrorInWords | undefined;
  /** While `waiting`, the last known state, if it was saved. */
  app: AppSnapshot | undefined;
  threads: ReadonlyMap<ThreadId, OpenThread>;
}

const EMPTY: LinkState = { phase: 'waiting', error: undefined, app: undefined, threads: new Map() };

/** What the window knows about the main process. Only this folder writes it. */
export const useLink = create<LinkState>(() => EMPTY);

let client: Client | undefined;
/** Calls made from the last known state, before there is a port. They are sent once, in this order. */
const postponed: (() => void)[] = [];
const users = new Map<ThreadId, number>();
const handlers = new Map<string, Set<(event: HostEvent) => void>>();

/**
 * Connects to the main process over `port` and requests the app's state. Closes an earlier port; shown threads are opened
 * again on the new one. Returns its undo.
 */
export function start(port: Port): () => void {
  client?.close();
  const mine = connect(port);
  client = mine;
  let early: AppEvent[] | undefined = [];

  const stopEvents = mine.onEvent((event) => {
    if (isThreadEvent(event)) receiveThread(event);
    else if (early) early.push(event);
    else receiveApp(event);
    for (const handle of handlers.get(event.type) ?? []) handle(event);
  });

  void mine.call('app.open', {}).then((result) => {
    if (client !== mine) return;
    if (!result.ok) {
      useLink.setState({ phase: 'failed', error: errorIn(language, result.error) });
      return;
    }
    const app = (early ?? []).reduce(reduceApp, result.value);
    early = undefined;
    useLink.setState({ phase: 'ready', error: undefined, app: changedParts(useLink.getState().app, app) });
  });
  for (const threadId of users.keys()) openThread(threadId);
  for (const ask of postponed.splice(0)) ask();

  return () => {
    stopEvents();
    mine.close();
    if (client === mine) {
      client = undefined;
      useLink.setState(EMPTY, true);
    }
  };
}

/** Shows the last known state of that view until the main process answers. Call it before the first render. */
export function showLast(view: string): void {
  const screen = useLink.getState().app === undefined ? readScreen(screenKey(view)) : null;
  if (screen === null) return;
  const { app, thread } = screen;
  useLink.setState({
    app,
    threads:
      thread === null
        ? new Map()
        : new Map([[thread.thread.id, { phase: 'opening', early: [], last: thread }]]),
  });
}

/** Milliseconds between two saves of what the window shows. */
const NOTE_EVERY = 2_000;

/** Saves what the window shows for `showLast`: periodically, and when the window closes. Returns its undo. */
export function keepScreen(view: string, shown: () => ThreadId | null): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = () => {
    timer = undefined;
    const { phase, app } = useLink.getState();
    const threadId = shown();
    if (phase === 'ready' && app)
      writeScreen(screenKey(view), screenOf(app, threadId === null ? undefined : openState(threadId)));
  };
  const stop = useLink.subscribe(() => {
    timer ??= setTimeout(keep, NOTE_EVERY);
  });
  window.addEventListener('pagehide', keep);
  return () => {
    stop();
    clearTimeout(timer);
    window.removeEventListener('pagehide', keep);
  };
}

/**
 * Calls the main process. Never rejects: a failure is `{ ok: false, error }`. Aborting cancels the work on the other side
 * and answers `cancelled`.
 */
export function call<C extends CommandName>(
  command: C,
  input: Input<C>,
  signal?: AbortSignal,
): Promise<Result<Output<C>, ErrorInWords>> {
  if (!client) {
    // The window is already rendered: the person's actions run when the main process is ready.
    if (useLink.getState().app !== undefined)
      return new Promise((resolve) => postponed.push(() => resolve(call(command, input, signal))));
    return Promise.resolve(inWords(fail('internal', 'not_connected')));
  }
  return client.call(command, input, signal).then((result) => (result.ok ? result : inWords(result)));
}

let language: Parameters<typeof errorIn>[0] = 'en';

const inWords = ({ error }: { error: AppError }): { ok: false; error: ErrorInWords } => ({
  ok: false,
  error: { ...errorIn(language, error), ...optional({ values: error.values }) },
});

/** Errors are in this language from now on. */
export function speakErrors(spoken: typeof language): void {
  language = spoken;
}

/** Calls `handler` for each event of that type from the main process. Returns its undo. */
export function onHostEvent<T extends HostEvent['type']>(
  type: T,
  handler: (event: Extract<HostEvent, { type: T }>) => void,
): () => void {
  const isMine = (event: HostEvent): event is Extract<HostEvent, { type: T }> => event.type === type;
  const handle = (event: HostEvent) => {
    if (isMine(event)) handler(event);
  };
  const set = handlers.get(type) ?? new Set();
  handlers.set(type, set);
  set.add(handle);
  return () => set.delete(handle);
}

/** Keeps the thread open for one more user. Returns its undo; the last one closes the thread. */
export function holdThread(threadId: ThreadId): () => void {
  const before = users.get(threadId) ?? 0;
  users.set(threadId, before + 1);
  if (before === 0) openThread(threadId);
  return () => {
    const left = (users.get(threadId) ?? 1) - 1;
    if (left > 0) {
      users.set(threadId, left);
      return;
    }
    users.delete(threadId);
    dropStreamed(threadId);
    setThread(threadId, undefined);
    if (client) void client.call('thread.close', { threadId });
  };
}

/** Opens a thread that could not be opened once more. */
export function reopenThread(threadId: ThreadId): void {
  if (users.has(threadId)) openThread(threadId);
}

function openThread(threadId: ThreadId): void {
  // The requested state contains it all.
  dropStreamed(threadId);
  const before = useLink.getState().threads.get(threadId);
  const opening: OpenThread = {
    phase: 'opening',
    early: [],
    last: before?.phase === 'open' ? before.state : before?.phase === 'opening' ? before.last : undefined,
  };
  setThread(threadId, opening);
  const asked = client;
  if (!asked) return;
  void asked.call('thread.open', { threadId, last: TAIL }).then((result) => {
    const now = useLink.getState().threads.get(threadId);
    if (client !== asked || now !== opening) return;
    if (!result.ok) setThread(threadId, { phase: 'failed', error: errorIn(language, result.error) });
    else setThread(threadId, { phase: 'open', state: opening.early.reduce(reduce, result.value) });
  });
}

const fetching = new Map<ThreadId, Promise<boolean>>();

/**
 * Loads messages before those that the window holds: `limit` of them, or all from `from` on. Resolves to whether any came.
 * Loads one page at a time: a call waits for one in progress.
 */
export async function loadEarlier(
  threadId: ThreadId,
  wanted: { limit: number; from?: MessageId },
): Promise<boolean> {
  const before = fetching.get(threadId);
  if (before !== undefined) {
    await before;
    const state = openState(threadId);
    if (wanted.from === undefined || state?.messages.some(({ id }) => id === wanted.from)) return true;
  }
  const page = fetchEarlier(threadId, wanted).finally(() => {
    if (fetching.get(threadId) === page) fetching.delete(threadId);
  });
  fetching.set(threadId, page);
  return page;
}

/** Maximum attempts to load a page when events arrive in between. */
const ATTEMPTS = 5;

async function fetchEarlier(
  threadId: ThreadId,
  wanted: { limit: number; from?: MessageId },
): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const first = openState(threadId)?.messages[0];
    if (!first || openState(threadId)?.earlier === undefined) return false;
    const result = await call('thread.earlier', { threadId, before: first.id, ...wanted });
    const state = openState(threadId);
    if (!result.ok || !state) return false;
    const { messages, earlier, seq } = result.value;
    // An event that arrived before the page may change a message in it.
    if (state.messages[0]?.id !== first.id || state.seq > seq) continue;
    const { earlier: _, ...rest } = state;
    setThread(threadId, {
      phase: 'open',
      state: { ...rest, messages: [...messages, ...state.messages], ...(earlier > 0 ? { earlier } : {}) },
    });
    return messages.length > 0;
  }
  return false;
}

/** The current state of a shown thread; undefined for others and until it arrives. */
export function openState(threadId: ThreadId): ThreadState | undefined {
  const open = useLink.getState().threads.get(threadId);
  return open?.phase === 'open' ? open.state : undefined;
}

/** Milliseconds: streamed text renders twenty times a second, which reads as well and costs half. */
const JOIN_WORDS_FOR = 45;
/** Additional milliseconds that the text waits while somebody types. */
const PATIENCE = 45;
/** Events held for a moment after streamed text was rendered. `stop` cancels the wait. */
const streamed = new Map<ThreadId, { events: ThreadEvent[]; stop: () => void }>();

/** Holds the thread's events from now on, until its text renders again. */
function holdStreamed(threadId: ThreadId): void {
  const held = { events: [], stop: () => clearTimeout(timer) };
  const timer = setTimeout(() => {
    held.stop = betweenKeys(() => applyStreamed(threadId), PATIENCE);
  }, JOIN_WORDS_FOR);
  streamed.set(threadId, held);
}

function applyStreamed(threadId: ThreadId): void {
  const held = streamed.get(threadId);
  dropStreamed(threadId);
  const state = openState(threadId);
  if (!held || !state || held.events.length === 0) return;
  const isWord = held.events.at(-1)?.type === 'message.delta';
  setThread(threadId, { phase: 'open', state: held.events.reduce(reduce, state) });
  if (isWord) holdStreamed(threadId);
}

function dropStreamed(threadId: ThreadId): void {
  streamed.get(threadId)?.stop();
  streamed.delete(threadId);
}

function receiveThread(event: ThreadEvent): void {
  const open = useLink.getState().threads.get(event.threadId);
  if (!open || open.phase === 'failed') return;
  if (open.phase === 'opening') {
    open.early.push(event);
    return;
  }
  const held = streamed.get(event.threadId);
  // A number is missing: request the whole state again rather than show a wrong one.
  if (event.seq > (held?.events.at(-1)?.seq ?? open.state.seq) + 1) {
    openThread(event.threadId);
    return;
  }
  if (held) {
    held.events.push(event);
    if (event.type !== 'message.delta') applyStreamed(event.threadId);
    return;
  }
  setThread(event.threadId, { phase: 'open', state: reduce(open.state, event) });
  if (event.type === 'message.delta') holdStreamed(event.threadId);
}

function receiveApp(event: AppEvent): void {
  const { app } = useLink.getState();
  if (!app) return;
  const next = reduceApp(app, event);
  // Hundreds of events a second (a terminal's output) carry no state: no subscriber needs to run for them.
  if (next !== app) useLink.setState({ app: next });
}

function setThread(threadId: ThreadId, thread: OpenThread | undefined): void {
  const threads = new Map(useLink.getState().threads);
  if (thread) threads.set(threadId, thread);
  else threads.delete(threadId);
  useLink.setState({ threads });
}

const isThreadEvent = (event: HostEvent): event is ThreadEvent => 'seq' in event;
