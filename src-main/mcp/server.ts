import { randomUUID } from 'node:crypto';
import { englishForModel } from '../../src-renderer/i18n/english';
import { reasonOf } from '../contract/errors';
import type { McpState } from '../contract/mcp';
import { fail, ok, type Result } from '../contract/result';
import { because, mapTexts, type Reason, type Reasons } from '../contract/shared/reasons';
import type { ServerConfig } from './config/config';
import type { Connection } from './connection';
import { withoutValues } from './masks';
import { problem } from './problem';
import type { CallEvents, QuestionAnswer, ServerQuestion } from './questions';
import { raced } from './raced';
import type { CallOutcome, ServerOptions } from './server-options';
import { findTarget } from './server-target';
import type { Challenge } from './sign-in/sign-in';
import { type KeptSignIn, type SignIn, SignInNeeded, tokensOf } from './sign-in/sign-ins';
import type { SignInPlace } from './sign-in/signing-in';
import { CallLimit } from './tools/call-limit';
import { ToolFailed } from './tools/results';
import type { ToolList } from './tools/tool-list';
import { LastLines } from './transport/lines';
import { SessionForgotten } from './transport/session-forgotten';
import { isUnknown, whyNotStarted } from './transport/start-failure';
import type { Target } from './transport/transport';

/** Milliseconds until a failed server is retried, doubled with each consecutive failure. */
const BACK_OFF = { first: 1_000, most: 60_000 };
/** Milliseconds for a changed tool list, and for a ping after a call that timed out. */
const LIST_WITHIN = 10_000;
const PING_WITHIN = 5_000;
const OFFERS_WITHIN = 2_000;

/**
 * One server. It starts when it is first needed, and again, with growing pauses, when a call finds it gone. Every wait has a
 * limit, and only a bug or the caller's signal rejects.
 */
export class Server {
  private standing:
    | { phase: 'idle' }
    | { phase: 'starting' }
    | { phase: 'ready' }
    | { phase: 'failed' | 'signIn'; why: Reasons } = { phase: 'idle' };
  private connection: Connection | undefined;
  private starting: Promise<void> | undefined;
  private stopping = new AbortController();
  private listed: ToolList;
  private isStale = false;
  private isRetired = false;
  private failures = 0;
  private notBefore = 0;
  private lines = new LastLines();
  private place: { address: string; kept: KeptSignIn } | null = null;
  private challenge: Challenge = {};
  /** Values that must not be shown or sent to a model. */
  private hidden: string[] = [];

  constructor(private readonly options: ServerOptions) {
    this.listed = options.remembered ?? { tools: [], leftOut: [] };
  }

  get config(): ServerConfig {
    return this.options.config;
  }

  get state(): McpState {
    if (this.standing.phase === 'signIn') return { phase: 'signIn', problem: null };
    return this.standing.phase === 'failed'
      ? {
          phase: 'failed',
          why: this.standing.why,
          lines: this.lines.all().map((line) => this.clean(line)),
        }
      : { phase: this.standing.phase };
  }

  /** Where the person can sign in, as of its last start; null if it has no sign-in. */
  get signInPlace(): SignInPlace | null {
    return this.place === null ? null : { ...this.place, challenge: this.challenge };
  }

  /** The sign-in that it uses. */
  get signedIn(): SignIn | null {
    return this.place?.kept.read() ?? null;
  }

  /** The last known tools, even while the server is gone: the next call restarts it. */
  get tools(): ToolList {
    return this.listed;
  }

  /** It is starting for the first time. Only then is waiting useful. */
  get isComing(): boolean {
    return this.standing.phase === 'starting' && this.listed.tools.length === 0 && this.failures === 0;
  }

  /** Starts it unless it is running, starting, or failed just now. Resolves when the outcome is known. Never rejects. */
  async start(): Promise<void> {
    if (this.connection !== undefined || this.isRetired) return;
    if (this.starting === undefined && this.options.clock.now() < this.notBefore) return;
    this.starting ??= this.open().finally(() => {
      this.starting = undefined;
    });
    await this.starting;
  }

  /** Loads the tool list again if the server reported a change. Never rejects. */
  async refresh(signal: AbortSignal): Promise<void> {
    const { connection } = this;
    if (connection === undefined || !this.isStale) return;
    this.isStale = false;
    try {
      this.take(await connection.list(AbortSignal.any([signal, this.options.clock.limit(LIST_WITHIN)])));
      this.options.onChanged();
    } catch {
      // The old list stays; the next turn tries again.
      this.isStale = true;
    }
  }

  /** Rejects only with the reason of `signal`. */
  async call(
    tool: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
    events: CallEvents = NO_EVENTS,
  ): Promise<CallOutcome> {
    const first = await this.attempt(tool, args, signal, events);
    // A forgotten session is replaced once.
    const outcome = first ?? (await this.attempt(tool, args, signal, events));
    return outcome ?? this.failed([because('mcp_call_no_session', { server: this.config.name, tool })]);
  }

