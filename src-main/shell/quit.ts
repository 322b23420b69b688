import { app, BrowserWindow, dialog } from 'electron';

/** What would be stopped by quitting. */
export interface AtWork {
  /** Conversations whose agent is working; one that waits for an answer goes on waiting after the next start. */
  threads: number;
  /** Commands that the agent left running on purpose. */
  jobs: number;
}

/** Milliseconds that quitting waits for runs and terminals to end. */
const QUIT_WITHIN = 3_000;

interface Words {
  question: string;
  detail(atWork: AtWork): string;
  stay: string;
  quit: string;
}

const count = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`;
const WORDS: { en: Words; zh: Words } = {
  en: {
    question: 'Quit while the agent is at work?',
    detail: ({ threads, jobs }) =>
      `${[
        ...(threads > 0 ? [`the agent works in ${count(threads, 'conversation')}`] : []),
        ...(jobs > 0 ? [`${count(jobs, 'job')} of the agent ${jobs === 1 ? 'is' : 'are'} running`] : []),
      ]
        .join(', and ')
        .replace(/^./, (letter) =>
          letter.toUpperCase(),
        )}. Quitting stops that. What was done stays, and each conversation can go on later.`,
    stay: 'Keep working',
    quit: 'Quit',
  },
  zh: {
    question: '智能体正在工作，仍要退出吗？',
    detail: ({ threads, jobs }) =>
      `${[
        ...(threads > 0 ? [`智能体正在 ${threads} 个对话中工作`] : []),
        ...(jobs > 0 ? [`有 ${jobs} 个后台任务正在运行`] : []),
      ].join('，')}。退出会停止它们。已经完成的内容会保留，之后每个对话都可以继续。`,
    stay: '继续工作',
    quit: '退出',
  },
};

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
}

/**
 * Ends the app in good order: a person is asked before work is stopped, the system is not; either way the host gets
 * three seconds to end what runs, and the process is gone after that whatever hangs.
 */
export function quitting(options: {
  /** The host, once it is up. */
  host: () => { atWork(): AtWork; close(): Promise<void> } | null;
  language: () => 'en' | 'zh';
  isLast: (window: BrowserWindow) => boolean;
  report: (where: string, error: unknown) => void;
}): Quitting {
  let agreed = false;
  let asking = false;
  let closing = false;

  const ask = async (window: BrowserWindow, atWork: AtWork) => {
    if (asking) return;
    asking = true;
    const words = WORDS[options.language()];
    const { response } = await dialog
      .showMessageBox(window, {
        type: 'question',
        message: words.question,
        detail: words.detail(atWork),
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
    if (closing || host === null) return;
    event.preventDefault();
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

  return {
    watch: (window) =>
      window.on('close', (event) => {
        const atWork = options.host()?.atWork();
        if (agreed || atWork === undefined || !options.isLast(window)) return;
        if (atWork.threads + atWork.jobs === 0) return;
        event.preventDefault();
        void ask(window, atWork).catch((error: unknown) => options.report('quit', error));
      }),
    now: () => {
      agreed = true;
      app.quit();
    },
  };
}
