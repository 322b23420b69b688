// The backends beside plain means on the same data: reading a page of a big file, searching, running a command.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createReadStream, mkdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { LocalShellBackend } from '../src-main/backends';
import { FilesystemBackend } from '../src-main/backends/filesystem';
import { ProjectId, TerminalId, ThreadId } from '../src-main/contract/ids';
import { createCommandRunner } from '../src-main/terminal/command-runner';
import { TerminalSessions } from '../src-main/terminal/sessions';
import { COMMON, LOG_LINE, makeLog, makeTree, RARE } from './data';
import type { Row } from './row';
import { withFolder } from './temporary';
import { inTurn, watched } from './timing';

const DEEP_LINE = 5_000_000;
const HITS = 1_000;

/** Throws where a measured call failed: a fast failure is no result. */
function sure<T extends { error?: string }>(result: T): T {
  if (result.error !== undefined) throw new Error(result.error);
  return result;
}

async function reading(folder: string): Promise<Row[]> {
  const log = join(folder, 'big.log');
  makeLog(log);
  // A new backend knows no line of the file yet.
  const read = async (backend: FilesystemBackend, line: number) =>
    sure(await backend.read('/big.log', line, 100));
  const fresh = () => new FilesystemBackend({ rootDir: folder });
  const kept = fresh();
  await read(kept, DEEP_LINE);
  const took = await inTurn(5, 1, {
    start: () => read(fresh(), 0),
    block: async () => {
      const file = await open(log);
      await file.read(Buffer.alloc(65_536), 0, 65_536, 0);
      await file.close();
    },
    deep: () => read(fresh(), DEEP_LINE),
    stream: () => countLines(log, DEEP_LINE * LOG_LINE),
    again: () => read(kept, DEEP_LINE),
  });
  const { stall } = await watched(() => read(fresh(), DEEP_LINE));
  return [
    {
      row: 'read 100 lines at the start of 1 GB',
      unit: 'ms',
      ours: took.start,
      anchor: { name: 'first 64 KB', value: took.block },
      target: { atMost: 2 },
    },
    {
      row: `read 100 lines at line ${DEEP_LINE.toLocaleString('en')}, first time`,
      unit: 'ms',
      ours: took.deep,
      anchor: { name: 'stream', value: took.stream },
      target: { ratio: 1.2 },
    },
    { row: '  longest event-loop delay', unit: 'ms', ours: stall, target: { atMost: 16 } },
    { row: '  the same again', unit: 'ms', ours: took.again, target: { atMost: 5 } },
  ];
}

/** Streams the first `bytes` of a file and counts newlines. */
async function countLines(file: string, bytes: number): Promise<number> {
  let lines = 0;
  for await (const chunk of createReadStream(file, { end: bytes - 1, highWaterMark: 256 * 1024 })) {
    const block: Buffer = chunk;
    for (let at = block.indexOf(10); at !== -1; at = block.indexOf(10, at + 1)) lines += 1;
  }
  return lines;
}

/** Runs ripgrep until it ends, or has printed `lines` lines. */
async function ripgrep(args: string[], cwd: string, lines = Number.POSITIVE_INFINITY): Promise<void> {
  const child = spawn(rgPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  let seen = 0;
  child.stdout.on('data', (block: Buffer) => {
    for (let at = block.indexOf(10); at !== -1; at = block.indexOf(10, at + 1)) seen += 1;
    if (seen >= lines) child.kill();
  });
  await ended(child);
}

const ended = (child: ChildProcess) => new Promise<void>((resolve) => child.once('close', () => resolve()));

async function searching(folder: string): Promise<Row[]> {
  const tree = join(folder, 'tree');
  makeTree(tree);
  const backend = new FilesystemBackend({ rootDir: tree });
  const grep = async (pattern: string) => sure(await backend.grep(pattern, '/', null, HITS));
  const flags = [
    '--no-config',
    '--hidden',
    '--no-ignore',
    '--line-number',
    '--with-filename',
    '--fixed-strings',
  ];
  const took = await inTurn(7, 1, {
    rare: () => grep(RARE),
    rgRare: () => ripgrep([...flags, RARE, '.'], tree),
    common: () => grep(COMMON),
    rgCommon: () => ripgrep([...flags, COMMON, '.'], tree, HITS),
  });
  const { stall } = await watched(() => grep(COMMON));
  return [
    {
      row: 'grep a rare literal in 20,000 files',
      unit: 'ms',
      ours: took.rare,
      anchor: { name: 'rg', value: took.rgRare },
      target: { ratio: 1.15 },
    },
    {
      row: `grep a common literal, first ${HITS.toLocaleString('en')} hits`,
      unit: 'ms',
      ours: took.common,
      anchor: { name: 'rg', value: took.rgCommon },
      target: { ratio: 3 },
    },
    { row: '  longest event-loop delay', unit: 'ms', ours: stall, target: { atMost: 16 } },
  ];
}

async function running(folder: string): Promise<Row[]> {
  const sessions = new TerminalSessions({
    now: () => Date.now(),
    newId: () => TerminalId.parse(randomUUID()),
    onChanged: () => undefined,
    onRemoved: () => undefined,
    onData: () => undefined,
  });
  const runner = createCommandRunner(sessions, {
    projectId: ProjectId.parse('p'),
    threadId: ThreadId.parse('t'),
  });
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
  const shell = new LocalShellBackend({ rootDir: folder, runner, env });
  try {
    const took = await inTurn(15, 3, {
      ours: async () => {
        const { exitCode, output } = await shell.execute('true');
        if (exitCode !== 0) throw new Error(output);
      },
      spawned: () => ended(spawn('/bin/bash', ['-c', 'true'], { cwd: folder, stdio: 'pipe' })),
    });
    return [
      {
        row: 'execute `true` in a terminal',
        unit: 'ms',
        ours: took.ours,
        anchor: { name: 'spawn', value: took.spawned },
        target: { atMost: 8 },
      },
    ];
  } finally {
    await sessions.disposeAll();
  }
}

export default async function measure(): Promise<Row[]> {
  return withFolder(async (folder) => {
    const big = join(folder, 'big');
    mkdirSync(big);
    return [...(await running(folder)), ...(await reading(big)), ...(await searching(folder))];
  });
}
