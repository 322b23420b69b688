import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { Decision } from '../../contract/approvals';
import type { ThreadState } from '../../contract/conversation';
import { ProjectId, type ThreadId } from '../../contract/ids';
import { type Client, connect, type Port } from '../../contract/rpc';
import { reduce } from '../../contract/thread';

const Ready = z.object({ kind: z.literal('ready'), projectId: ProjectId, mount: z.string() });
const Report = z.object({ kind: z.literal('report'), what: z.string() });

export interface ChildHostOptions {
  /** Made by `bundleHost`. */
  bundle: string;
  dataDir: string;
  folder: string;
  baseUrl: string;
  /** More variables. */
  env?: Record<string, string>;
}

export type StartedHost = ChildHost & { project: z.infer<typeof Ready> };

/** A host in another process, with the one window connected to it. */
export class ChildHost {
  readonly client: Client;
  /** Bugs that the host caught at a boundary. */
  readonly reports: string[] = [];
  state: ThreadState | undefined;
  isGone = false;
  private complaint = '';
  private readonly watchers = new Set<() => void>();

  private constructor(
    private readonly child: ChildProcess,
    readonly ended: Promise<unknown>,
  ) {
    child.stderr?.on('data', (data) => {
      this.complaint = `${this.complaint}${String(data)}`.slice(-4_000);
    });
    child.on('message', (frame) => {
      const report = Report.safeParse(frame);
      if (report.success) this.reports.push(report.data.what);
    });
    child.once('exit', () => {
      this.isGone = true;
      this.look();
    });
    this.client = connect(portOf(child));
    this.client.onEvent((event) => {
      if ('seq' in event && this.state?.thread.id === event.threadId) {
        this.state = reduce(this.state, event);
        this.look();
      }
    });
  }

  /** Rejects with the process's output if it does not start. `begun`: the process is there, and starts. */
  static async start(
    options: ChildHostOptions,
    begun: (host: ChildHost) => void = () => undefined,
  ): Promise<StartedHost> {
    const { bundle, dataDir, folder, baseUrl, env } = options;
    const child = fork(join(bundle, 'child.js'), [dataDir, folder, baseUrl], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: [],
      env: { ...process.env, OPENAI_COMPATIBLE_API_KEY: 'test-key', ...env },
    });
    const host = new ChildHost(child, once(child, 'exit'));
    begun(host);
    const project = await new Promise<z.infer<typeof Ready>>((ready, failed) => {
      child.on('message', (frame) => {
        const parsed = Ready.safeParse(frame);
        if (parsed.success) ready(parsed.data);
      });
      child.once('exit', () => failed(new Error(`the host did not start: ${host.complaint}`)));
    });
    return Object.assign(host, { project });
  }

  async open(threadId: ThreadId): Promise<void> {
    const opened = await this.client.call('thread.open', { threadId });
    if (opened.ok) this.state = opened.value;
    else if (!this.isGone) throw new Error(inEnglish(opened.error));
  }

  decide(approval: ThreadState['approvals'][number], decision: Decision) {
    const { threadId, id: approvalId, digest } = approval;
    return this.client.call('thread.decide', { threadId, approvalId, digest, decision });
  }

  /** Resolves when `look` returns a value or the process is gone. Rejects after `silence` milliseconds without an event. */
  until<T>(what: string, look: (state: ThreadState) => T | undefined, silence: number): Promise<T | 'gone'> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.watchers.delete(see);
      };
      const see = () => {
        const found = this.isGone ? 'gone' : this.state === undefined ? undefined : look(this.state);
        if (found === undefined) {
          timer.refresh();
          return;
        }
        end();
        resolve(found);
      };
      const timer = setTimeout(() => {
        end();
        const { turn, approvals, messages } = this.state ?? {};
        const last = JSON.stringify(messages?.slice(-2)).slice(0, 2_000);
        reject(
          new Error(
            `heard nothing for ${silence} ms while waiting for ${what}; turn ${JSON.stringify(turn)}, ${approvals?.length} approvals, ${last}; ${this.reports.join()} ${this.complaint}`,
          ),
        );
      }, silence);
      this.watchers.add(see);
      see();
    });
  }

  /** Kills the process like a power cut. */
  kill(): void {
    this.signal('SIGKILL');
  }

  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(signal);
  }

  /** Shuts it down cleanly. */
  async close(): Promise<void> {
    if (!this.isGone) this.child.send('close');
    await this.ended;
    if (this.child.exitCode !== 0) throw new Error(`the host did not end well: ${this.complaint}`);
  }

  private look(): void {
    for (const watcher of [...this.watchers]) watcher();
  }
}

function portOf(child: ChildProcess): Port {
  return {
    post: (message) => {
      // A killed process receives nothing more; `onClose` reports its exit.
      if (child.connected) child.send(message as object, () => undefined);
    },
    listen: (receive) => {
      child.on('message', receive);
      return () => void child.off('message', receive);
    },
    onClose: (closed) => {
      child.once('exit', closed);
      return () => void child.off('exit', closed);
    },
  };
}
