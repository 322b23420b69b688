import type { Language } from './languages';

/** One run of characters with one color; `color` is a CSS value that follows the theme. */
export interface Token {
  text: string;
  color?: string;
}

export interface HighlightRequest {
  id: number;
  code: string;
  language: Language;
}

/**
 * `started`: the grammar is loaded. `failed`: it cannot be used, so the code stays plain. `part`: the next lines; `done`: the
 * last ones. One message with all lines of a long text would block the window while it is read.
 */
export type HighlightReply =
  | { id: number; kind: 'started' | 'failed' }
  | { id: number; kind: 'part' | 'done'; tokens: Token[][] };

/** The part of `Worker` that is used here. */
export interface HighlightWorker {
  onmessage: ((event: MessageEvent<HighlightReply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(request: HighlightRequest): void;
  terminate(): void;
}

/** Code longer than this many characters is shown plain. */
export const MAX_HIGHLIGHTED = 300_000;
/** Milliseconds allowed for coloring: this minimum, plus one for every so many characters. */
const LEAST_WITHIN = 1_000;
const LENGTH_PER_MS = 50;
/** The second attempt may take this many times as long. */
const SECOND_ATTEMPT = 4;
/** Milliseconds allowed for a worker to start and load a grammar. */
const LOADED_WITHIN = 60_000;
/** Characters of code whose colors are cached, so that code scrolled back into view has its colors immediately. */
const MAX_KEPT = 2_000_000;

interface Job {
  key: string;
  code: string;
  language: Language;
  /** Empty: nobody is waiting any more. */
  waiting: Set<(tokens: Token[][] | null) => void>;
  /** It ran out of time once. */
  isSecondAttempt: boolean;
}

/**
 * Colors code in a worker, one text after another. A grammar's regular expression cannot be interrupted, so a worker that
 * takes too long is terminated and the next text gets a new one. The code that caused it is tried once more after all others,
 * since a busy computer looks the same, and then stays plain.
 */
export class Highlighter {
  /** Null: it cannot be colored. Ordered by last use. */
  private readonly kept = new Map<string, { tokens: Token[][] | null; length: number }>();
  private keptLength = 0;
  private readonly queue = new Map<string, Job>();
  private running: Job | undefined;
  private worker: HighlightWorker | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastId = 0;

  constructor(private readonly startWorker: () => HighlightWorker) {}

  /** Cached tokens. */
  known(code: string, language: Language): Token[][] | undefined {
    return this.kept.get(keyOf(code, language))?.tokens ?? undefined;
  }

  /** `done` gets the tokens, or null if the code stays plain. Calling the returned function first cancels it. */
  ask(code: string, language: Language, done: (tokens: Token[][] | null) => void): () => void {
    const key = keyOf(code, language);
    const kept = code.length > MAX_HIGHLIGHTED ? { tokens: null, length: 0 } : this.kept.get(key);
    if (kept !== undefined) {
      if (this.kept.delete(key)) this.kept.set(key, kept);
      done(kept.tokens);
      return () => undefined;
    }
    const same = this.running?.key === key ? this.running : this.queue.get(key);
    const job = same ?? { key, code, language, waiting: new Set(), isSecondAttempt: false };
    if (same === undefined) this.queue.set(key, job);
    job.waiting.add(done);
    this.next();
    return () => {
      job.waiting.delete(done);
      if (job.waiting.size === 0 && this.queue.get(key) === job) this.queue.delete(key);
    };
  }

  private next(): void {
    const [job] = this.queue.values();
    if (this.running !== undefined || job === undefined) return;
    this.queue.delete(job.key);
    this.running = job;
    const id = ++this.lastId;
    try {
      this.worker ??= this.startWorker();
    } catch {
      // Workers are not available here at all.
      this.finish(job, null);
      return;
    }
    const { worker } = this;
    const fail = () => {
      this.end();
      this.finish(job, null);
    };
    const late = () => {
      if (job.isSecondAttempt) return fail();
      this.end();
      this.running = undefined;
      job.isSecondAttempt = true;
      if (job.waiting.size > 0) this.queue.set(job.key, job);
      this.next();
    };
    worker.onerror = fail;
    const lines: Token[][] = [];
    worker.onmessage = ({ data }) => {
      if (data.id !== id) return;
      if (data.kind === 'part' || data.kind === 'done') for (const line of data.tokens) lines.push(line);
      if (data.kind === 'part') return;
      clearTimeout(this.timer);
      if (data.kind === 'started') {
        const within = LEAST_WITHIN + job.code.length / LENGTH_PER_MS;
        this.timer = setTimeout(late, job.isSecondAttempt ? SECOND_ATTEMPT * within : within);
      } else this.finish(job, data.kind === 'done' ? lines : null);
    };
    this.timer = setTimeout(fail, LOADED_WITHIN);
    worker.postMessage({ id, code: job.code, language: job.language });
  }

  private end(): void {
    clearTimeout(this.timer);
    this.worker?.terminate();
    this.worker = undefined;
  }

  private finish({ key, code, waiting }: Job, tokens: Token[][] | null): void {
    this.running = undefined;
    this.keep(key, tokens, code.length);
    for (const done of waiting) done(tokens);
    this.next();
  }

  private keep(key: string, tokens: Token[][] | null, length: number): void {
    this.kept.set(key, { tokens, length });
    this.keptLength += length;
    for (const [oldest, { length: size }] of this.kept) {
      if (this.keptLength <= MAX_KEPT) break;
      this.kept.delete(oldest);
      this.keptLength -= size;
    }
  }
}

const keyOf = (code: string, language: Language) => `${language} ${code}`;
