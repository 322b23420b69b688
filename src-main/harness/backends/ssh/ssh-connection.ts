import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRegular } from '../../../base/open-regular';
import { isRefused } from '../../../base/regular-file';
import { RemoteError, type RemoteTransport } from '../remote/remote-transport';
import { ASKPASS, lastAsked } from './askpass';

/** Seconds after which an unused connection ends by itself, even when this program was killed. */
const PERSIST = 60;
/** Seconds until an attempt to connect fails. */
const CONNECT_TIMEOUT = 10;
/** Seconds between two signs of life, and how many may be missed. */
const ALIVE_INTERVAL = 10;
const ALIVE_MISSED = 2;
/** Bytes read of the questions that were asked. */
const MAX_ASKED = 100_000;

/** How a machine is reached. The person's OpenSSH configuration applies to everything else. */
export interface SshOptions {
  /** A host or an alias of the person's OpenSSH configuration; `user@host` and `ssh://user@host:port` too. */
  host: string;
  /** Fingerprints (`SHA256:…`) of unknown hosts that the person accepted. */
  hostKeys?: readonly string[];
  /** Receives the keys of accepted hosts, in addition to the person's own list. */
  knownHosts?: string;
  /** The configuration. Default: the person's. */
  config?: string;
  /** A password of the host, or the passphrase of a key. Jump hosts never get it. */
  secret?: string | null;
  /** Default: the process's. */
  env?: NodeJS.ProcessEnv;
}

/** Why a machine cannot be reached. */
export type SshProblem =
  | {
      /** The host is in no list of known hosts. Add the fingerprint to `hostKeys` if the person accepts it. */
      kind: 'host-key-unknown';
      /** Of the key that the host has shown, such as `SHA256:…`. */
      fingerprint: string;
    }
  | {
      /** The same for a jump host on the way. No option accepts its key; connect to it in a terminal once. */
      kind: 'jump-key-unknown';
      jumpHost: string;
      fingerprint: string;
    }
  | {
      /** A jump host asks for a password. It gets none: `secret` is for the host only. */
      kind: 'jump-secret';
      /** Such as `me@gate's password:`. */
      question: string;
    }
  | {
      /**
       * `host-key-changed`: `ssh` refused the host's key, usually because it differs from the known one. `denied`: no login
       * succeeded. `no-shell`: the login succeeded, but the account may run no commands. `no-program`: `ssh` did not start.
       * `unreachable`: anything else.
       */
      kind: 'host-key-changed' | 'denied' | 'no-shell' | 'unreachable' | 'no-program';
      /** The message of `ssh`, or of the other side. */
      text: string;
    };

/** Problems that the other side would have again. */
const REFUSALS: readonly SshProblem['kind'][] = [
  'denied',
  'no-shell',
  'host-key-unknown',
  'jump-key-unknown',
  'jump-secret',
  'host-key-changed',
];

/** The connection failed, before any command ran. */
export class SshError extends RemoteError {
  override readonly way = 'SSH connection';

  constructor(
    /** The cause. `kind` of the error is `denied` for refused logins, host keys and commands, and `network` for the others. */
    readonly problem: SshProblem,
  ) {
    super(textOf(problem));
  }

  override get kind(): RemoteError['kind'] {
    return REFUSALS.includes(this.problem.kind) ? 'denied' : 'network';
  }
}

function textOf(problem: SshProblem): string {
  if ('text' in problem) return problem.text;
  if ('question' in problem) return `A jump host asks "${problem.question}". It gets no password.`;
  const whose = problem.kind === 'jump-key-unknown' ? `The jump host ${problem.jumpHost}'s` : "The host's";
  return `${whose} key ${problem.fingerprint} is unknown.`;
}

/** The name of the file with the questions that were asked. */
const ASKED = 'asked';

interface Prepared {
  /** The control socket, the askpass program and what it was asked. */
  folder: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** All that `ssh` prints for a terminal whose session the server refuses. */
const REFUSED_SESSION =
  /^\s*mux_client_request_session: session request failed: [^\n]*\s*(kex_exchange_identification: [^\n]*\s*)?$/;

/** Status of `ssh` for errors of its own. */
const SSH_FAILED = 255;

/**
 * The command line that runs a script in `sh`, whatever the login shell is: fish and tcsh read quotes, backslashes, newlines
 * and `!` in their own ways, even within quotes, so these travel as octal numbers.
 */
function forLoginShell(script: string): string {
  const octal = (special: string) => `\\0${special.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return `exec sh -c 'eval "$(printf %b "$1")"' sh '${script.replace(/[\\'\n!]/g, octal)}'`;
}

/**
 * One multiplexed connection of the system's OpenSSH client, shared by every process that `start` returns. The first one
 * after a break connects again.
 */
export class SshConnection implements RemoteTransport {
  private prepared: Promise<Prepared> | null = null;
  private isClosed = false;

  constructor(private readonly options: SshOptions) {
    if (options.host.startsWith('-')) throw new Error(`'${options.host}' is not a host`);
  }

  get id(): string {
    return `ssh:${this.options.host}`;
  }

  get name(): string {
    return this.options.host;
  }

