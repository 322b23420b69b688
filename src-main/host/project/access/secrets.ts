import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { Gate } from '../../../approvals/gate';
import { flushNamesSync } from '../../../base/replace-file';
import type { TerminalInfo } from '../../../contract/app';
import { CallId, type ProjectId, type TerminalId, type ThreadId } from '../../../contract/ids';
import { optional } from '../../../contract/shared/optional';
import { because, type Reason } from '../../../contract/shared/reasons';
import type { BackendProtocol } from '../../../harness';
import { scrubEnv } from '../../../harness/backends';
import { descriptorOf, TOOLS, takesPlaceholders } from '../../../harness/tools/catalogue';
import { hasPlaceholder, SecretStream, secretValues, type TextSource, ThreadSecrets } from '../../../secrets';
import type { Storage } from '../../../storage';
import type { SecretGuard } from './secret-guard';

const KEY_BYTES = 32;

/** Tracks what is redacted in which thread. Values stay in memory; the database has numbers, kinds, places and digests. */
export class SecretService {
  private readonly threads = new Map<ThreadId, ThreadSecrets>();
  private readonly projects = new Map<ThreadId, ProjectId>();
  private readonly values = new Map<string, string>();
  private readonly streams = new Map<TerminalId, SecretStream>();
  private readonly key: Uint8Array;
  private readonly fromEnvironment: string[];
  private keys: readonly string[] = [];

  constructor(
    private readonly options: {
      storage: Storage;
      dataDir: string;
      env: NodeJS.ProcessEnv;
      /** The current keys that Deepdesk itself uses. */
      ownKeys: () => Promise<string[]>;
    },
  ) {
    this.key = digestKey(join(options.dataDir, 'withheld.key'));
    this.fromEnvironment = secretValues(options.env, scrubEnv(options.env));
    this.keys = this.fromEnvironment;
  }

  /** Call before a turn: the person may have entered another key. */
  async refresh(): Promise<void> {
    this.keys = [...new Set([...this.fromEnvironment, ...(await this.options.ownKeys())])];
  }

  of(threadId: ThreadId): ThreadSecrets {
    const known = this.threads.get(threadId);
    if (known !== undefined) return known;
    const { storage } = this.options;
    const made = new ThreadSecrets({
      book: {
        list: () => storage.redactedSecrets.list(threadId),
        save: (secret) => storage.redactedSecrets.save(threadId, secret),
      },
      key: this.key,
      values: this.values,
      own: () => this.keys,
      isGuarded: () => this.isGuarded(threadId),
    });
    this.threads.set(threadId, made);
    return made;
  }

  /** Called for each text: reading the thread, which never changes its project, would dominate the time. */
  isGuarded(threadId: ThreadId): boolean {
    const { storage } = this.options;
    const projectId = this.projects.get(threadId) ?? storage.threads.get(threadId)?.thread.projectId;
    if (projectId !== undefined) this.projects.set(threadId, projectId);
    return projectId === undefined || storage.projects.get(projectId)?.secretsShown !== true;
  }

  /** The guard for a thread's harness. */
  guardOf(threadId: ThreadId, backend: BackendProtocol): SecretGuard {
    const secrets = this.of(threadId);
    return {
      get version() {
        return secrets.version;
      },
      redact: (text, source) => secrets.redact(text, sourceOf(source)),
      restore: ({ tool, args }, signal) => restore(secrets, backend, tool, args, signal),
    };
  }

  /** Redacts the output of a thread's commands, whole lines at a time. */
  streamOf(threadId: ThreadId): SecretStream {
    const secrets = this.of(threadId);
    return new SecretStream(
      (text) => secrets.redact(text, { tool: TOOLS.execute.name }),
      (text) => secrets.detect(text),
    );
  }

  /** Registers an opened or existing terminal, so that its output counts for this thread. */
  terminalOf(info: Pick<TerminalInfo, 'id' | 'threadId'>): void {
    if (!this.streams.has(info.id)) this.streams.set(info.id, this.terminalStream(info.threadId));
  }

  /** The part of a terminal's output that may be stored now. The window shows all output as it arrives. */
  kept(id: TerminalId, data: string): string {
    this.terminalOf({ id, threadId: null });
    return this.streams.get(id)?.push(data) ?? '';
  }

