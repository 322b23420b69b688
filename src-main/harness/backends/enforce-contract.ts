import { isRecord } from '../../base/is-record';
import { after, MAX_TIMER } from '../../base/timers';
import { type Failure, failure } from './failure';
import type { BackendProtocol, CallOptions } from './protocol';

/** Extra milliseconds for a search to return what it found after its time is up. */
const GRACE = 1_000;

type Check = readonly [name: string, value: unknown, is: (value: unknown) => boolean, wanted: string];

const isText = (value: unknown) => typeof value === 'string';
const isTextOrNone = (value: unknown) => value == null || typeof value === 'string';
const isNumber = (value: unknown) =>
  value === undefined || (typeof value === 'number' && !Number.isNaN(value));
const isNumberOrNull = (value: unknown) => value === null || isNumber(value);
const isFlag = (value: unknown) => value === undefined || typeof value === 'boolean';
const isOptions = (value: unknown) => value === undefined || isRecord(value);

const enforced = new WeakSet<object>();

/** Whether a backend is one whose contract is enforced, itself or by its class. */
export function isEnforced(backend: object): backend is BackendProtocol {
  for (let at: object | null = backend; at !== null; at = Object.getPrototypeOf(at) as object | null)
    if (enforced.has(at)) return true;
  return false;
}

/**
 * Enforces what the protocol promises of every backend, in front of the methods of one (or of its class's prototype). A call
 * that is already aborted rejects with the signal's reason. Arguments of the wrong type return kind `invalid` (each backend
 * checks paths itself). `timeoutMs` ends a call as `CallOptions` says.
 */
export function enforceContract(backend: BackendProtocol): void {
  enforced.add(backend);
  const { ls, read, readRaw, grep, glob, write, edit, uploadFiles, downloadFiles } = backend;
  const remove = backend.delete;

  backend.ls = async function (path, options) {
    const wrong = misfit([...callChecks(options), ...pageChecks(options)]);
    return wrong ?? raced(options, `Listing '${path}'`, (call) => ls.call(this, path, call));
  };
  backend.read = async function (path, offset, limit, options) {
    // The usual form of the most frequent call: nothing to check and no timeout.
    if (options === undefined && isNumber(offset) && isNumber(limit))
      return read.call(this, path, offset, limit);
    const wrong = misfit([
      ...callChecks(options),
      ['offset', offset, isNumber, 'a number'],
      ['limit', limit, isNumber, 'a number'],
      ['column', options?.column, isNumber, 'a number'],
    ]);
    return wrong ?? raced(options, `Reading '${path}'`, (call) => read.call(this, path, offset, limit, call));
  };
  backend.readRaw = async function (path, options) {
    const wrong = misfit(callChecks(options));
    return wrong ?? raced(options, `Reading '${path}'`, (call) => readRaw.call(this, path, call));
  };
  backend.grep = async function (pattern, path, include, maxCount, options) {
    const wrong = misfit([
      ...callChecks(options),
      ['pattern', pattern, isText, 'a text'],
      ['glob', include, isTextOrNone, 'a text'],
      ['maxCount', maxCount, isNumberOrNull, 'a number'],
      ['regex', options?.regex, isFlag, 'true or false'],
    ]);
    const none = { matches: [], truncated: true };
    return wrong ?? searched(options, none, () => grep.call(this, pattern, path, include, maxCount, options));
  };
  backend.glob = async function (pattern, path, options) {
    const wrong = misfit([...callChecks(options), ['pattern', pattern, isText, 'a text']]);
    const none = { files: [], truncated: true };
    return wrong ?? searched(options, none, () => glob.call(this, pattern, path, options));
  };
  backend.write = async function (path, content, options) {
    if (options === undefined && isText(content)) return write.call(this, path, content);
    const wrong = misfit([
      ...callChecks(options),
      ...writeChecks(options),
      ['content', content, isText, 'a text'],
    ]);
    return wrong ?? ended(options, `Writing '${path}'`, (call) => write.call(this, path, content, call));
  };
  backend.edit = async function (path, from, to, replaceAll, options) {
    if (options === undefined && isText(from) && isText(to) && isFlag(replaceAll))
      return edit.call(this, path, from, to, replaceAll);
    const wrong = misfit([
      ...callChecks(options),
      ...writeChecks(options),
      ['oldString', from, isText, 'a text'],
      ['newString', to, isText, 'a text'],
      ['replaceAll', replaceAll, isFlag, 'true or false'],
    ]);
    return (
      wrong ??
      ended(options, `Editing '${path}'`, (call) => edit.call(this, path, from, to, replaceAll, call))
    );
  };
  if (remove !== undefined)
    backend.delete = async function (path, options) {
      const wrong = misfit([...callChecks(options), ...writeChecks(options)]);
      return wrong ?? ended(options, `Deleting '${path}'`, (call) => remove.call(this, path, call));
    };
  if (uploadFiles !== undefined)
    backend.uploadFiles = async function (files, options) {
      const work = (some: typeof files, call?: CallOptions) => uploadFiles.call(this, some, call);
      return eachInTime(files, options, work, ([path]) => ({ path, ...NO_TIME }));
    };
  if (downloadFiles !== undefined)
    backend.downloadFiles = async function (paths, options) {
      const work = (some: typeof paths, call?: CallOptions) => downloadFiles.call(this, some, call);
      return eachInTime(paths, options, work, (path) => ({ path, content: null, ...NO_TIME }));
    };
}