  private failed(why: Reasons): CallOutcome {
    return {
      ...this.failedWith(englishForModel.sentences(why)),
      failure: why.map((one) => mapTexts(one, (text) => this.clean(text))),
    };
  }

  /** With the words of the server. */
  private failedWith(content: string): CallOutcome {
    return { ok: false, content: `Error: ${this.clean(content)}` };
  }

  /** Null: the server has forgotten the session, so it did not run the tool. */
  private async attempt(
    tool: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
    events: CallEvents,
  ): Promise<CallOutcome | null> {
    signal.throwIfAborted();
    const { name, callTimeout } = this.config;
    const named = { server: name, tool };
    await raced(this.start(), signal);
    const { connection } = this;
    if (connection === undefined) {
      const seconds = Math.max(1, Math.ceil((this.notBefore - this.options.clock.now()) / 1_000));
      return this.failed([
        because('mcp_call_not_running', named),
        ...this.whyGone,
        because('mcp_call_starts_again', { seconds }),
      ]);
    }
    const limit = new CallLimit(this.options.clock, callTimeout);
    const wasSignedIn = this.signedIn !== null;
    try {
      const content = await connection.call(tool, args, AbortSignal.any([signal, limit.signal]), {
        progressed: (progress) => {
          limit.restart();
          events.progressed(progress);
        },
        ask: (question, asking) =>
          limit.during(() => this.ask(events, question, AbortSignal.any([signal, asking]))),
      });
      this.failures = 0;
      return { ok: true, content };
    } catch (error) {
      signal.throwIfAborted();
      if (limit.signal.aborted) {
        void this.checkAlive(connection);
        return this.failed([because('mcp_call_slow', { ...named, seconds: callTimeout / 1_000 })]);
      }
      if (error instanceof SessionForgotten) return null;
      const why = error instanceof Error ? error.message : String(error);
      if (wasSignedIn && this.signedIn === null && this.connection === connection) {
        this.drop(SIGN_IN, 'signIn');
        await connection.close().catch(() => undefined);
        return this.failed([because('mcp_call_sign_in_gone', named), ...SIGN_IN]);
      }
      if (this.connection !== connection) {
        const [lost, unknown] = [because('mcp_call_lost', named), because('mcp_call_effect_unknown')];
        return 'why' in this.standing
          ? this.failed([lost, ...this.standing.why, unknown])
          : this.failedWith(
              `${englishForModel.sentences([lost])} ${why} ${englishForModel.sentences([unknown])}`,
            );
      }
      // A failure outside the protocol may mean that the HTTP server is gone. A living server answers a ping.
      if (this.config.transport !== 'stdio' && !isAnswer(error)) void this.checkAlive(connection);
      if (error instanceof ToolFailed && error.why !== undefined) return this.failed(error.why);
      return why.trim() === ''
        ? this.failed([because('mcp_call_says_nothing', named)])
        : this.failedWith(why);
    }
  }

  /** The person's answer. A page is opened once they agree. */
  private async ask(
    events: CallEvents,
    question: ServerQuestion,
    signal: AbortSignal,
  ): Promise<QuestionAnswer> {
    const answer = await events.ask(question, signal);
    if (answer.action !== 'accept' || question.url === null || question.step === 'finish') return answer;
    const isOpened = await this.options.openBrowser(new URL(question.url));
    return isOpened ? answer : { action: 'decline' };
  }

  /** What it offers for the person's messages, if it is running and answers quickly. Never rejects. */
  async offered<T>(list: (connection: Connection, signal: AbortSignal) => Promise<T[]>): Promise<T[]> {
    const { connection } = this;
    if (connection === undefined) return [];
    return list(connection, this.options.clock.limit(OFFERS_WITHIN)).catch(() => []);
  }

