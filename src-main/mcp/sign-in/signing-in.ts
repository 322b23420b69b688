import type { McpState } from '../../contract/mcp';
import { type AppError, fail, ok, type Result } from '../../contract/result';
import type { Challenge, SignInOptions, StartedSignIn } from './sign-in';
import type { KeptSignIn } from './sign-ins';

/** Where one server's sign-in happens and is saved. */
export interface SignInPlace {
  address: string;
  challenge: Challenge;
  kept: KeptSignIn;
}

type Standing =
  | { phase: 'started'; stop: AbortController; at: string | null }
  | { phase: 'failed'; error: AppError };

/** Sign-ins in progress in the browser, and the errors of the last ones. One per server at a time. */
export class SigningIn {
  private readonly standing = new Map<string, Standing>();
  private readonly atWork = new Set<Promise<void>>();

  constructor(
    private readonly options: Pick<SignInOptions, 'openBrowser'> & { words: () => SignInOptions['words'] },
  ) {}

  /** The server's sign-in state; undefined if no sign-in is in progress and none failed. */
  stateOf(key: string): Extract<McpState, { phase: 'signIn' | 'signingIn' }> | undefined {
    const one = this.standing.get(key);
    if (one === undefined) return undefined;
    if (one.phase === 'started') return { phase: 'signingIn', at: one.at };
    return { phase: 'signIn', problem: one.error };
  }

  /**
   * Opens the sign-in page in the browser and returns. `onOver` is called with the outcome. A sign-in already in progress is
   * canceled, and its `onOver` is not called. Errors: as `beginSignIn`.
   */
  async begin(key: string, place: SignInPlace, onOver: () => Promise<unknown>): Promise<Result<object>> {
    this.cancel(key);
    const stop = new AbortController();
    this.standing.set(key, { phase: 'started', stop, at: null });
    // It loads the SDK's OAuth code, which most people never need.
    const { beginSignIn } = await import('./sign-in');
    const { address, challenge, kept } = place;
    const { openBrowser, words } = this.options;
    const started = await beginSignIn({
      address,
      challenge,
      openBrowser,
      words: words(),
      signal: stop.signal,
    });
    if (!this.isStill(key, stop)) return fail('cancelled', 'sign_in_cancelled');
    if (!started.ok) {
      this.standing.delete(key);
      return started;
    }
    this.standing.set(key, { phase: 'started', stop, at: started.value.at });
    const work = this.finish(key, stop, started.value, kept).then(async (isDecided) => {
      if (isDecided) await onOver();
    });
    this.atWork.add(work);
    void work.finally(() => this.atWork.delete(work));
    return ok({});
  }

  /** Cancels the sign-in in progress and clears its error. */
  cancel(key: string): void {
    const one = this.standing.get(key);
    this.standing.delete(key);
    if (one?.phase === 'started') one.stop.abort();
  }

  async close(): Promise<void> {
    for (const key of [...this.standing.keys()]) this.cancel(key);
    await Promise.all(this.atWork);
  }

  private async finish(
    key: string,
    stop: AbortController,
    started: StartedSignIn,
    kept: KeptSignIn,
  ): Promise<boolean> {
    const signedIn = await started.finished;
    if (!this.isStill(key, stop)) return false;
    this.standing.delete(key);
    if (!signedIn.ok) {
      this.standing.set(key, { phase: 'failed', error: signedIn.error });
      return true;
    }
    try {
      kept.save(signedIn.value);
    } catch (error) {
      const { error: told } = fail('storage', 'sign_in_not_kept', {}, String(error));
      this.standing.set(key, { phase: 'failed', error: told });
    }
    return true;
  }

  private isStill(key: string, stop: AbortController): boolean {
    const one = this.standing.get(key);
    return one?.phase === 'started' && one.stop === stop;
  }
}