const callChecks = (options: CallOptions | undefined): Check[] => [
  ['options', options, isOptions, 'an object'],
  ['timeoutMs', options?.timeoutMs, isNumber, 'a number'],
];
const pageChecks = (options: { offset?: number; limit?: number } | undefined): Check[] => [
  ['offset', options?.offset, isNumber, 'a number'],
  ['limit', options?.limit, isNumber, 'a number'],
];
const writeChecks = (options: { expectedVersion?: string; createOnly?: boolean } | undefined): Check[] => [
  ['expectedVersion', options?.expectedVersion, isTextOrNone, 'a text'],
  ['createOnly', options?.createOnly, isFlag, 'true or false'],
];

function misfit(checks: readonly Check[]): Failure | null {
  const wrong = checks.find(([, value, is]) => !is(value));
  if (wrong === undefined) return null;
  const [name, value, , wanted] = wrong;
  const got =
    value === null ? 'null' : Array.isArray(value) ? 'a list' : Number.isNaN(value) ? 'NaN' : typeof value;
  return failure('invalid', `${name} must be ${wanted}, got ${got}.`);
}

const late = (what: string, timeoutMs: number): Failure =>
  failure('timeout', `${what} took longer than ${timeoutMs} ms and was stopped. Try again with more time.`);

/** For read-only calls: one that runs on after its timeout does no harm, so nobody waits for it. */
async function raced<O extends CallOptions, R>(
  options: O | undefined,
  what: string,
  work: (options: O | undefined) => Promise<R>,
): Promise<R | Failure> {
  const timeoutMs = options?.timeoutMs ?? Number.POSITIVE_INFINITY;
  if (timeoutMs === Number.POSITIVE_INFINITY) return ended(options, what, work);
  return ended(options, what, (call) => within(timeoutMs, late(what, timeoutMs), () => work(call)));
}

/** For calls that change something: waits for the end, so that the result is true. */
async function ended<O extends CallOptions, R>(
  options: O | undefined,
  what: string,
  work: (options: O | undefined) => Promise<R>,
): Promise<R | Failure> {
  options?.signal?.throwIfAborted();
  const timeoutMs = options?.timeoutMs;
  if (options === undefined || timeoutMs === undefined || timeoutMs === Number.POSITIVE_INFINITY)
    return work(options);
  if (timeoutMs <= 0) return late(what, timeoutMs);
  const { signal } = options;
  const time = AbortSignal.timeout(Math.min(Math.ceil(timeoutMs), MAX_TIMER));
  try {
    return await work({ ...options, signal: signal === undefined ? time : AbortSignal.any([signal, time]) });
  } catch (thrown) {
    signal?.throwIfAborted();
    if (!time.aborted) throw thrown;
    return late(what, timeoutMs);
  }
}

/** The package's protocol has no closer error. */
const NO_TIME = { error: 'permission_denied', kind: 'timeout' } as const;

/** Goes file by file if there is a timeout. It may expire within one file and leaves the others unchanged. */
async function eachInTime<F, R>(
  files: F[],
  options: CallOptions | undefined,
  work: (files: F[], options?: CallOptions) => Promise<R[]>,
  lateFor: (file: F) => R,
): Promise<R[]> {
  options?.signal?.throwIfAborted();
  const timeoutMs = options?.timeoutMs;
  if (timeoutMs === undefined || timeoutMs === Number.POSITIVE_INFINITY) return work(files, options);
  const until = performance.now() + timeoutMs;
  const answers: R[] = [];
  for (const file of files) {
    const left = { ...options, timeoutMs: until - performance.now() };
    const answer = await ended(left, 'It', (call) => work([file], call));
    const [one] = Array.isArray(answer) ? answer : [];
    answers.push(one ?? lateFor(file));
  }
  return answers;
}

/** Returns what was found in time. A backend without timeouts has found nothing. */
async function searched<R>(options: CallOptions | undefined, none: R, work: () => Promise<R>): Promise<R> {
  options?.signal?.throwIfAborted();
  const timeoutMs = options?.timeoutMs;
  if (timeoutMs === undefined || timeoutMs === Number.POSITIVE_INFINITY) return work();
  return timeoutMs <= 0 ? none : within(timeoutMs + GRACE, none, work);
}

async function within<R, L>(timeoutMs: number, otherwise: L, work: () => Promise<R>): Promise<R | L> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<L>((resolve) => {
    timer = after(timeoutMs, () => resolve(otherwise));
  });
  const done = work();
  // Nobody listens once the time is up.
  done.catch(() => undefined);
  try {
    return await Promise.race([done, over]);
  } finally {
    clearTimeout(timer);
  }
}
