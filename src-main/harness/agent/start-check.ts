import { AsyncLocalStorage } from 'node:async_hooks';

/** A call would not run the way it was judged. It is judged again, and nothing of it has started. */
export class JudgedOtherwise extends Error {
  override readonly name = 'JudgedOtherwise';

  constructor() {
    super('What would run is not what was judged. Nothing was run.');
  }
}

const checks = new AsyncLocalStorage<() => Promise<void>>();

/** Runs a call whose tool must await `check` right before it starts something. */
export const withStartCheck = <T>(check: () => Promise<void>, call: () => Promise<T>): Promise<T> =>
  checks.run(check, call);

/** The check to await right before the current call starts something. Rejects with `JudgedOtherwise`. */
export const startCheck = (): (() => Promise<void>) | undefined => checks.getStore();