  /** One of its offers. Rejects only with the reason of `signal`. */
  async taken<T>(
    take: (connection: Connection, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<Result<T>> {
    await raced(this.start(), signal);
    const { connection } = this;
    if (connection === undefined) {
      return fail('not_found', 'server_not_there', { name: this.config.name, why: this.whyGone });
    }
    try {
      return ok(await take(connection, AbortSignal.any([signal, this.options.clock.limit(LIST_WITHIN)])));
    } catch (error) {
      signal.throwIfAborted();
      return fail('provider', 'server_says', {
        name: this.config.name,
        text: this.clean(error instanceof Error ? error.message : String(error)),
      });
    }
  }

  /** Stops it and all its processes. It can be started again. */
  async stop(): Promise<void> {
    this.stopping.abort(problem(because('mcp_stopped')));
    await this.starting;
    const { connection } = this;
    this.connection = undefined;
    this.failures = 0;
    this.notBefore = 0;
    this.set({ phase: 'idle' });
    await connection?.close().catch(() => undefined);
    this.stopping = new AbortController();
  }

  /** Stops it for good. */
  async retire(): Promise<void> {
    this.isRetired = true;
    await this.stop();
  }

  private async open(): Promise<void> {
    const { config, version, processes } = this.options;
    // Each start has a new id, so that stopping the old process does not kill the new one.
    const processId = `mcp-${randomUUID()}`;
    this.lines = new LastLines();
    const junk = new LastLines();
    const target = this.target(processId);
    if (!target.ok) return this.fail([reasonOf(target.error)]);
    this.set({ phase: 'starting' });
    const limit = this.options.clock.limit(config.startTimeout);
    const stopping = this.stopping.signal;
    const signal = AbortSignal.any([stopping, limit]);
    let connection: Connection | undefined;
    let lost: Reason | undefined;
    try {
      // Loaded with the first server, because most people have none.
      const { openConnection } = await import('./connection');
      if ((await this.options.mayStart?.()) === false) throw problem(because('mcp_files_changed'));
      connection = await openConnection(
        target.value,
        {
          version,
          server: config.name,
          own: (pid) => processes.own(pid, processId),
          onStartedAgain: () => {
            this.lines = new LastLines();
            lost = undefined;
          },
          onErrorOutput: (text) => this.lines.push(text),
          onJunk: (line) => junk.push(`${line}\n`),
          onLost: (why) => {
            lost = why;
            if (this.connection !== undefined && this.connection === connection) this.drop([why]);
          },
          onToolsChanged: () => {
            this.isStale = true;
            this.options.onStale();
          },
          onRefused: (challenge) => {
            this.challenge = challenge;
          },
        },
        signal,
      );
      this.isStale = false;
      this.take(await connection.list(signal));
      if (lost !== undefined) throw problem(lost);
      this.connection = connection;
      this.set({ phase: 'ready' });
    } catch (error) {
      await connection?.close().catch(() => undefined);
      if (stopping.aborted) return this.set({ phase: 'idle' });
      if (error instanceof SignInNeeded || (isUnknown(error) && this.place !== null))
        return this.fail(SIGN_IN, 'signIn');
      const why = limit.aborted
        ? [because('mcp_slow_start', { seconds: config.startTimeout / 1_000 })]
        : whyNotStarted(error, lost);
      const [line] = junk.all();
      this.fail(line === undefined ? why : [...why, because('mcp_not_protocol', { line })]);
    }
  }

  private target(processId: string): Result<Target> {
    const { target, hidden, place } = findTarget(this.options, processId);
    this.hidden = hidden;
    this.place = place;
    return target;
  }

  /** After a timeout: a server that does not even answer a ping is stopped, so that the next call restarts it. */
  private async checkAlive(connection: Connection): Promise<void> {
    try {
      await connection.ping(this.options.clock.limit(PING_WITHIN));
    } catch {
      if (this.connection !== connection) return;
      this.drop([because('mcp_unresponsive')]);
      await connection.close().catch(() => undefined);
    }
  }

  private take(list: ToolList): void {
    this.listed = list;
    this.options.onListed(list);
  }

  private drop(why: Reasons, phase: 'failed' | 'signIn' = 'failed'): void {
    this.connection = undefined;
    this.fail(why, phase);
    // A server that was running gets its first retry immediately.
    if (this.failures === 1) this.notBefore = 0;
  }

  private fail(why: Reasons, phase: 'failed' | 'signIn' = 'failed'): void {
    this.failures += 1;
    const pause = Math.min(BACK_OFF.most, BACK_OFF.first * 2 ** (this.failures - 1));
    this.notBefore = this.options.clock.now() + pause;
    this.set({ phase, why: why.map((one) => mapTexts(one, (text) => this.clean(text))) });
  }

  private set(state: typeof this.standing): void {
    this.standing = state;
    this.options.onChanged();
  }

  /** Why it is not running. */
  private get whyGone(): Reasons {
    return 'why' in this.standing ? this.standing.why : [because('mcp_stopped')];
  }

  private clean(text: string): string {
    return withoutValues(text, [...this.hidden, ...tokensOf(this.signedIn)]);
  }
}

/** For a call that nobody watches: its questions are not answered. */
const NO_EVENTS: CallEvents = {
  progressed: () => undefined,
  ask: async () => ({ action: 'cancel' }),
};

/** For the person, and for the model to pass on. */
const SIGN_IN: Reasons = [because('mcp_sign_in_needed')];

/** The server itself reported this through the protocol. */
const isAnswer = (error: unknown): boolean =>
  error instanceof ToolFailed || (error instanceof Error && error.name === 'ProtocolError');
