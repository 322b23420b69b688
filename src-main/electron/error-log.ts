import { appendFile, mkdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of a file before the next one starts. Two are kept. */
const MAX_BYTES = 256 * 1024;
/** Lines that a bug report gets. */
const LAST_LINES = 40;
const MAX_FRAMES = 8;

/** What a line may contain: names from the code, never text from a person, a model or a file. */
const PLACE = /^[a-z -]{1,40}$/;
const NAME = /^[A-Z][A-Za-z]{0,40}Error$/;
/**
 * Codes of the system, Node, TLS and SQLite: ENOENT, ERR_HTTP2_ERROR, CERT_HAS_EXPIRED. A server also gives codes, which are its
 * own text, and the id of an AWS key is capital letters and digits.
 */
const CODE = /^(?:E[A-Z]{2,20}|ERR(?:_[A-Z0-9]{1,20}){1,6}|[A-Z]{2,20}(?:_[A-Z]{1,20}){1,6})$/;
/** Kinds are words of ours. */
const KIND = /^[a-z_]{2,30}$/;
const FUNCTION = /^[\w$.<>]{1,60}$/;
/** The end of a frame: a file of ours by its name, with row and column. */
const SOURCE = /\/([\w.-]{1,60}\.[cm]?js:\d{1,7}:\d{1,7})\)?$/;

export interface ErrorLog {
  error(where: string, error: unknown): void;
  /** Something that helps to understand what came before an error, such as a start. `event` is a literal. */
  note(event: string): void;
  /** The last lines, the newest last, with those of earlier runs. */
  lines(): readonly string[];
  /** Resolves when everything is on the disk. */
  settled(): Promise<void>;
}

/** One line about an error. Its message is left out: it may quote a file, an answer of a model, or a key. */
export function errorLine(where: string, error: unknown): string {
  const place = PLACE.test(where) ? where : 'other';
  if (!(error instanceof Error)) return `${place}: ${typeof error}`;
  const { code, kind } = error as { code?: unknown; kind?: unknown };
  const known = [
    ...(typeof code === 'string' && CODE.test(code) ? [code] : []),
    ...(typeof kind === 'string' && KIND.test(kind) ? [kind] : []),
  ];
  const name = NAME.test(error.name) ? error.name : 'Error';
  return [`${place}: ${name}`, ...known.slice(0, 1), ...frames(error)].join(' ');
}

/** The places in our own code that an error came through. The message comes first, and may look like more of them. */
function frames(error: Error): string[] {
  const stack: unknown = error.stack;
  if (typeof stack !== 'string') return [];
  const start = `${error.name}: ${error.message}`;
  if (!stack.startsWith(start)) return [];
  return stack
    .slice(start.length)
    .split('\n')
    .flatMap((line) => {
      const words = line
        .trim()
        .split(' ')
        .filter((word) => word !== 'async');
      const source = SOURCE.exec((words.at(-1) ?? '').slice(-100))?.[1];
      if (words[0] !== 'at' || source === undefined) return [];
      const name = words.length > 2 ? (words[1] ?? '') : '';
      return [FUNCTION.test(name) ? `${name}@${source}` : source];
    })
    .slice(0, MAX_FRAMES);
}

/** Opens the log in a folder, which is created. It never throws: without a disk the lines of this run are kept in memory. */
export function openErrorLog(folder: string, now: () => number = Date.now): ErrorLog {
  const file = join(folder, 'deepdesk.log');
  const previous = join(folder, 'deepdesk.1.log');
  let earlier: string[] = [];
  const lines: string[] = [];
  let size = 0;
  const read = (path: string) => readFile(path, 'utf8').catch(() => '');
  const make = () => mkdir(folder, { recursive: true, mode: 0o700 });
  let queue: Promise<void> = (async () => {
    await make().catch(() => undefined);
    size = await stat(file).then(
      (found) => found.size,
      () => 0,
    );
    earlier = `${await read(previous)}${await read(file)}`.split('\n').slice(-LAST_LINES).filter(Boolean);
  })();
  const append = (text: string) => appendFile(file, text, { mode: 0o600 });
  const write = (text: string) => {
    const line = `${new Date(now()).toISOString()} ${text}`;
    lines.push(line);
    if (lines.length > LAST_LINES) lines.shift();
    queue = queue
      .then(async () => {
        if (size > MAX_BYTES) {
          await rename(file, previous);
          size = 0;
        }
        // Deleting all data at a start removes the folder.
        await append(`${line}\n`).catch(async () => {
          await make();
          await append(`${line}\n`);
        });
        size += line.length + 1;
      })
      .catch(() => undefined);
  };
  return {
    error: (where, error) => write(errorLine(where, error)),
    note: write,
    lines: () => [...earlier, ...lines].slice(-LAST_LINES),
    settled: () => queue,
  };
}
