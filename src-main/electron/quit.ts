import { app, BrowserWindow, dialog, type PowerMonitor } from 'electron';
import type { AtWork, MainWords } from '../host/window/native-strings';

/** Milliseconds that quitting waits for runs and terminals to end; with the end of the process itself less than three seconds. */
const QUIT_WITHIN = 2_500;

/**
 * Ends the process. One of whose threads a file system call does not come back, at a pipe without a writer for one, would
 * wait for it in `exit` without end; all that matters is saved by now.
 */
function end(): void {
  const isHeld = process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
  if (isHeld) {
    process.emit('exit', 0);
    process.kill(process.pid, 'SIGKILL');
  } else app.exit(0);
}

export interface Quitting {
  /** Closing the last window asks first while something is at work. */
  watch(window: BrowserWindow): void;
  /** Quits without a question: the system wants it. */
  now(): void;
  /** Quits when the system shuts down or the person logs out. */
  withSystem(monitor: PowerMonitor): void;
}

/**
 * Ends the app in good order: a person is asked before work is stopped, the system is not; either way the host gets
 * three seconds to end what runs, and the process is gone after that whatever hangs.
 */
export function quitting(options: {
  /** The host, once it is up. */
  host: () => { atWork(): AtWork; close(): Promise<void> } | null;
  words: () => MainWords;
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
        message: words.quitQuestion,
        detail: words.quitDetail(atWork),
        buttons: [words.stay, words.quit],
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

  // Before the first of several windows is gone.
  app.on('before-quit', (event) => {
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
    const atWork = options.host()?.atWork();
    if (agreed || closing || window === undefined || atWork === undefined) return;
    if (atWork.threads + atWork.jobs === 0) return;
    event.preventDefault();
    void ask(window, atWork).catch((error: unknown) => options.report('quit', error));
  });

  app.on('will-quit', (event) => {
    const host = options.host();
    if (host === null) return;
    // Asked for again, as by a second signal: what is being saved is saved first.
    event.preventDefault();
    if (closing) return;
    closing = true;
    const late = setTimeout(end, QUIT_WITHIN);
    void host
      .close()
      .catch((error: unknown) => options.report('close', error))
      .finally(() => {
        clearTimeout(late);
        end();
      });
  });

  const now = () => {
    agreed = true;
    app.quit();
  };

  return {
    watch: (window) => {
      // Windows asks each window.
      window.on('session-end', now);
      window.on('close', (event) => {
        const atWork = options.host()?.atWork();
        if (agreed || atWork === undefined || !options.isLast(window)) return;
        if (atWork.threads + atWork.jobs === 0) return;
        event.preventDefault();
        void ask(window, atWork).catch((error: unknown) => options.report('quit', error));
      });
    },
    now,
    withSystem: (monitor) => {
      // Prevented, it waits for this process to end: logind for some seconds.
      monitor.on('shutdown', ((event?: { preventDefault(): void }) => {
        event?.preventDefault();
        now();
      }) as () => void);
    },
  };
}
