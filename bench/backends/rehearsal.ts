import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createSandbox, detectSandbox, type SandboxOptions } from '../../src-main/harness/sandbox';
import {
  canRehearse,
  discard,
  inShell,
  keep,
  type Manifest,
  rehearse,
} from '../../src-main/harness/sandbox/rehearsal';
import type { Contest, Part, Place, Side } from '../contest';

const PATH = '/usr/local/bin:/usr/bin:/bin';
const KEPT_FILES = 1_000;
const KEPT_BYTES = 4_000;
/** Files written in parallel. */
const CONCURRENCY = 16;

const found = await detectSandbox();

const optionsOf = (base: string, folder: string): SandboxOptions => {
  if (found.kind === null) throw new Error(found.reason.code);
  return {
    found,
    folder,
    home: join(base, 'home'),
    own: [join(base, 'data')],
    temporary: join(base, 'data/tmp/thread'),
    isSecret: (path) => path.endsWith('/.env'),
    hosts: () => ({ allow: [], deny: [] }),
    env: { PATH },
  };
};

const shell = (command: string, cwd: string) => inShell({ command, cwd, environment: { PATH } });

let count = 0;
/** Rehearses once, and times what a call waits for, including its outcome. */
async function once(base: string, folder: string, command: string): Promise<Manifest> {
  const { exitCode, output, manifest } = await rehearse({
    sandbox: optionsOf(base, folder),
    layersFolder: join(base, 'data/layers'),
    layer: `bench-${process.pid}-${count++}`,
    run: shell(command, folder),
  });
  if (exitCode !== 0) throw new Error(output);
  return manifest;
}

function placeFor(place: Place, folderOf: (place: Place, base: string) => string) {
  const base = realpathSync(place.own);
  const folder = realpathSync(folderOf(place, base));
  for (const name of ['home', 'data']) mkdirSync(join(base, name), { recursive: true });
  return { base, folder };
}

function smallFolder(_place: Place, base: string): string {
  mkdirSync(join(base, 'project'), { recursive: true });
  return join(base, 'project');
}

/** Milliseconds that a rehearsed command takes beyond a sandboxed one, run one after another. */
const beyondSandbox =
  (folderOf: (place: Place, base: string) => string): Side =>
  (place) => {
    const { base, folder } = placeFor(place, folderOf);
    let last: Manifest | null = null;
    const sandbox = createSandbox(optionsOf(base, folder));
    const readOnly: typeof sandbox = {
      enter: (request) => sandbox.enter({ ...request, access: 'read-only' }),
    };
    const signal = new AbortController().signal;
    return {
      run: async () => {
        const began = performance.now();
        await shell('true', folder)(readOnly, signal);
        const between = performance.now();
        last = await once(base, folder, 'true');
        return { value: performance.now() - between - (between - began) };
      },
      after: async () => {
        if (last !== null) await discard(last);
        return {};
      },
    };
  };

const keeping: Side = (place) => {
  const { base, folder } = placeFor(place, smallFolder);
  let made: Manifest | null = null;
  const command = `for i in $(seq ${KEPT_FILES}); do head -c ${KEPT_BYTES} /dev/zero > file-$i; done`;
  return {
    before: async () => {
      if (made !== null) await discard(made);
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      made = await once(base, folder, command);
    },
    run: async () => {
      if (made === null) throw new Error('nothing was rehearsed');
      const { kept } = await keep(made);
      if (kept.length !== KEPT_FILES) throw new Error(`only ${kept.length} files were kept`);
      return undefined;
    },
  };
};

/** Writes the same files directly and flushes each. */
const writing: Side = (place) => {
  const { folder } = placeFor(place, smallFolder);
  const bytes = Buffer.alloc(KEPT_BYTES);
  return {
    before: () => {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
    },
    run: async () => {
      let next = 0;
      const worker = async () => {
        for (let file = next++; file < KEPT_FILES; file = next++) {
          const handle = await open(join(folder, `file-${file}`), 'wx');
          await handle.write(bytes);
          await handle.sync();
          await handle.close();
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, worker));
      return undefined;
    },
  };
};

/** Whether layers can be created in the folder of a contest's sides; tries it there. */
const needsLayers =
  (side: Side, folderOf: (place: Place, base: string) => string): Side =>
  async (place) => {
    const { base, folder } = placeFor(place, folderOf);
    const answer = await canRehearse(folder, join(base, 'data/layers'), found);
    if (!answer.available) throw new Error(`cannot be rehearsed: ${answer.reason} ${answer.detail ?? ''}`);
    return side(place);
  };

const rows: Contest[] = [
  {
    row: 'rehearse `true`: milliseconds beyond the sandbox',
    unit: 'ms',
    runs: 25,
    warmUp: 3,
    target: { atMost: 25 },
    ours: needsLayers(beyondSandbox(smallFolder), smallFolder),
  },
  {
    row: 'rehearse `true` in a folder of 100,000 files: milliseconds beyond the sandbox',
    unit: 'ms',
    data: ['sources'],
    runs: 25,
    warmUp: 3,
    target: { atMost: 25 },
    ours: needsLayers(
      beyondSandbox(({ data }) => data.sources),
      ({ data }) => data.sources,
    ),
  },
  {
    row: `keep ${KEPT_FILES} files of a rehearsed command`,
    unit: 'ms',
    runs: 7,
    warmUp: 1,
    target: { ratio: 1.5 },
    ours: needsLayers(keeping, smallFolder),
    limits: { 'flushed writes': writing },
  },
];

export const rehearsal: Part =
  found.kind === 'bubblewrap' ? rows : 'rehearsals need bubblewrap, which does not work here';
