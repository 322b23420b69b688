import { setMaxListeners } from 'node:events';

/**
 * The calls of one answer run at once and all listen to the signal of their step, which Node.js takes for a leak from
 * the eleventh on. Call it before anything of the call is awaited.
 */
export function allowManyListeners(signal: AbortSignal | undefined): void {
  if (signal !== undefined) setMaxListeners(0, signal);
}
