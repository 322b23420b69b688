import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { removeFolder } from '../../../../../scripts/testing/temporary.mjs';
import { inStandardTime, processorTime, threadTime } from '../../../../base/testing/processor-time';
import { isTemporaryName } from '../../disk/temporaries';
import { FilesystemBackend, type FilesystemBackendOptions } from '../../filesystem';

/** The content of the canary. It must never be in any output. */
const SECRET = 'the-canary-sings';
/** A part of it that may be in outputs. */
export const WORD = 'canary';
/** A file that is read continually while a case runs. */
const BESIDE = '/.beside';
/**
 * Milliseconds that the corpus allows a case, and a read beside it. They are measured in this process's processor time, so
 * other work on the machine does not add to them. Waiting forever fails by the test's timeout.
 */
const CASE_LIMIT = 2_000;
const READ_LIMIT = 200;

export interface Arena {
  /** R: the backend's root on the host. */
  root: string;
  /** O: a folder on the host with `canary.txt` in it. */
  outside: string;
  /** A backend on R. Its answers are recorded and checked at the end of the case. */
  fs: FilesystemBackend;
  /** The answer of every operation that takes a path: the kind of its failure, or 'ok'. */
  reach(path: unknown): Promise<Record<Operation, string>>;
}

export type Operation = keyof typeof OPERATIONS;

const bytes = new Uint8Array([1]);
const OPERATIONS = {
  read: (fs: FilesystemBackend, path: string) => fs.read(path),
  readRaw: (fs: FilesystemBackend, path: string) => fs.readRaw(path),
  ls: (fs: FilesystemBackend, path: string) => fs.ls(path),
  glob: (fs: FilesystemBackend, path: string) => fs.glob('**/*', path),
  grep: (fs: FilesystemBackend, path: string) => fs.grep(WORD, path),
  write: (fs: FilesystemBackend, path: string) => fs.write(path, 'x'),
  edit: (fs: FilesystemBackend, path: string) => fs.edit(path, WORD, 'x'),
  download: async (fs: FilesystemBackend, path: string) => answered(await fs.downloadFiles([path])),
  upload: async (fs: FilesystemBackend, path: string) => answered(await fs.uploadFiles([[path, bytes]])),
  delete: (fs: FilesystemBackend, path: string) => fs.delete(path),
};

/** Turns the protocol's error for one transferred file into a kind. */
function answered([only]: { error: string | null }[]): { kind?: string; error?: string } {
  return only === undefined || only.error === null ? {} : { kind: only.error, error: only.error };
}

/** The same answer for every operation. `transfer`: the protocol's term for it. */
export function allSay(kind: string, transfer: string): Record<Operation, string> {
  const { upload: _, download: __, ...named } = OPERATIONS;
  const answers = Object.fromEntries(Object.keys(named).map((operation) => [operation, kind]));
  return { ...answers, upload: transfer, download: transfer } as Record<Operation, string>;
}

export interface Case {
  /** Sets things up. Not timed. */
  given?: (arena: Arena) => void | Promise<void>;
  run: (arena: Arena) => void | Promise<void>;
  options?: FilesystemBackendOptions;
  /** The work happens in a child, so a read beside it in this process would measure how long starting the child takes. */
  isInChild?: boolean;
  /** Milliseconds of processor time for `run`, if the corpus asks for more work than its own limit allows. */
  within?: number;
}

/**
 * Runs one case of the path corpus in a new folder and checks the general conditions: O's bytes and times are unchanged. No
 * output has O's content or a host path. The case took at most two seconds of processor time, and a read beside it always
 * answered within 200 ms of the processor time of its thread, which workers do not block: both as on the computer that these
 * limits were written for. Failures have a kind. No temporary file is left.
 */
