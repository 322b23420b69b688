import {
  amount,
  type Checks,
  checkOptions,
  func,
  listOf,
  objectWith,
  oneOf,
  positive,
  text,
} from '../../../base/check-options';
import { isBelow } from '../../../base/is-below';
import { type Failure, failure, isFailure } from '../failure';
import { checkPath } from '../paths';
import type { BackendProtocol } from '../protocol';
import { ScreenedBackend, type ScreenedCall } from './policy-screen';

/** A call that a `PolicyBackend` allowed or refused. */
export interface PolicyEvent {
  /** Milliseconds since 1970. */
  at: number;
  /** The method of the backend. */
  operation: ScreenedCall['operation'];
  /** The canonical path, or the command. */
  target: string;
  /** `denied`: it ended with kind `denied` or `rate_limited`. `failed`: with any other error. */
  outcome: 'done' | 'failed' | 'denied';
  /** Why it failed or was denied. */
  reason?: string;
}

/** Options of `PolicyBackend`. */
export interface PolicyOptions {
  /** Nothing at or below these is read, listed, found or written. */
  denyPrefixes?: readonly string[];
  /**
   * At most `calls` in any `perMs` milliseconds. Further calls are rejected, not queued. `counted`: holds the times of the
   * counted calls; backends that are given the same array share one limit. Default: one of its own.
   */
  rateLimit?: {
    /** Maximum number of calls. 0 allows none. */
    calls: number;
    /** Milliseconds. */
    perMs: number;
    /** Milliseconds since 1970, the oldest first. */
    counted?: number[];
  };
  /** Receives every call when it has finished. An error it throws is a bug and reaches the caller. */
  audit?: (event: PolicyEvent) => void;
  /** Inspects a call before it runs, including contents and commands. A returned text rejects the call with that reason. */
  inspect?: (call: ScreenedCall) => string | null | Promise<string | null>;
  /**
   * `deny`: no commands. `inspect`: commands run unless they name a denied prefix. That helps against slips but is no
   * barrier: a command can build a path in many ways. Default `deny` if prefixes are denied, else `inspect`.
   */
  execute?: 'deny' | 'inspect';
  /** Milliseconds since 1970. Default: the system's clock. */
  now?: () => number;
}

const CHECKS: Checks<PolicyOptions> = {
  denyPrefixes: listOf(text, 'paths'),
  rateLimit: objectWith({ calls: amount, perMs: positive, counted: listOf(amount, 'times') }, [
    'calls',
    'perMs',
  ]),
  audit: func,
  inspect: func,
  execute: oneOf('deny', 'inspect'),
  now: func,
};

/**
 * Rules of a whole installation in front of any backend: denied places, a rate limit, an audit trail and an inspection of
 * written content. Rejections are values of kind `denied` or `rate_limited`. Throws on invalid prefixes.
 */
export class PolicyBackend extends ScreenedBackend {
  protected readonly sees: ((path: string) => boolean) | null;
  private readonly denied: readonly string[];
  private readonly now: () => number;
  private readonly recent: number[];

  /** Throws if one of `denyPrefixes` is not a valid path. */
  constructor(
    inner: BackendProtocol,
    private readonly policy: PolicyOptions,
  ) {
    super(inner);
    checkOptions('PolicyBackend', policy, CHECKS);
    this.denied = (policy.denyPrefixes ?? []).map((prefix) => {
      const at = checkPath(prefix);
      if (isFailure(at)) throw new Error(`Denied prefix '${prefix}': ${at.error}`);
      return at.path;
    });
    this.now = policy.now ?? Date.now;
    this.recent = policy.rateLimit?.counted ?? [];
    this.sees = this.denied.length === 0 ? null : (path) => !this.isDenied(path);
  }

  protected check(call: ScreenedCall): Failure | null {
    return call.operation === 'execute' ? this.checkCommand(call.command) : this.checkPlace(call);
  }

  protected override async admit(call: ScreenedCall): Promise<Failure | null> {
    const slow = this.checkRate();
    if (slow !== null) return slow;
    const reason = (await this.policy.inspect?.(call)) ?? null;
    return reason === null ? null : failure('denied', `Error: refused by policy: ${reason}`);
  }

  protected override ended(call: ScreenedCall, failed: { error: string; kind?: string } | null): void {
    const denied = failed?.kind === 'denied' || failed?.kind === 'rate_limited';
    this.policy.audit?.({
      at: this.now(),
      operation: call.operation,
      target: call.operation === 'execute' ? call.command : call.path,
      outcome: failed === null ? 'done' : denied ? 'denied' : 'failed',
      ...(failed === null ? {} : { reason: failed.error }),
    });
  }

  private checkPlace(call: Exclude<ScreenedCall, { access: 'execute' }>): Failure | null {
    if (this.isDenied(call.path))
      return failure('denied', `Error: permission denied for ${call.access} on ${call.path}`);
    // Deleting the parent of a denied place would delete that place too.
    const held =
      call.operation === 'delete' ? this.denied.find((prefix) => isBelow(prefix, call.path)) : undefined;
    return held === undefined
      ? null
      : failure('denied', `Error: permission denied for write on ${call.path} (it holds ${held})`);
  }

  private checkCommand(command: string): Failure | null {
    const mode = this.policy.execute ?? (this.denied.length > 0 ? 'deny' : 'inspect');
    if (mode === 'deny')
      return failure('denied', 'Error: commands are not allowed here. Use the file tools instead.');
    const plain = command.replace(/\/(\.?\/)+/g, '/').replace(/["'\\]/g, '');
    const named = this.denied.find((prefix) => plain.includes(prefix));
    return named === undefined
      ? null
      : failure('denied', `Error: permission denied: the command names ${named}`);
  }

  private checkRate(): Failure | null {
    const { rateLimit } = this.policy;
    if (rateLimit === undefined) return null;
    if (rateLimit.calls <= 0) return failure('rate_limited', 'Error: no file calls are allowed here.');
    const now = this.now();
    while (this.recent[0] !== undefined && this.recent[0] <= now - rateLimit.perMs) this.recent.shift();
    const oldest = this.recent[0];
    if (this.recent.length >= rateLimit.calls && oldest !== undefined) {
      const wait = Math.ceil((oldest + rateLimit.perMs - now) / 1000);
      return failure(
        'rate_limited',
        `Error: too many file calls (at most ${rateLimit.calls} in ${rateLimit.perMs} ms). Try again in ${wait} s.`,
      );
    }
    this.recent.push(now);
    return null;
  }

  private isDenied(path: string): boolean {
    return this.denied.some((prefix) => isBelow(path, prefix));
  }
}
