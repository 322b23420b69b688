import type { AppSnapshot } from '@contract/app';
import type { ThreadState } from '@contract/conversation';

/** What a window showed, for drawing it before the main process can be asked. */
export interface Screen {
  app: AppSnapshot;
  /** Without what was said in it. */
  thread: ThreadState | null;
}

const SCREEN = 'deepdesk:screen';
/**
 * The name of this script is that of its content: what was kept is read by the code that wrote it, or not at all. So its
 * form needs no check, which a start would wait for.
 */
const WRITTEN_BY = import.meta.url;
/** Threads that are kept at most: more than any window shows at once. */
const MOST_THREADS = 200;

/** Where the window of that name keeps it. The name is that of its view. */
export const screenKey = (view: string): string => (view === '' ? SCREEN : `${SCREEN}:${view}`);

/** What can be shown of the state before the main process is asked for it: no text of a conversation, no command, no address. */
export function screenOf(app: AppSnapshot, thread: ThreadState | undefined): Screen {
  return {
    app: {
      ...app,
      threads: firstThreads(app, thread).map((one) =>
        // Nothing runs when it is read.
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

/** The shown one, those on top of their projects, and the last changed ones, in the order in which they were. */
function firstThreads({ threads }: AppSnapshot, shown: ThreadState | undefined): AppSnapshot['threads'] {
  if (threads.length <= MOST_THREADS) return threads;
  const rank = (one: AppSnapshot['threads'][number]) =>
    one.id === shown?.thread.id ? 2 : one.pinned === true ? 1 : 0;
  const kept = new Set(
    [...threads].sort((a, b) => rank(b) - rank(a) || b.updatedAt - a.updatedAt).slice(0, MOST_THREADS),
  );
  return threads.filter((one) => kept.has(one));
}

/** A thread of which is known that things were said in it, not which: they all come before those that it holds, none. */
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

/** Null where nothing was kept, or by another version. */
export function readScreen(key: string): Screen | null {
  try {
    const kept: { by: string; screen: Screen } | null = JSON.parse(localStorage.getItem(key) ?? 'null');
    return kept?.by === WRITTEN_BY ? kept.screen : null;
  } catch {
    // Cut short, or written by hand: the window waits, as a first one does.
    return null;
  }
}

export function writeScreen(key: string, screen: Screen): void {
  const text = JSON.stringify({ by: WRITTEN_BY, screen });
  if (text === localStorage.getItem(key)) return;
  try {
    localStorage.setItem(key, text);
  } catch {
    // Storage is full: what drafts need is worth more.
    localStorage.removeItem(key);
  }
}
