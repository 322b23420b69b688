import { AsyncLocalStorage } from 'node:async_hooks';

/** A call would not run as it was judged: it is judged again, and nothing of it was started. */
export class JudgedOtherwise extends Error {
  override readonly name = 'JudgedOtherwise';

  constructor() {
    super('What would run is not what was judged. Nothing was run.');
  }
}

const checks = new AsyncLocalStorage<() => Promise<void>>();

/** Runs a call whose tool is to ask `check` immediately before it starts something. */
export const withStartCheck = <T>(check: () => Promise<void>, call: () => Promise<T>): Promise<T> =>
  checks.run(check, call);

/** What to await immediately before something is started for the call under way; rejects with `JudgedOtherwise`. */
export const startCheck = (): (() => Promise<void>) | undefined => checks.getStore();
