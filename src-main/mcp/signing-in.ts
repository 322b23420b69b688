import type { McpState } from '../contract/mcp';
import { type AppError, fail, ok, type Result } from '../contract/result';
import type { Challenge, SignInOptions, StartedSignIn } from './sign-in';
import type { KeptSignIn } from './sign-ins';

/** Where one server's sign-in is made and kept. */
export interface SignInPlace {
  address: string;
  challenge: Challenge;
  kept: KeptSignIn;
}

type Standing =
  | { phase: 'started'; stop: AbortController; at: string | null }
  | { phase: 'failed'; error: AppError };

/** Sign-ins that are under way in the browser, and what went wrong with the last ones. One a server at a time. */
export class SigningIn {
  private readonly standing = new Map<string, Standing>();
  private readonly atWork = new Set<Promise<void>>();

  constructor(
    private readonly options: Pick<SignInOptions, 'openBrowser'> & { words: () => SignInOptions['words'] },
  ) {}

  /** How the server stands because of it; undefined where nothing is under way and nothing went wrong. */
  stateOf(key: string): Extract<McpState, { phase: 'signIn' | 'signingIn' }> | undefined {
    const one = this.standing.get(key);
    if (one === undefined) return undefined;
    if (one.phase === 'started') return { phase: 'signingIn', at: one.at };
    return { phase: 'signIn', problem: one.error };
  }

  /**
   * Shows the browser the page to sign in at and returns; `onOver` is called when it is decided. One that is under way is
   * given up for it. `onOver` is not called for one that was given up. Errors: as `beginSignIn`.
   */
  async begin(key: string, place: SignInPlace, onOver: () => Promise<unknown>): Promise<Result<object>> {
    this.cancel(key);
    const stop = new AbortController();
    this.standing.set(key, { phase: 'started', stop, at: null });
    // With it comes the SDK's part for it, which most people never need.
    const { beginSignIn } = await import('./sign-in');
    const { address, challenge, kept } = place;
    const { openBrowser, words } = this.options;
    const begun = await beginSignIn({
      address,
      challenge,
      openBrowser,
      words: words(),
      signal: stop.signal,
    });
    if (!this.isStill(key, stop)) return fail('cancelled', 'sign_in_cancelled');
    if (!begun.ok) {
      this.standing.delete(key);
      return begun;
    }
    this.standing.set(key, { phase: 'started', stop, at: begun.value.at });
    const work = this.finish(key, stop, begun.value, kept).then(async (isDecided) => {
      if (isDecided) await onOver();
    });
    this.atWork.add(work);
    void work.finally(() => this.atWork.delete(work));
    return ok({});
  }

  /** Gives up what is under way, and forgets what went wrong. */
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
    begun: StartedSignIn,
    kept: KeptSignIn,
  ): Promise<boolean> {
    const signedIn = await begun.finished;
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
