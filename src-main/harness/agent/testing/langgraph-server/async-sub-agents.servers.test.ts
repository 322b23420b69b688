import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { Client } from '@langchain/langgraph-sdk';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { run } from '../../../../../scripts/process.mjs';
import { type AsyncTask, createDeepAgent } from '../../../index';
import { ScriptedModel, type ScriptedStep } from '../scripted-model';

/** Milliseconds for fetching 150 packages, and for programs that load them on a busy machine. */
const INSTALL_WITHIN = 600_000;
vi.setConfig({ testTimeout: 180_000 });
const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 120_000, interval: 100 });

/** `node start.mjs PORT` serves the graphs on loopback, says so, and ends with its input. */
const START = `
import { startServer } from '@langchain/langgraph-api/server';
const path = import.meta.dirname + '/graphs.mjs';
await startServer({
  host: '127.0.0.1',
  port: Number(process.argv[2]),
  nWorkers: 4,
  cwd: import.meta.dirname,
  graphs: { worker: path + ':worker', parent: path + ':parent' },
});
console.log('listening');
process.stdin.on('end', () => process.exit()).resume();
`;

let folder: string;
let url: string;
let server: ChildProcess | undefined;

/** A port that was free a moment ago: the server cannot choose one itself. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'langgraph-server-'));
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(import.meta.dirname, file), join(folder, file));
  writeFileSync(join(folder, 'start.mjs'), START);
  await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: join(import.meta.dirname, 'graphs.ts'),
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'graphs.mjs' } },
    },
  });
  // Not `npm ci`: it refuses a lock file without the optional packages of every system.
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  const installed = await run('npm', args, { cwd: folder });
  if (installed.code !== 0) throw new Error(installed.output);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const started = spawn(process.execPath, ['start.mjs', String(port)], {
    cwd: folder,
    env: { ...process.env, OWN_URL: url, LANGSMITH_TRACING: 'false', NODE_ENV: 'development' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  server = started;
  let said = '';
  for (const stream of [started.stdout, started.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  await new Promise<void>((resolve, reject) => {
    started.once('exit', () => reject(new Error(`The server ended:\n${said}`)));
    started.stdout.on('data', () => said.includes('listening') && resolve());
  });
}, INSTALL_WITHIN);

afterAll(async () => {
  if (server?.kill('SIGKILL')) await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
}, INSTALL_WITHIN);

const step = (name: string, args: Record<string, unknown>): ScriptedStep => ({ calls: [{ name, args }] });

/** A parent agent in this process, whose thread has an id of the server. */
async function parentAgent() {
  const client = new Client({ apiUrl: url, apiKey: null });
  const { thread_id } = await client.threads.create();
  const config = { configurable: { thread_id } };
  let next: ScriptedStep = {};
  const agent = createDeepAgent({
    model: new ScriptedModel((messages) =>
      ToolMessage.isInstance(messages.at(-1)) ? { text: 'Done.' } : next,
    ),
    checkpointer: new MemorySaver(),
    subagents: [
      { name: 'worker', description: 'Works.', graphId: 'worker', url, headers: { 'x-trial': '1' } },
    ],
  });
  /** Makes one call. Returns what it said, and the thread's tasks. */
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    next = step(name, args);
    const state = await agent.invoke({ messages: [{ role: 'user', content: 'go' }] }, config);
    const { asyncTasks = {} } = state as unknown as { asyncTasks?: Record<string, AsyncTask> };
    const said = state.messages.findLast((message) => ToolMessage.isInstance(message));
    return { text: said?.text ?? '', tasks: Object.values(asyncTasks) };
  };
  const start = async (description: string) => {
    const { tasks } = await call('start_async_task', { agentName: 'worker', description });
    return tasks.at(-1)?.taskId ?? '';
  };
  /** The messages that the parent's thread on the server got. */
  const told = async () => {
    const { values } = await client.threads.getState<{ messages?: { content: unknown }[] }>(thread_id);
    return (values.messages ?? []).map(({ content }) => String(content));
  };
  return { call, start, told };
}

describe("sub-agents on LangGraph's development server", () => {
  it('start in the background, report, and tell the parent', async () => {
    const { call, start, told } = await parentAgent();
    const taskId = await start('the harbour');
    await soon(async () => {
      const { text, tasks } = await call('check_async_task', { taskId });
      expect(JSON.parse(text)).toEqual({
        status: 'success',
        threadId: taskId,
        result: 'Report on: the harbour',
      });
      expect(tasks).toMatchObject([{ taskId, agentName: 'worker', status: 'success' }]);
    });
    await soon(async () =>
      expect(await told()).toEqual([
        `[task_id=${taskId}]Completed. Result: Report on: the harbour`,
        expect.stringContaining('Noted: '),
      ]),
    );
  });

  it('take new instructions while they work', async () => {
    const { call, start } = await parentAgent();
    const taskId = await start('slowly, the harbour');
    await soon(async () => expect((await call('check_async_task', { taskId })).text).toContain('running'));
    const { text } = await call('update_async_task', { taskId, message: 'only the lighthouse' });
    expect(text).toContain(taskId);
    await soon(async () =>
      expect((await call('check_async_task', { taskId })).text).toContain('Report on: only the lighthouse'),
    );
  });

  it('are cancelled, and listed with their current statuses', async () => {
    const { call, start, told } = await parentAgent();
    const [slow, quick] = [await start('slowly'), await start('quick')];
    await soon(async () => {
      const { text } = await call('list_async_tasks');
      expect(text).toContain(`${slow} agent: worker status: running`);
      expect(text).toContain(`${quick} agent: worker status: success`);
    });
    expect((await call('cancel_async_task', { taskId: slow })).text).toContain('Cancelled');
    expect((await call('list_async_tasks', { statusFilter: 'cancelled' })).text).toContain(slow);
    expect((await call('check_async_task', { taskId: slow })).text).toContain('cancelled');
    await soon(async () => expect((await told()).join()).toContain(quick));
    expect((await told()).join()).not.toContain(slow);
  });

  it('report a server or a graph that is not there', async () => {
    const model = new ScriptedModel((messages) =>
      ToolMessage.isInstance(messages.at(-1))
        ? { text: 'Done.' }
        : step('start_async_task', { agentName: 'nobody', description: 'x' }),
    );
    const subagents = [{ name: 'nobody', description: 'Is not there.', graphId: 'nothing', url }];
    const agent = createDeepAgent({ model, subagents });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'go' }] });
    expect(messages.find((message) => ToolMessage.isInstance(message))).toMatchObject({ status: 'error' });
  });
});