  /** The terminal's record without secrets: its command received the real values. */
  keptInfo(info: TerminalInfo): TerminalInfo {
    if (info.threadId === null) return info;
    return { ...info, command: this.of(info.threadId).redact(info.command, { tool: TOOLS.execute.name }) };
  }

  /** The remaining output, once the terminal has exited. */
  keptRest(id: TerminalId): string {
    const rest = this.streams.get(id)?.end() ?? '';
    this.streams.delete(id);
    return rest;
  }

  private terminalStream(threadId: ThreadId | null): SecretStream {
    if (threadId !== null) return this.streamOf(threadId);
    const nobody = new ThreadSecrets({
      book: null,
      key: this.key,
      values: this.values,
      own: () => this.keys,
      isGuarded: () => true,
    });
    return new SecretStream(
      (text) => nobody.redact(text),
      (text) => nobody.detect(text),
    );
  }
}

/** Computes prompts from the real text, and shows and stores them without its secrets. */
export function gateOfSecrets(gate: Gate, guard: SecretGuard): Gate {
  return {
    judge: async (call, signal, past) => {
      const restored = await guard.restore({ tool: call.tool, args: call.args }, signal);
      if ('refusal' in restored) return { verdict: 'deny', reason: [restored.refusal] };
      const verdict = await gate.judge({ ...call, args: restored.args }, signal, past);
      if (verdict.verdict !== 'ask') return verdict;
      const { preview, reason } = verdict.question;
      const path = typeof call.args.file_path === 'string' ? call.args.file_path : undefined;
      const source = { tool: call.tool, callId: call.callId, ...optional({ path }) };
      return {
        verdict: 'ask',
        question: {
          ...verdict.question,
          reason: eachText(reason, (text) => guard.redact(text, source)),
          preview: eachText(preview, (text) => guard.redact(text, source)),
        },
      };
    },
  };
}

async function restore(
  secrets: ThreadSecrets,
  backend: BackendProtocol,
  tool: string,
  args: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<{ args: Record<string, unknown> } | { refusal: Reason }> {
  if (takesPlaceholders(tool)) return { args };
  const number = placeholderIn(secrets, args);
  if (number === null) return { args };
  const fields = descriptorOf(tool)?.fileText;
  const path = args.file_path;
  if (fields === undefined || typeof path !== 'string' || secrets.placeholderIn(path) !== null)
    return {
      refusal: because('placeholder_in_arguments', { tool, number }),
    };
  const file = posix.normalize(path);
  const written = { ...args };
  let isRead = false;
  for (const field of fields) {
    const text = args[field];
    if (typeof text !== 'string') continue;
    let restored = secrets.restore(text, file);
    if (restored.kind === 'gone' && !isRead) {
      isRead = true;
      const { data } = await backend.readRaw(path, signal === undefined ? {} : { signal });
      const content = Array.isArray(data?.content) ? data.content.join('\n') : data?.content;
      if (typeof content === 'string') secrets.redact(content, { path: file });
      restored = secrets.restore(text, file);
    }
    if (restored.kind === 'gone')
      return {
        refusal: because('redacted_gone', { tool, number: restored.number }),
      };
    if (restored.kind === 'elsewhere')
      return {
        refusal: because('redacted_elsewhere', { tool, number: restored.number, path }),
      };
    written[field] = restored.text;
  }
  return { args: written };
}

function placeholderIn(secrets: ThreadSecrets, value: unknown): number | null {
  const json = JSON.stringify(value) ?? '';
  return hasPlaceholder(json) ? secrets.placeholderIn(json) : null;
}

/** Maps every text in a value. */
function eachText<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((one: unknown) => eachText(one, change)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, eachText(one, change)])) as T;
}

function sourceOf(source: Parameters<SecretGuard['redact']>[1]): TextSource {
  if (source === undefined) return {};
  const { tool, callId, path } = source;
  return {
    ...optional({ tool }),
    ...(callId === undefined || callId === '' ? {} : { callId: CallId.parse(callId) }),
    ...(path === undefined ? {} : { path: posix.normalize(path) }),
  };
}

/** Stored beside the database, not in it: the database alone does not allow guessing the values behind digests. */
function digestKey(file: string): Uint8Array {
  try {
    const known = readFileSync(file);
    if (known.length === KEY_BYTES) return known;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const key = randomBytes(KEY_BYTES);
  // Digests in the database are useless without it.
  writeFileSync(file, key, { mode: 0o600, flush: true });
  flushNamesSync(dirname(file));
  return key;
}
