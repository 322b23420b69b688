import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { z } from 'zod';
import { isTemporaryName } from '../../../harness/backends/disk/temporaries';
import { FilesystemBackend } from '../../../harness/backends/filesystem';
import { contentAfter, FILES } from './edited-files';
import { type FaultOptions, Tally } from './tally';

const MODE = 0o640;
/** Acknowledged edits before a kill, at most. */
const EDITS = 24;
/** Milliseconds after the acknowledgment within which the process is killed. */
const WITHIN = 6;
/** Seconds; older than the leftovers that another process may still be writing. */
const OLD = 3_600;
const Line = z.object({ file: z.number(), round: z.number() });

/** Kills a process that edits files with the agent's file tools. */
export async function killedEdits({ bundle, place, times, random }: FaultOptions): Promise<Tally> {
  const tally = new Tally();
  for (let round = 1; round <= times; round += 1) {
    const edits = 1 + Math.floor(random() * EDITS);
    const delay = Math.floor(random() * WITHIN);
    await tally.provoke('files', async () => {
      const folder = join(place, `${round}`);
      mkdirSync(folder);
      writeFiles(folder);
      const acknowledged = await killEditor({ bundle, folder, edits, delay });
      expectWholeFiles(folder, acknowledged, 0);
      await expectSwept(folder, tally);
      rmSync(folder, { recursive: true });
    });
  }
  return tally;
}

export function writeFiles(folder: string): void {
  for (let file = 0; file < FILES; file += 1)
    writeFileSync(join(folder, `f${file}`), contentAfter(file, 0), { mode: MODE });
}

type Edit = z.infer<typeof Line>;

/** Every file is whole and has its mode. At most `missing` acknowledged edits of a file are not in it. */
export function expectWholeFiles(folder: string, acknowledged: readonly Edit[], missing: number): void {
  for (let file = 0; file < FILES; file += 1) {
    const path = join(folder, `f${file}`);
    const done = acknowledged.findLast((one) => one.file === file)?.round ?? 0;
    const text = readFileSync(path, 'utf8');
    const round = Number(/round (\d+);/.exec(text)?.[1]);
    expect(text === contentAfter(file, round), `${path} is whole`).toBe(true);
    expect(round).toBeGreaterThanOrEqual(Math.max(0, done - missing));
    expect(round).toBeLessThanOrEqual(done + 1);
    expect(statSync(path).mode & 0o7777).toBe(MODE);
  }
}

/** Kills a process that edits the files, some milliseconds after it acknowledged that many edits. */
export async function killEditor(options: {
  bundle: string;
  folder: string;
  edits: number;
  delay: number;
  env?: Record<string, string>;
}): Promise<Edit[]> {
  const { bundle, folder, edits, delay, env = {} } = options;
  const child = spawn(process.execPath, [join(bundle, 'edits.js'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const closed = once(child, 'close');
  const acknowledged: Edit[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(Line.parse(JSON.parse(line)));
    if (acknowledged.length === edits) setTimeout(() => child.kill('SIGKILL'), delay);
  }
  const [, signal] = await closed;
  if (signal !== 'SIGKILL') throw new Error('the process exited by itself');
  return acknowledged;
}

/** The next write to the folder removes what the killed one left, once it is old enough. */
async function expectSwept(folder: string, tally: Tally): Promise<void> {
  const leftOver = () => readdirSync(folder).filter(isTemporaryName);
  const then = Date.now() / 1_000 - OLD;
  for (const name of leftOver()) utimesSync(join(folder, name), then, then);
  await tally.recover(async () => {
    const written = await new FilesystemBackend({ rootDir: folder }).write('/new', 'text');
    expect(written.error).toBeUndefined();
  });
  expect(leftOver()).toEqual([]);
}