  async start(script: string): Promise<ChildProcess> {
    const { args, env } = await this.connection();
    return spawn('ssh', [...args, '-T', '--', this.options.host, forLoginShell(script)], {
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  async terminal(): Promise<(script: string) => { file: string; args: string[] }> {
    const { args } = await this.connection();
    const { host } = this.options;
    const own = ['ControlMaster=no', 'ProxyCommand=false', 'BatchMode=yes'].flatMap((set) => ['-o', set]);
    return (script) => ({
      file: 'ssh',
      args: [...own, ...args, '-tt', '--', host, forLoginShell(script)],
    });
  }

  unstarted(printed: string): string | null {
    return REFUSED_SESSION.test(printed)
      ? `${this.name} allows no further session at the same time (MaxSessions of its SSH server). End another command or terminal there first.`
      : null;
  }

  async failure(exitCode: number | null, stderr: string): Promise<SshError | null> {
    return exitCode === SSH_FAILED ? new SshError(await this.problemOf(stderr)) : null;
  }

  unable(printed: string): SshError {
    return new SshError({ kind: 'no-shell', text: printed });
  }

  missing({ message }: Error): SshError {
    return new SshError({ kind: 'no-program', text: message });
  }

  /** Why `ssh` itself failed, from what it wrote. */
  private async problemOf(stderr: string): Promise<SshProblem> {
    const text = stderr.trim();
    if (/REMOTE HOST IDENTIFICATION HAS CHANGED/.test(stderr)) return { kind: 'host-key-changed', text };
    const asked = lastAsked(await this.readAsked());
    if (/Host key verification failed/.test(stderr))
      return asked !== null && asked.of === 'host'
        ? { kind: 'host-key-unknown', fingerprint: asked.fingerprint }
        : { kind: 'host-key-changed', text };
    if (/Permission denied \(|Too many authentication failures|no mutual signature/.test(stderr))
      return { kind: 'denied', text };
    if (asked === null || asked.of === 'host') return { kind: 'unreachable', text };
    return 'question' in asked
      ? { kind: 'jump-secret', question: asked.question }
      : { kind: 'jump-key-unknown', jumpHost: asked.jumpHost, fingerprint: asked.fingerprint };
  }

  close(): Promise<void> {
    this.isClosed = true;
    return this.drop();
  }

  async drop(): Promise<void> {
    const { prepared } = this;
    this.prepared = null;
    const made = await prepared?.catch(() => null);
    if (!made) return;
    const { folder, args, env } = made;
    const ended = spawn('ssh', [...args, '-O', 'exit', '--', this.options.host], { env, stdio: 'ignore' });
    await new Promise((resolve) => ended.on('error', resolve).on('close', resolve));
    // The master may still remove its socket.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }

  private connection(): Promise<Prepared> {
    if (this.isClosed)
      return Promise.reject(new SshError({ kind: 'unreachable', text: 'The connection was closed.' }));
    if (this.prepared !== null) return this.prepared;
    const prepared = this.prepare().catch((error: Error) => {
      // The disk may be full just now.
      if (this.prepared === prepared) this.prepared = null;
      throw new SshError({ kind: 'unreachable', text: error.message });
    });
    this.prepared = prepared;
    return prepared;
  }

  private async prepare(): Promise<Prepared> {
    const { options } = this;
    const folder = await mkdtemp(join(await realpath(tmpdir()), 'dd-ssh-'));
    const askpass = join(folder, 'askpass');
    const socket = join(folder, 'c');
    await writeFile(askpass, ASKPASS, { mode: 0o700 });
    const env = {
      ...(options.env ?? process.env),
      // Messages are recognized by their English text.
      LC_ALL: 'C',
      SSH_ASKPASS: askpass,
      SSH_ASKPASS_REQUIRE: 'force',
      DISPLAY: 'none',
      DEEPDESK_SSH_ASKED: join(folder, ASKED),
      DEEPDESK_SSH_SOCKET: socket,
      DEEPDESK_SSH_KEYS: (options.hostKeys ?? []).join(' '),
      ...(options.secret ? { DEEPDESK_SSH_SECRET: options.secret } : {}),
    };
    const set: Record<string, string> = {
      ControlMaster: 'auto',
      ControlPath: socket,
      ControlPersist: String(PERSIST),
      StrictHostKeyChecking: 'ask',
      ConnectTimeout: String(CONNECT_TIMEOUT),
      ServerAliveInterval: String(ALIVE_INTERVAL),
      ServerAliveCountMax: String(ALIVE_MISSED),
      NumberOfPasswordPrompts: '1',
      ForwardAgent: 'no',
      ForwardX11: 'no',
      ClearAllForwardings: 'yes',
      PermitLocalCommand: 'no',
      RemoteCommand: 'none',
      LogLevel: 'ERROR',
      ...(options.knownHosts === undefined
        ? {}
        : { UserKnownHostsFile: `"${options.knownHosts}" ~/.ssh/known_hosts ~/.ssh/known_hosts2` }),
    };
    const args = [
      ...(options.config === undefined ? [] : ['-F', options.config]),
      ...Object.entries(set).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    ];
    return { folder, args, env };
  }

  private async readAsked(): Promise<string> {
    const folder = (await this.prepared)?.folder;
    if (folder === undefined) return '';
    const read = await readRegular(join(folder, ASKED), { root: folder, maxBytes: MAX_ASKED, cut: true });
    // Nothing was asked.
    return isRefused(read) ? '' : read.toString();
  }
}
