// Starts Electron like `npm start` and times its window from outside, over Chromium's DevTools pipe. No helper runs inside,
// so the app and the bare window are measured alike.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';

export interface Launch {
  executable: string;
  /** The folder of the app, then the app's arguments. */
  args: string[];
  env: Record<string, string>;
}

export interface OpenWindow {
  /** Milliseconds since the process started. */
  firstPaint: number;
  usable: number;
  /** The main process's. */
  pid: number;
  /** Runs an expression in the page and awaits a promise. Rejects with what it threw. */
  evaluate(expression: string): Promise<unknown>;
  /** Sends a DevTools protocol command to the page. */
  send(method: string, params: object): Promise<unknown>;
  /** Quits and waits until the process has exited. */
  close(): Promise<void>;
}

/** Milliseconds after which a missing window fails the run. */
const OPEN_WITHIN = 30_000;

/**
 * Runs in the page: types a character into a text field, resolves when it has been painted, and removes it again. The
 * composer is the only text field of the conversation, and the bare page has one too. Times are wall-clock milliseconds
 * since 1970.
 */
const WHEN_USABLE = `new Promise((resolve, reject) => {
  const look = () => {
    const field = document.querySelector('textarea:enabled:not([readonly])');
    if (!field || !field.checkVisibility({ visibilityProperty: true })) return false;
    field.focus();
    if (document.activeElement !== field) return false;
    const written = field.value + 'x';
    field.setSelectionRange(field.value.length, field.value.length);
    if (!document.execCommand('insertText', false, 'x')) return false;
    requestAnimationFrame(() => setTimeout(() => {
      const shown = performance.now();
      if (!field.isConnected || field.value !== written) {
        reject(new Error('what was typed is not there'));
        return;
      }
      document.execCommand('delete');
      // Told a frame or two after it was on the screen.
      new PerformanceObserver((list) => {
        const painted = list.getEntriesByName('first-paint')[0];
        const at = (time) => performance.timeOrigin + time;
        if (painted) resolve({ firstPaint: at(painted.startTime), usable: at(Math.max(shown, painted.startTime)) });
      }).observe({ type: 'paint', buffered: true });
    }));
    return true;
  };
  if (look()) return;
  const observer = new MutationObserver(() => { if (look()) observer.disconnect(); });
  observer.observe(document, { subtree: true, childList: true, attributes: true });
})`;

const Message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});
const Attached = z.object({ sessionId: z.string(), targetInfo: z.object({ type: z.string() }) });
const Times = z.object({ firstPaint: z.number(), usable: z.number() });
const Evaluated = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z.object({ text: z.string(), exception: z.unknown() }).optional(),
});

/** The DevTools protocol over two pipes: JSON texts, each terminated by a zero byte. */
class DevTools {
  private readonly waiting = new Map<number, (message: z.infer<typeof Message>) => void>();
  private readonly listeners = new Set<(message: z.infer<typeof Message>) => void>();
  private nextId = 1;
  private rest = '';

  constructor(
    private readonly input: Writable,
    output: Readable,
  ) {
    output.setEncoding('utf8').on('data', (chunk: string) => {
      const texts = `${this.rest}${chunk}`.split('\0');
      this.rest = texts.pop() ?? '';
      for (const text of texts) this.receive(Message.parse(JSON.parse(text)));
    });
  }

  /** Rejects with Chromium's error. */
  async send(method: string, params: object, sessionId?: string): Promise<unknown> {
    const id = this.nextId++;
    const answer = new Promise<z.infer<typeof Message>>((resolve) => this.waiting.set(id, resolve));
    this.input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result, error } = await answer;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  onMessage(listener: (message: z.infer<typeof Message>) => void): void {
    this.listeners.add(listener);
  }

  private receive(message: z.infer<typeof Message>): void {
    if (message.id !== undefined) this.waiting.get(message.id)?.(message);
    else for (const listener of this.listeners) listener(message);
  }
}

/** Starts the app and waits for its window. Rejects with the app's output if none appears. */
export async function openWindow({ executable, args, env }: Launch): Promise<OpenWindow> {
  const from = performance.timeOrigin + performance.now();
  const child = spawn(executable, ['--remote-debugging-pipe', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed = `${printed}${text}`.slice(-4_000);
    });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    const { times, devTools, sessionId } = await within(OPEN_WITHIN, whenUsable(child), gone);
    if (child.pid === undefined) throw new Error('it has no process');
    return {
      firstPaint: times.firstPaint - from,
      usable: times.usable - from,
      pid: child.pid,
      evaluate: (expression) => evaluate(devTools, sessionId, expression),
      send: (method, params) => devTools.send(method, params, sessionId),
      close: async () => {
        child.kill('SIGTERM');
        await gone;
      },
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(
      `${args[0]} showed no usable window: ${error instanceof Error ? error.message : error}\n${printed}`,
    );
  }
}

async function evaluate(devTools: DevTools, sessionId: string, expression: string): Promise<unknown> {
  const answer = await devTools.send(
    'Runtime.evaluate',
    { expression, awaitPromise: true, returnByValue: true },
    sessionId,
  );
  const { result, exceptionDetails } = Evaluated.parse(answer);
  if (exceptionDetails)
    throw new Error(`${exceptionDetails.text} ${JSON.stringify(exceptionDetails.exception)}`);
  return result.value;
}

async function whenUsable(
  child: ChildProcess,
): Promise<{ times: z.infer<typeof Times>; devTools: DevTools; sessionId: string }> {
  const devTools = new DevTools(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const session = new Promise<string>((resolve) => {
    devTools.onMessage(({ method, params }) => {
      if (method !== 'Target.attachedToTarget') return;
      const { sessionId, targetInfo } = Attached.parse(params);
      if (targetInfo.type === 'page') resolve(sessionId);
    });
  });
  await devTools.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: true,
  });
  const sessionId = await session;
  // The empty page before the app's own loses the pending expression when it goes away: evaluate it again then.
  for (;;) {
    try {
      const times = Times.parse(await evaluate(devTools, sessionId, WHEN_USABLE));
      return { times, devTools, sessionId };
    } catch (error) {
      if (!(error instanceof Error) || !/context|navigat|collected/i.test(error.message)) throw error;
    }
  }
}

async function within<T>(milliseconds: number, work: Promise<T>, gone: Promise<void>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing within ${milliseconds} ms`)), milliseconds);
  });
  const ended = gone.then(() => Promise.reject(new Error('it ended')));
  try {
    return await Promise.race([work, late, ended]);
  } finally {
    clearTimeout(timer);
  }
}
