import { readdir } from 'node:fs/promises';
import { ThreadId } from '../contract/ids';
import { watchDecisions } from './approvals/inbox';
import type { HostOptions } from './host-options';
import type { Services } from './services';
import { isDatabaseSetAside } from './settings/data-names';
import { indexInIdle } from './threads/message-indexer';
import { nameThreads } from './threads/thread-titles';
import { guardFolders } from './turns/folder-guard';
import { notifyAwaitedInput } from './turns/input-notification';
import { notifyFinishedTurns } from './turns/turn-notification';
import { TurnObserver } from './turns/turn-observer';
import type { Turns } from './turns/turns';

/** Milliseconds to find local model servers. */
const LOCAL_SERVERS_WITHIN = 2_000;
const DAY = 24 * 60 * 60 * 1_000;

/** Background work other than runs and commands, from start to close. */
export interface Background {
  /** Starts no new work. */
  stop(): void;
  /** Resolves when all started work has finished. */
  settled(): Promise<void>;
}

/** Starts the background work: folder checks, notifications, the index, titles, local models and cleanup. */
export function startBackground(
  options: HostOptions,
  services: Services,
  turns: Turns,
  isFirst: boolean,
): Background {
  const { storage, hub, projects, models, changeLog } = services;
  const { desktop, report } = options;
  const watched = { storage, hub, desktop, report };
  const undo = [
    guardFolders({ hub, projects, turns, report }),
    watchDecisions(watched),
    notifyFinishedTurns(watched),
    notifyAwaitedInput(watched),
    indexInIdle(storage, hub, (error) => report('index of words', error)),
  ];
  if (options.titles === true) {
    undo.push(
      nameThreads({
        hub,
        thread: (threadId) => turns.loaded(threadId),
        wanted: () => storage.settings.read().titles !== false,
        models: (threadId, model) =>
          models.forRun(threadId, model, { onRetry: () => undefined, onFallback: () => undefined }),
        onSpent: (live, spent) => new TurnObserver(live, storage, async () => undefined).spent(null, spent),
      }),
    );
  }
  if (isFirst)
    changeLog.start(storage.projects.list()).catch((error: unknown) => report('unfinished reverts', error));
  const swept = isFirst
    ? sweep(services, options.dataDir).catch((error: unknown) => report('left-overs', error))
    : null;
  // A new person is offered the models on this machine. The check takes half a second at most and fails silently.
  const closing = new AbortController();
  const looking = storage.settings.read().onboarded
    ? null
    : models.lists
        .refresh(AbortSignal.any([closing.signal, AbortSignal.timeout(LOCAL_SERVERS_WITHIN)]))
        .catch((error: unknown) => report('models', error));
  return {
    stop: () => {
      closing.abort();
      models.lists.stop();
      for (const one of undo) one();
    },
    settled: async () => {
      await Promise.all([looking, swept]);
    },
  };
}

/** Removes threads that were deleted long ago and files that belong to no thread. */
async function sweep(
  { storage, budgets, outputs, media, attachments, sandboxes, rehearsals, copies }: Services,
  dataDir: string,
): Promise<void> {
  // Before anything else can start: a fork or an import saves the agent's state first.
  const statesAlone = storage.threads.statesAlone();
  await rehearsals.recover();
  const erased = new Set<string>(await storage.purge(Date.now() - budgets.deletedDays * DAY, statesAlone));
  const isSetAside = (await readdir(dataDir)).some(isDatabaseSetAside);
  const isKept = (id: string) => {
    const known = ThreadId.safeParse(id);
    if (!known.success || erased.has(id)) return false;
    // A deleted thread can be restored, and so can a database that was set aside, with threads that this one does not know.
    return isSetAside || storage.threads.erased([known.data]).length === 0;
  };
  await Promise.all([outputs, media, attachments, sandboxes].map((kept) => kept.sweep(isKept)));
  await copies.removeUnused();
}
