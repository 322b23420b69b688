import { setMaxListeners } from 'node:events';

/**
 * The calls of one answer run in parallel and all listen to the signal of their step. Node.js reports a leak from the
 * eleventh listener on. Call this before anything of the call is awaited.
 */
export function allowManyListeners(signal: AbortSignal | undefined): void {
  if (signal !== undefined) setMaxListeners(0, signal);
}
