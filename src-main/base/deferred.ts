/** A promise with the functions that settle it: `Promise.withResolvers`, which Node 20 does not have. */
export interface Deferred<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
}

export function deferred<T>(): Deferred<T> {
  let settle: Pick<Deferred<T>, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // A promise calls its executor synchronously.
  if (settle === undefined) throw new Error('unreachable');
  return { promise, ...settle };
}
