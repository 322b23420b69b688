import type { PlaceState } from '../../contract/places';
import { type AppError, fail, ok, type Result } from '../../contract/result';
import type { ErrorKind } from '../../contract/shared/error-kind';
import type { ConnectedPlace } from './place-kind';

/** Milliseconds for connecting. */
const CONNECT_LIMIT = 15_000;
/** Milliseconds for finding out whether a place is there, and for connecting again. */
export const REACH_LIMIT = 20_000;
/** Milliseconds after a failed attempt in which calls get its error immediately, so that many calls do not each wait. */
const RETRY_AFTER = 3_000;

const REFUSALS: readonly ErrorKind[] = ['denied', 'not_found', 'invalid', 'unsupported', 'bad_key'];

export interface PlaceConnectionOptions {
  connect(signal: AbortSignal): Promise<Result<ConnectedPlace>>;
  onState(): void;
  connectLimit?: number;
  retryAfter?: number;
}

/** One place's connection: made when it is first needed, shared by all calls, and made again after it was lost. */
export class PlaceConnection {
  private now: PlaceState = { phase: 'unused', since: Date.now(), error: null };
  private connecting: Promise<Result<ConnectedPlace>> | null = null;
  private connected: ConnectedPlace | null = null;
  private failedAt = Number.NEGATIVE_INFINITY;
  private readonly closing = new AbortController();

  constructor(private readonly options: PlaceConnectionOptions) {}

  get state(): PlaceState {
    return this.now;
  }

  /** The connected place, or why there is none. Rejects only with the reason of `signal`. */
  async ready(signal?: AbortSignal): Promise<Result<ConnectedPlace>> {
    signal?.throwIfAborted();
    if (this.connected !== null) return ok(this.connected);
    const { error } = this.now;
    const { retryAfter = RETRY_AFTER } = this.options;
    if (this.connecting === null && error !== null && performance.now() - this.failedAt < retryAfter)
      return { ok: false, error };
    this.connecting ??= this.connect();
    return untilAborted(this.connecting, signal);
  }

  /** Connects again if nothing is connected, also right after a failure, and checks an existing connection. */
  async check(signal: AbortSignal): Promise<PlaceState> {
    this.failedAt = Number.NEGATIVE_INFINITY;
    const ready = await this.ready(signal);
    if (ready.ok) await this.verify(ready.value, signal);
    return this.now;
  }

  /** The state after a check. A connection that turns out to be broken is made again. */
  async reach(signal: AbortSignal): Promise<PlaceState> {
    const wasConnected = this.now.phase === 'connected';
    const state = await this.check(signal);
    return wasConnected && state.phase === 'offline' ? this.check(signal) : state;
  }

  /** Whether a connected place can still be used. If not, it is dropped and the error returned. */
  async verify(place: ConnectedPlace, signal: AbortSignal): Promise<AppError | null> {
    const checked = await untilAborted(place.check(signal), signal);
    if (checked.ok) return null;
    this.lost(place, checked.error);
    return checked.error;
  }

  /** The connection no longer works. The next call connects again. */
  lost(place: ConnectedPlace, error: AppError): void {
    if (this.connected !== place) return;
    this.connected = null;
    void (place.drop?.() ?? place.close());
    this.set(phaseOf(error), error);
  }

  async close(): Promise<void> {
    this.closing.abort(new Error('The place is closed.'));
    const opening = await this.connecting;
    const place = this.connected ?? (opening?.ok === true ? opening.value : null);
    this.connected = null;
    await place?.close();
  }

  private async connect(): Promise<Result<ConnectedPlace>> {
    this.set('connecting', null);
    const limit = this.options.connectLimit ?? CONNECT_LIMIT;
    const slow = new AbortController();
    const timer = setTimeout(() => slow.abort(), limit);
    const signal = AbortSignal.any([slow.signal, this.closing.signal]);
    const work = this.options.connect(signal);
    try {
      const result = await untilAborted(work, signal).catch((error: unknown) => {
        if (!signal.aborted) return fail('network', 'place_failed', {}, String(error));
        // It may still connect; then nobody uses it.
        work.then(
          async (made) => (made.ok ? made.value.close() : undefined),
          () => undefined,
        );
        return { ok: false as const, error: tooSlow(limit) };
      });
      this.connecting = null;
      if (result.ok) {
        this.connected = result.value;
        this.set('connected', null);
      } else {
        this.failedAt = performance.now();
        this.set(phaseOf(result.error), result.error);
      }
      return result;
    } finally {
      clearTimeout(timer);
    }
  }

  private set(phase: PlaceState['phase'], error: AppError | null): void {
    const isSame = this.now.phase === phase && this.now.error?.code === error?.code;
    this.now = { phase, since: isSame ? this.now.since : Date.now(), error };
    this.options.onState();
  }
}

/** A place that did not answer within these milliseconds. */
export const tooSlow = (limit: number): AppError =>
  fail('timeout', 'place_too_slow', { count: Math.ceil(limit / 1_000) }).error;

const phaseOf = ({ kind }: AppError): 'refused' | 'offline' =>
  REFUSALS.includes(kind) ? 'refused' : 'offline';

/** Rejects with the signal's reason as soon as it is aborted, whatever the work does. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