export async function inArena({ given, run, options, isInChild, within = CASE_LIMIT }: Case): Promise<void> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-corpus-')));
  const [root, outside] = [join(base, 'root'), join(base, 'outside')];
  // Reachable for an unprivileged user, to whom permissions apply.
  chmodSync(base, 0o755);
  mkdirSync(root);
  mkdirSync(outside);
  const canary = join(outside, 'canary.txt');
  writeFileSync(canary, SECRET);
  writeFileSync(join(root, BESIDE), 'beside');
  const outputs: unknown[] = [];
  const fs = watched(new FilesystemBackend({ rootDir: root, ...options }), outputs);
  const reach: Arena['reach'] = async (path) => {
    const kinds: Record<string, string> = {};
    for (const [operation, run] of Object.entries(OPERATIONS)) {
      const answer: { error?: string; kind?: string } = await run(fs, path as string);
      kinds[operation] = answer.error === undefined ? 'ok' : (answer.kind ?? 'no kind');
    }
    return kinds as Record<Operation, string>;
  };
  const arena: Arena = { root, outside, fs, reach };
  const beside = readBeside(new FilesystemBackend({ rootDir: root }));
  try {
    await given?.(arena);
    await fs.read(BESIDE);
    const before = timesOf(canary, outside);
    if (isInChild !== true) beside.start();
    const started = processorTime();
    await run(arena);
    const took = processorTime() - started;
    const slowest = await beside.stop();
    expect(timesOf(canary, outside)).toEqual(before);
    expect(readFileSync(canary, 'utf8')).toBe(SECRET);
    expect(readdirSync(outside)).toEqual(['canary.txt']);
    for (const output of outputs) expectHarmless(output, base);
    expect(temporariesBelow(root)).toEqual([]);
    // A slower computer needs more. Its speed is measured only if that matters.
    if (took >= within) expect(await inStandardTime(took)).toBeLessThan(within);
    if (slowest >= READ_LIMIT) expect(await inStandardTime(slowest)).toBeLessThan(READ_LIMIT);
  } finally {
    await beside.stop();
    removeFolder(base);
  }
}

/** Everything that shows whether O was read or changed, including access times. */
function timesOf(...paths: string[]) {
  return paths.map((path) => {
    const { size, mode, nlink, atimeNs, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    // Node itself updates a folder's access time when the test lists it.
    return { size, mode, nlink, mtimeNs, ctimeNs, atimeNs: path.endsWith('.txt') ? atimeNs : null };
  });
}

function watched(backend: FilesystemBackend, outputs: unknown[]): FilesystemBackend {
  return new Proxy(backend, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => {
        const answer: unknown = await Reflect.apply(member, target, args);
        outputs.push(answer);
        return answer;
      };
    },
  });
}

function readBeside(backend: FilesystemBackend): { start(): void; stop(): Promise<number> } {
  let on = false;
  let slowest = 0;
  let reading: Promise<void> = Promise.resolve();
  const read = async () => {
    while (on) {
      const started = threadTime();
      const { content } = await backend.read(BESIDE);
      const took = threadTime() - started;
      slowest = Math.max(slowest, content === 'beside' ? took : Number.POSITIVE_INFINITY);
      // An occasional read is enough, and leaves the machine to the case.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return {
    start: () => {
      on = true;
      reading = read();
    },
    stop: async () => {
      on = false;
      await reading;
      return slowest;
    },
  };
}

function expectHarmless(output: unknown, base: string): void {
  const text = JSON.stringify(output, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
  expect(text.includes(SECRET)).toBe(false);
  expect(text.includes(base)).toBe(false);
  if (typeof output !== 'object' || output === null || !('error' in output)) return;
  expect(output).toEqual({ error: expect.any(String), kind: expect.any(String) });
}

function temporariesBelow(folder: string): string[] {
  // The test created a folder that only its owner may list.
  if ((lstatSync(folder).mode & 0o500) !== 0o500) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return temporariesBelow(path);
    return isTemporaryName(entry.name) ? [path] : [];
  });
}
