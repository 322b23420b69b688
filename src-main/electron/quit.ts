import { setTimeout as sleep } from 'node:timers/promises';
import { app, BrowserWindow, dialog, type PowerMonitor, session } from 'electron';
import type { NativeText } from '../../src-renderer/i18n/native';
import { type AtWork, isAtWork } from '../host/window/desktop-services';

/**
 * Milliseconds that quitting waits for runs and terminals to stop. With the exit itself it takes less than three seconds.
 */
const QUIT_WITHIN = 2_500;

/** Milliseconds between two looks at the file system calls that hold the exit. */
const LOOKS_EVERY = 20;

/** Whether a thread is in a file system call. */
const isHeld = () => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));

/**
 * Ends the process. `exit` would wait forever for a thread that hangs in a file system call, such as one on a pipe without a
 * writer, so the process is killed if there still is one at `deadline`. A kill skips what Chromium does at its exit, such as
 * writing the windows' drafts, so a call that is just about to return is waited for.
 */
async function end(deadline: number): Promise<void> {
  while (isHeld() && performance.now() < deadline) await sleep(LOOKS_EVERY);
  if (isHeld()) {
    process.emit('exit', 0);
    process.kill(process.pid, 'SIGKILL');
  } else app.exit(0);
}

export interface Quitting {
  /** Asks before the last window closes while work is running. */
  watch(window: BrowserWindow): void;
  /** Quits without asking, as the system requires. */
  now(): void;
  /** Quits when the system shuts down or the person logs out. */
  withSystem(monitor: PowerMonitor): void;
}

/**
 * Shuts the app down cleanly. The person is asked before work is stopped; the system is not. Either way the host gets three
 * seconds to stop its work, then the process exits even if something hangs.
 */
export function quitting(options: {
  /** The host, once it has started. */
  host: () => { atWork(): AtWork; applyUpdate(): void; close(): Promise<void> } | null;
  words: () => NativeText;
  isLast: (window: BrowserWindow) => boolean;
  report: (where: string, error: unknown) => void;
}): Quitting {
  let agreed = false;
  let asking = false;
  let closing = false;

  const ask = async (window: BrowserWindow, atWork: AtWork) => {
    if (asking) return;
    asking = true;
    const words = options.words();
    const { response } = await dialog
      .showMessageBox(window, {
        type: 'question',
        message: words(atWork.threads + atWork.jobs > 0 ? 'quitQuestion' : 'quitBackupQuestion'),
        detail: quitDetail(words, atWork),
        buttons: [words('stay'), words('quit')],
        defaultId: 0,
        cancelId: 0,
      })
      .finally(() => {
        asking = false;
      });
    if (response !== 1) return;
    agreed = true;
    app.quit();
  };

  // Must run before the first of several windows closes.
  app.on('before-quit', (event) => {
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
    const atWork = options.host()?.atWork();
    if (agreed || closing || window === undefined || atWork === undefined || !isAtWork(atWork)) return;
    event.preventDefault();
    void ask(window, atWork).catch((error: unknown) => options.report('quit', error));
  });

  app.on('will-quit', (event) => {
    const host = options.host();
    if (host === null) return;
    // Called again, for example by a second signal: finish saving first.
    event.preventDefault();
    if (closing) return;
    closing = true;
    const deadline = performance.now() + QUIT_WITHIN;
    // Chromium writes drafts with a delay, and a kill would lose them.
    session.defaultSession.flushStorageData();
    const closed = host.close().catch((error: unknown) => options.report('close', error));
    void Promise.race([closed, sleep(QUIT_WITHIN)]).then(() => {
      host.applyUpdate();
      return end(deadline);
    });
  });

  const now = () => {
    agreed = true;
    app.quit();
  };

  return {
    watch: (window) => {
      // Windows notifies each window.
      window.on('session-end', now);
      window.on('close', (event) => {
        const atWork = options.host()?.atWork();
        if (agreed || atWork === undefined || !isAtWork(atWork) || !options.isLast(window)) return;
        event.preventDefault();
        void ask(window, atWork).catch((error: unknown) => options.report('quit', error));
      });
    },
    now,
    withSystem: (monitor) => {
      // When the event is prevented, the system waits for this process to exit: logind for some seconds.
      monitor.on('shutdown', ((event?: { preventDefault(): void }) => {
        event?.preventDefault();
        now();
      }) as () => void);
    },
  };
}

/** What quitting would stop. */
const quitDetail = (words: NativeText, { threads, jobs, isBackingUp }: AtWork): string =>
  [
    ...(threads > 0 ? [words('quitThreads', { count: threads })] : []),
    ...(jobs > 0 ? [words('quitJobs', { count: jobs })] : []),
    ...(threads + jobs > 0 ? [words('quitStops')] : []),
    ...(isBackingUp ? [words('quitBackup')] : []),
  ].join('\n');
