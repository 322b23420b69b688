import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { optional } from '../../../../contract/shared/optional';
import type { Refused } from '../../../../contract/shared/sandbox';
import type { CommandSandbox, EnteredSandbox } from '../../../backends/commands';
import { createSandbox } from '../../index';
import { makeLayer, removeLayer, topMode } from '../layer/layer';
import { makeManifest } from '../layer/manifest';
import type { Ended, Limit, RehearsalLimits, RehearsalRun, RehearseOptions, Unfit } from '../layer/shapes';
import { findMountTools, type MountTools, withLayer } from './helper';
import { DEFAULT_LIMITS, watchLimits } from './limits';
import { identityOf, placesOf, stillThere } from './mounted';
import { allEnded, firstProcess } from './processes';
import { SeenFiles } from './seen';

/** Bytes read to compare files, per byte that a command may write. Files with holes take no space. */
const READ_PER_BYTE = 4;
/** A shell's exit code if the file size limit killed a program: 128 and SIGXFSZ. */
const FILE_TOO_LARGE = 153;

/** The last rehearsal of each thread, by its temporary folder. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Runs a command in a layer over the folder and reports its changes. The folder is unchanged; the layer stays. Commands with
 * the same `sandbox.temporary` run one after another. If the command cannot be run, this rejects and removes the layer.
 */
export async function rehearse(options: RehearseOptions): Promise<RehearsalRun> {
  const key = options.sandbox.temporary;
  const turn = (turns.get(key) ?? Promise.resolve()).then(() => rehearseNow(options));
  const over = turn.catch(() => undefined);
  turns.set(key, over);
  try {
    return await turn;
  } finally {
    if (turns.get(key) === over) turns.delete(key);
  }
}

async function rehearseNow(options: RehearseOptions): Promise<RehearsalRun> {
  const { sandbox, layersFolder, layer, signal } = options;
  signal?.throwIfAborted();
  const tools = findMountTools();
  if (tools === null || sandbox.found.kind !== 'bubblewrap')
    throw new Error('Commands cannot be rehearsed here.');
  const place = await makeLayer(layersFolder, layer, sandbox.folder);
  try {
    return await inLayer(options, tools, place);
  } catch (error) {
    const first = await firstProcess(place);
    if (first !== null) await allEnded(first);
    // What cannot be removed now is removed at the next start.
    await removeLayer(place).catch(() => undefined);
    throw toldShort(error);
  }
}

/** An error that names a path of thousands of characters says nothing. */
const toldShort = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException).code === 'ENAMETOOLONG'
    ? new Error('The command made a path that is too long.', { cause: error })
    : error;

async function inLayer(options: RehearseOptions, tools: MountTools, place: string): Promise<RehearsalRun> {
  const { sandbox, layer, run } = options;
  const { folder, temporary } = sandbox;
  const [since, identity, mode] = await Promise.all([timeNow(place), identityOf(folder), topMode(place)]);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const entered = layeredSandbox(options, { tools, place, identity, limits });
  const stop = new AbortController();
  const onAbort = () => stop.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const watch = watchLimits(place, temporary, limits, {
    onLimit: (limit) => stop.abort(limit),
    ...optional({ overtime: options.overtime }),
  });
  const seenFiles = new SeenFiles(place, folder, since);
  const began = performance.now();
  const ended: Ended = await run(entered.sandbox, stop.signal)
    .catch((error: unknown) => {
      if (stop.signal.aborted) return { output: '', exitCode: null };
      throw error;
    })
    .finally(() => {
      options.signal?.removeEventListener('abort', onAbort);
      return watch.stop();
    })
    .finally(() => seenFiles.stop());
  const durationMs = ended.durationMs ?? performance.now() - began;
  const first = await firstProcess(place);
  if (first !== null) await allEnded(first);
  const enforced = await watch.enforced();
  if (first === null && !stop.signal.aborted) throw new Error(notStarted(ended.output));
  const setsMode = (await topMode(place, mode)) !== mode;
  const { manifest, setsAttributes } = await makeManifest({
    place,
    layer,
    folder,
    since,
    isSecret: sandbox.isSecret,
    seen: await seenFiles.stop(),
    maxRead: READ_PER_BYTE * limits.bytes,
    stillThere: (paths) => stillThere(tools, { place, folder, identity }, paths),
  });
  const limit = watch.limit() ?? (ended.exitCode === 0 ? null : enforced) ?? limitIn(ended);
  const unfit = unfitIn(ended) ?? (setsMode ? 'mode' : setsAttributes ? 'attributes' : null);
  return {
    exitCode: ended.exitCode,
    output: ended.output,
    refused: entered.refused(),
    durationMs,
    manifest,
    ...(limit === null ? {} : { limit }),
    ...(unfit === null ? {} : { unfit }),
  };
}

