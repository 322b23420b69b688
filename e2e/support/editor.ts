// `npm run agent -- --acp` hosted like in an editor: with the client of the SDK, and with one that misbehaves.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  type ClientApp,
  type ClientCapabilities,
  type ClientContext,
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { root } from '../../scripts/process.mjs';
import { checkedStream } from '../../src-main/harness/acp/testing/protocol-check';
import { expect } from './app';
import { processTree } from './processes';
import { currentRun } from './run';

export const temporary = (name: string) => realpathSync(mkdtempSync(join(currentRun().temp, `${name}-`)));

export const start = (dataDir: string, args: string[] = [], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, [join(root, 'scripts/agent.mjs'), '--acp', '--data-dir', dataDir, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });

/** How many processes run a command. */
export const running = (command: string) =>
  processTree(1).filter(({ words }) => words.join(' ').trim() === command).length;

export const gone = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    if (child.exitCode !== null) resolve(child.exitCode);
    else child.once('exit', resolve);
  });

interface Editing {
  agent: ClientContext;
  updates: SessionUpdate[];
  questions: RequestPermissionRequest[];
}

interface EditorSetUp {
  /** Arguments and variables of the agent. */
  args?: string[];
  env?: NodeJS.ProcessEnv;
  capabilities?: ClientCapabilities;
  /** Adds what the capabilities promise. */
  offer?: (editor: ClientApp) => ClientApp;
}

/** Runs `work` in an editor that answers each permission request with `answer`: an option's id, or null to cancel. */
export async function inEditor(
  dataDir: string,
  work: (editing: Editing) => Promise<void>,
  answer: (request: RequestPermissionRequest) => string | null | Promise<string | null> = () => 'allow_once',
  { args, env, capabilities = {}, offer = (editor) => editor }: EditorSetUp = {},
): Promise<void> {
  const child = start(dataDir, args, env);
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('It has no pipes.');
  const updates: SessionUpdate[] = [];
  const questions: RequestPermissionRequest[] = [];
  const { stream, problems } = checkedStream(
    ndJsonStream(
      Writable.toWeb(stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(stdout) as ReadableStream<Uint8Array>,
    ),
  );
  await offer(client({ name: 'editor of the tests' }))
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      questions.push(params);
      const optionId = await answer(params);
      return { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    })
    .connectWith(stream, async (agent) => {
      const started = await agent.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: capabilities,
      });
      expect(started).toMatchObject({
        protocolVersion: 1,
        agentInfo: { name: 'deepdesk', title: 'Deepdesk' },
      });
      await work({ agent, updates, questions });
    });
  stdin.end();
  expect(await gone(child)).toBe(0);
  expect(problems, 'what the agent sent against the protocol').toEqual([]);
}

export const newSession = (agent: ClientContext, cwd: string) =>
  agent.request(methods.agent.session.new, { cwd, mcpServers: [] });

export const say = (agent: ClientContext, sessionId: string, text: string) =>
  agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });

export const textOf = (updates: SessionUpdate[]) =>
  updates
    .flatMap((update) =>
      update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
        ? [update.content.text]
        : [],
    )
    .join('');

export const statesOf = (updates: SessionUpdate[], kind: string) =>
  updates.flatMap((update) =>
    (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update') &&
    update.kind === kind
      ? [update.status]
      : [],
  );

interface RawMessage {
  id?: unknown;
  method?: string;
  result?: unknown;
  error?: { code: number; message: string };
}

/** A second client, written from the protocol's schema, that sends arbitrary messages. */
export class RawClient {
  private readonly seen: RawMessage[] = [];
  private readonly waiting = new Set<() => void>();
  private nextId = 1;
  private rest = '';

  constructor(private readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.rest + text).split('\n');
      this.rest = lines.pop() ?? '';
      for (const line of lines) this.seen.push(JSON.parse(line) as RawMessage);
      for (const look of this.waiting) look();
    });
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** The first message that matches; each is returned once. */
  until(is: (message: RawMessage) => boolean): Promise<RawMessage> {
    return new Promise((resolve) => {
      const look = () => {
        const at = this.seen.findIndex(is);
        const [found] = at === -1 ? [] : this.seen.splice(at, 1);
        if (found === undefined) return;
        this.waiting.delete(look);
        resolve(found);
      };
      this.waiting.add(look);
      look();
    });
  }

  async request(method: string, params: unknown): Promise<unknown> {
    const id = this.nextId++;
    this.send({ id, method, params });
    const answer = await this.until((message) => message.id === id);
    if (answer.error) throw answer.error;
    return answer.result;
  }
}

/** A session in `folder`, opened by the client that misbehaves. */
export async function rawSession(child: ChildProcess, folder: string) {
  const raw = new RawClient(child);
  await raw.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const session = await raw.request('session/new', { cwd: folder, mcpServers: [] });
  return { raw, ...(session as { sessionId: string }) };
}
