import type { AppSnapshot } from '@contract/app';
import type { ThreadState } from '@contract/conversation';

/** What a window showed, to render it before the main process answers. */
export interface Screen {
  app: AppSnapshot;
  /** Without its messages. */
  thread: ThreadState | null;
}

const SCREEN = 'deepdesk:screen';
/**
 * The script's file name contains its content hash, so only the code that wrote a saved screen reads it. That spares a
 * format check, which would delay the start.
 */
const WRITTEN_BY = import.meta.url;
/** Maximum threads to keep: more than any window shows at once. */
const MAX_THREADS = 200;

/** The storage key of the window with that view name. */
export const screenKey = (view: string): string => (view === '' ? SCREEN : `${SCREEN}:${view}`);

/** The part of the state that can be shown before the main process answers: no conversation text, no command, no address. */
export function screenOf(app: AppSnapshot, thread: ThreadState | undefined): Screen {
  return {
    app: {
      ...app,
      threads: firstThreads(app, thread).map((one) =>
        // Nothing is running any more when this is read.
        one.status === 'running' ? { ...one, status: 'interrupted' } : one,
      ),
      models: {
        ...app.models,
        providers: app.models.providers.map((provider) => ({ ...provider, baseUrl: null })),
      },
      terminals: [],
      rules: [],
      sandbox: null,
      warnings: [],
    },
    thread: thread === undefined ? null : bare(thread),
  };
}

/** The shown thread, the pinned ones, and the most recently changed ones, in their original order. */
function firstThreads({ threads }: AppSnapshot, shown: ThreadState | undefined): AppSnapshot['threads'] {
  if (threads.length <= MAX_THREADS) return threads;
  const rank = (one: AppSnapshot['threads'][number]) =>
    one.id === shown?.thread.id ? 2 : one.pinned === true ? 1 : 0;
  const kept = new Set(
    [...threads].sort((a, b) => rank(b) - rank(a) || b.updatedAt - a.updatedAt).slice(0, MAX_THREADS),
  );
  return threads.filter((one) => kept.has(one));
}

/** A thread without its messages; it only counts them, all as earlier ones. */
function bare({ thread, messages, earlier = 0, usage }: ThreadState): ThreadState {
  const said = earlier + messages.length;
  return {
    thread,
    messages: [],
    ...(said === 0 ? {} : { earlier: said }),
    approvals: [],
    todos: [],
    queue: [],
    usage,
    turn: { phase: 'idle' },
    seq: 0,
  };
}

/** Null if nothing was saved or another version saved it. */
export function readScreen(key: string): Screen | null {
  try {
    const kept: { by: string; screen: Screen } | null = JSON.parse(localStorage.getItem(key) ?? 'null');
    return kept?.by === WRITTEN_BY ? kept.screen : null;
  } catch {
    // Truncated or edited by hand: the window waits like a first one.
    return null;
  }
}

export function writeScreen(key: string, screen: Screen): void {
  const text = JSON.stringify({ by: WRITTEN_BY, screen });
  if (text === localStorage.getItem(key)) return;
  try {
    localStorage.setItem(key, text);
  } catch {
    // Storage is full, and drafts need the space more.
    localStorage.removeItem(key);
  }
}
