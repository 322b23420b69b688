import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestRunner } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import { removeTreeSync } from '../../base/remove-tree';
import { cleanups } from '../../base/testing/cleanups';
import type { Decision } from '../../contract/approvals';
import type { ThreadState, ToolCall } from '../../contract/conversation';
import type { HostEvent } from '../../contract/events';
import type { ThreadId } from '../../contract/ids';
import { portPair } from '../../contract/port-pair';
import { type Client, connect } from '../../contract/rpc';
import { reduce } from '../../contract/thread';
import { detectSandbox, type SandboxFound } from '../../harness/sandbox';
import { newDatabase } from '../../storage/testing/new-database';
import { createHost, type Host } from '../host';
import type { HostOptions } from '../host-options';
import { allowing } from './allowing';

// A test may replace it with a fake clock.
const { setTimeout: realSetTimeout, clearTimeout } = globalThis;

/** Milliseconds until the present test times out; undefined outside a test and in a hook before it. */
function timeLeftInTest(): number | undefined {
  const test = TestRunner.getCurrentTest();
  const started = test?.result?.startTime;
  return test === undefined || started === undefined || !(test.timeout > 0)
    ? undefined
    : test.timeout - (performance.timeOrigin + performance.now() - started);
}

function told(state: ThreadState | undefined): string {
  if (state === undefined) return 'No thread is open.';
  const { turn, approvals, messages } = state;
  return `The turn: ${JSON.stringify(turn)}. Approvals: ${approvals.length}. The last message: ${JSON.stringify(messages.at(-1))}`;
}

/** A window without a screen. It knows the host only through its port and keeps its state with the shared reducer. */
export class FakeWindow {
  readonly client: Client;
  readonly events: HostEvent[] = [];
  state: ThreadState | undefined;
  private readonly waiting = new Set<() => void>();

  constructor(host: Host) {
    const [mine, theirs] = portPair();
    host.connect(theirs);
    this.client = connect(mine);
    this.client.onEvent((event) => {
      this.events.push(event);
      if ('seq' in event && this.state?.thread.id === event.threadId) this.state = reduce(this.state, event);
      for (const look of this.waiting) look();
    });
  }

  async open(threadId: ThreadId) {
    this.state = await this.must('thread.open', { threadId });
  }

  async must<C extends Parameters<Client['call']>[0]>(command: C, input: Parameters<Client['call']>[1]) {
    const result = await this.client.call(command, input as never);
    if (!result.ok) throw new Error(`${command}: ${inEnglish(result.error)}`);
    return result.value as never;
  }

  /** Resolves when the thread's state matches. One second before the test times out, it fails and says what it waits for. */
  until(what: (state: ThreadState) => boolean): Promise<ThreadState> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const stopTimer = () => clearTimeout(timer);
      const look = () => {
        if (!this.state || !what(this.state)) return;
        this.waiting.delete(look);
        stopTimer();
        const index = cleanups.indexOf(stopTimer);
        if (index >= 0) cleanups.splice(index, 1);
        resolve(this.state);
      };
      this.waiting.add(look);
      look();
      const timeLeft = timeLeftInTest();
      if (!this.waiting.has(look) || timeLeft === undefined) return;
      const giveUp = () => reject(new Error(`This did not come: ${what}\n${told(this.state)}`));
      timer = realSetTimeout(giveUp, Math.max(0, timeLeft - 1000));
      // First in the list, because tests remove the last entries again.
      cleanups.unshift(stopTimer);
    });
  }

  get calls(): ToolCall[] {
    return (this.state?.messages ?? []).flatMap((message) => (message.role === 'agent' ? message.calls : []));
  }

  get lastAnswer(): string {
    const message = this.state?.messages.findLast((m) => m.role === 'agent');
    return message?.role === 'agent' ? message.text : '';
  }

  async decide(index: number, decision: Decision) {
    const approval = this.state?.approvals[index];
    if (!this.state || !approval) throw new Error('Nothing waits.');
    const { id: approvalId, digest } = approval;
    return this.client.call('thread.decide', {
      threadId: this.state.thread.id,
      approvalId,
      digest,
      decision,
    });
  }

  /** Allows a call, or keeps what its command did. */
  async allow(index: number) {
    const approval = this.state?.approvals[index];
    if (!approval) throw new Error('Nothing waits.');
    return this.decide(index, allowing(approval));
  }
}

export { cleanups };

export function temp(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `deepdesk-${name}-`)));
  cleanups.push(() => removeTreeSync(folder));
  return folder;
}

/** Shell services without a screen: the person chooses no file and confirms every dialog. */
export const testDesktop: HostOptions['desktop'] = {
  chooseFolder: async () => null,
  reveal: () => undefined,
  openExternal: async () => false,
  confirm: async () => true,
  keychain: null,
};

let found: Promise<SandboxFound> | undefined;
/** The sandbox of this machine. It is tried once per process for all hosts: a trial copies hundreds of entries of `/etc`. */
const sandboxHere = (): Promise<SandboxFound> => {
  found ??= detectSandbox();
  return found;
};

export async function startHost(
  dataDir: string,
  reports: string[] = [],
  more: Partial<HostOptions> = {},
): Promise<Host> {
  const host = await createHost({
    dataDir,
    desktop: testDesktop,
    version: 'test',
    // A copy: each look at a variable of the process is a call into the system.
    env: { ...process.env },
    warnings: [],
    sampleFolder: null,
    sandbox: await sandboxHere(),
    report: (where, error) => void reports.push(`${where}: ${String(error)}`),
    ...more,
  });
  if (!host.ok) throw new Error(inEnglish(host.error));
  return host.value;
}

export async function setUp(more: Partial<HostOptions> = {}) {
  const folder = temp('folder');
  const dataDir = temp('data');
  newDatabase(join(dataDir, 'deepdesk.db'));
  const reports: string[] = [];
  const host = await startHost(dataDir, reports, more);
  cleanups.push(() => host.close());
  const project = await host.projects.open(folder);
  if (!project.ok) throw new Error(inEnglish(project.error));
  const window = new FakeWindow(host);
  const thread: { id: ThreadId } = await window.must('thread.create', { projectId: project.value.id });
  await window.open(thread.id);
  const say = (text: string) => window.must('thread.send', { threadId: thread.id, text });
  return { folder, dataDir, host, reports, window, threadId: thread.id, projectId: project.value.id, say };
}

/** A host that asks about commands before they run, as on systems without throwaway layers. */
export const WITHOUT_LAYERS = { layers: null } as const satisfies Partial<HostOptions>;

export const isIdle = (state: ThreadState) => state.turn.phase === 'idle' && state.messages.length > 0;
export const isWaiting = (count: number) => (state: ThreadState) =>
  state.turn.phase === 'waiting' && state.approvals.length === count;
