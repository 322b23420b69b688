import { type ChildProcess, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import type { z } from 'zod';
import { cleanups } from '../../base/testing/cleanups';
import { Project } from '../../contract/app';
import type { ProjectId } from '../../contract/ids';
import { findSecrets } from '../../secrets';
import { MARK_VARIABLE, ProcessTree } from '../../terminal/pty/process-tree';
import type { Clock } from '../clock';
import type { ProgramFile } from '../config/program-files';
import type { SecretValues } from '../config/secret-refs';
import { McpServers } from '../servers';
import type { CallsOfRun } from '../tools/server-tool';

/** The trial server; see its file for the faults it can simulate. */
export const TRIAL = join(import.meta.dirname, '../../../e2e/support/mcp-server.mjs');

export const trial = (fault = '', more: Record<string, unknown> = {}) => ({
  command: process.execPath,
  args: [TRIAL, 'stdio', fault],
  ...more,
});

export function temp(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `deepdesk-mcp-${name}-`)));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A clock that only the test moves, so that no limit expires early on a slow machine. */
function manualClock() {
  let now = 1_000_000;
  const limits: { milliseconds: number; at: number; controller: AbortController }[] = [];
  const clock: Clock = {
    now: () => now,
    limit: (milliseconds) => {
      const controller = new AbortController();
      limits.push({ milliseconds, at: now + milliseconds, controller });
      return controller.signal;
    },
  };
  return {
    ...clock,
    /** Durations in milliseconds of the limits that have not expired. */
    open: () => limits.filter(({ at }) => at > now).map(({ milliseconds }) => milliseconds),
    later: (milliseconds: number) => {
      now += milliseconds;
      for (const { at, controller } of limits)
        if (at <= now) controller.abort(new DOMException('The limit expired.', 'TimeoutError'));
    },
  };
}

/** A person, a project folder, and their servers. `servers` are the person's. */
export function place(
  servers: Record<string, unknown>,
  {
    env = {},
    project = {},
    reserved = [] as string[],
    /** What the person does with an address in their browser. False: they decline to open it. */
    browse = async (_url: URL) => false,
    withKeychain = true,
    filesOfProgram = async (): Promise<ProgramFile[] | null> => [],
  } = {},
) {
  const dataDir = temp('data');
  const folder = temp('folder');
  const write = (path: string, value: unknown) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  };
  const own = (value: Record<string, unknown>) => write(join(dataDir, 'mcp.json'), { mcpServers: value });
  const theirs = (value: Record<string, unknown>, file = '.mcp.json') =>
    write(join(folder, file), { mcpServers: value });
  own(servers);
  if (Object.keys(project).length > 0) theirs(project);
  const kept = new Map<string, unknown>();
  const values = new Map<string, string>();
  const changes: (ProjectId | null)[] = [];
  const waiting: string[][] = [];
  const unknown: string[][] = [];
  const clock = manualClock();
  const make = () =>
    new McpServers({
      dataDir,
      home: dataDir,
      env: { ...env },
      filesOfProgram,
      projectFolders: () => [folder],
      baseEnv: { PATH: process.env.PATH ?? '' },
      version: 'test',
      reserved: new Set(reserved),
      values: memoryValues(values, withKeychain ? 'keychain' : 'session'),
      likelySecrets: findSecrets,
      openBrowser: browse,
      signInWords: () => ({ signedIn: 'You are signed in.', notSignedIn: "You aren't signed in." }),
      onSignInNeeded: (names) => void unknown.push(names),
      onUnusable: () => undefined,
      kept: {
        get: <S extends z.ZodType>(key: string, schema: S) => {
          const value = schema.safeParse(kept.get(key));
          return value.success ? value.data : null;
        },
        set: (key, value) => void kept.set(key, value),
        remove: (key) => void kept.delete(key),
      },
      processes: {
        mark: (id) => ({ [MARK_VARIABLE]: id }),
        own: (pid, id) => {
          const tree = new ProcessTree(pid, id);
          return { end: (graceMs) => tree.end(graceMs), killNow: () => tree.killNow() };
        },
      },
      onChanged: (projectId) => void changes.push(projectId),
      onWaiting: (_project, names) => void waiting.push(names),
      clock,
    });
  const mcp = make();
  cleanups.push(() => mcp.close());
  const opened = Project.parse({
    id: 'p1',
    name: 'folder',
    folder,
    mount: folder,
    isSample: false,
    openedAt: 0,
    missing: false,
  });
  const tools = (signal = new AbortController().signal, calls?: CallsOfRun) =>
    mcp.toolsFor(opened, signal, calls);
  const shown = async (name: string) => {
    const found = (await mcp.list(opened)).servers.find((server) => server.name === name);
    if (!found) throw new Error(`No server ${name}.`);
    return found;
  };
  /** Calls a tool as the graph does. */
  const call = async (
    name: string,
    args: Record<string, unknown> = {},
    signal = new AbortController().signal,
    calls?: CallsOfRun,
  ) => {
    const found = (await tools(signal, calls)).find(({ tool }) => tool.name === name);
    if (!found) throw new Error(`No tool ${name}.`);
    return callTool(found.tool, args, signal);
  };
  return {
    mcp,
    /** The app after a restart. */
    again: () => {
      const next = make();
      cleanups.push(() => next.close());
      return next;
    },
    dataDir,
    folder,
    project: opened,
    values,
    changes,
    waiting,
    unknown,
    own,
    theirs,
    tools,
    shown,
    call,
    /** Moves the clock, which ends pauses between attempts and expires limits. */
    later: clock.later,
    /** Waits until a limit of this many milliseconds is set, then lets it expire. */
    expire: async (milliseconds: number) => {
      await vi.waitFor(() => expect(clock.open()).toContain(milliseconds));
      clock.later(milliseconds);
    },
  };
}

/** The person's typed values in a map, in place of the keychain. */
export const memoryValues = (
  values: Map<string, string>,
  kind: SecretValues['kind'] = 'keychain',
): SecretValues => ({
  kind,
  get: (id) => values.get(id) ?? null,
  set: (id, value) => void values.set(id, value),
  remove: (id) => void values.delete(id),
});

type Tool = Awaited<ReturnType<McpServers['toolsFor']>>[number]['tool'];

export async function callTool(
  tool: Tool,
  args: Record<string, unknown>,
  signal = new AbortController().signal,
): Promise<{ status: string | undefined; content: unknown }> {
  const message: unknown = await tool.invoke(
    { type: 'tool_call', id: 'call-1', name: tool.name, args },
    { signal },
  );
  const { status, content } = message as { status?: string; content: unknown };
  return { status, content };
}

/** Starts the trial server on loopback and returns its address. */
export async function httpTrial(
  fault = '',
  env: Record<string, string> = {},
  transport: 'http' | 'sse' = 'http',
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [TRIAL, transport, fault], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, ...env },
  });
  cleanups.push(() => child.kill('SIGKILL'));
  const url = await new Promise<string>((resolve) =>
    child.stdout?.once('data', (line: Buffer) => resolve(line.toString().trim())),
  );
  return { url, child };
}

/** Command lines of living processes that contain `marker`. */
export function alive(marker: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return line.includes(marker) ? [line] : [];
    } catch {
      return [];
    }
  });
}