const notStarted = (output: string): string =>
  `The layer could not be mounted: ${output.trim().split('\n').slice(-2).join(' ')}`;

/** The time by the kernel's clock for files. */
async function timeNow(place: string): Promise<bigint> {
  const file = await open(join(place, 'began'), 'wx', 0o600);
  try {
    return (await file.stat({ bigint: true })).ctimeNs;
  } finally {
    await file.close();
  }
}

interface Layered {
  tools: MountTools;
  place: string;
  identity: string;
  limits: RehearsalLimits;
}

function layeredSandbox(
  { sandbox }: RehearseOptions,
  { tools, place, identity, limits }: Layered,
): { sandbox: CommandSandbox; refused: () => readonly Refused[] } {
  let refused: readonly Refused[] = [];
  let caches: readonly string[] = [];
  const inner = createSandbox({
    ...sandbox,
    layer: async (view) => {
      const places = await placesOf(place, view);
      caches = places.caches.map(({ path }) => path);
      return places;
    },
  });
  let isEntered = false;
  const enter: CommandSandbox['enter'] = async (request) => {
    // A second mount of one layer would succeed, but its content is undefined.
    if (isEntered) throw new Error('A layer takes one command.');
    isEntered = true;
    const box = await inner.enter({ ...request, access: 'read-only' });
    const wrap: EnteredSandbox['wrap'] = (program) => {
      const own = box.wrap(limited(tools, limits, program));
      return withLayer({ tools, place, folder: sandbox.folder, identity, caches }, own);
    };
    return {
      wrap,
      leave: async (ended) => {
        ({ refused } = await box.leave(ended));
        return { note: null, refused: [...refused] };
      },
    };
  };
  return { sandbox: { enter }, refused: () => refused };
}

/** Set inside, where the process limit counts only the sandbox's processes. */
function limited(
  { prlimit }: MountTools,
  { processes, bytes }: RehearsalLimits,
  { file, args }: { file: string; args: readonly string[] },
): { file: string; args: string[] } {
  return {
    file: prlimit,
    args: [`--nproc=${processes}`, `--fsize=${bytes}`, '--core=0', '--', file, ...args],
  };
}

const limitIn = ({ exitCode, output }: Ended): Limit | null => {
  if (exitCode === FILE_TOO_LARGE) return 'bytes';
  return exitCode !== 0 && /fork: (retry: )?Resource temporarily unavailable|Cannot fork/.test(output)
    ? 'processes'
    : null;
};

/** What git, Python, Node, Ruby, Go and Rust print if a folder of the project cannot be renamed in a layer. */
const RENAMES_FAILED = [
  /^fatal: renaming '.*' failed: Invalid cross-device link\r?$/m,
  /^OSError: \[Errno 18\] Invalid cross-device link: /m,
  /\bEXDEV: cross-device link not permitted, rename '/,
  /\bInvalid cross-device link @ rb_file_s_rename /,
  /\brename \S+ \S+: invalid cross-device link\r?$/m,
  /\bInvalid cross-device link \(os error 18\)/,
];

/** Operations that the kernel refuses in a layer but not in the folder itself, as far as programs report them. */
function unfitIn({ exitCode, output }: Ended): Unfit | null {
  const end = output.slice(-60_000);
  // Another command's exit code may count, as in `git mv a b; ls` and `node build.js 2>&1 | tail`.
  if (RENAMES_FAILED.some((message) => message.test(end))) return 'rename';
  if (exitCode === 0) return null;
  if (/\bEXDEV\b|cross-device link/i.test(end)) return 'rename';
  return /\bEOVERFLOW\b|Value too large for defined data type/.test(end) ? 'owner' : null;
}

/** Characters of output kept, from the end. */
const MAX_OUTPUT = 1_000_000;

/**
 * Runs a command line with bash for `rehearse`, without a terminal. `environment` is the complete environment. Keeps the last
 * 1,000,000 characters of the output. `onOutput` receives all of it.
 */
export function inShell({
  command,
  cwd,
  environment,
  onOutput,
}: {
  command: string;
  cwd: string;
  environment: Readonly<Record<string, string>>;
  onOutput?: (text: string) => void;
}): RehearseOptions['run'] {
  return async (sandbox, signal) => {
    const box = await sandbox.enter({ cwd });
    const { file, args } = box.wrap({ file: '/bin/bash', args: ['-c', command] });
    const child = spawn(file, args, {
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-MAX_OUTPUT);
        onOutput?.(text);
      });
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', (error) => (signal.aborted ? undefined : reject(error)));
      // Background processes keep the output open and are stopped with the command.
      child.once('close', resolve);
    });
    const ended = { output, exitCode };
    await box.leave(ended);
    return ended;
  };
}
