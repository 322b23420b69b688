import { AsyncLocalStorage } from 'node:async_hooks';
import type { ProviderId } from '../contract/app';
import { chainOf } from './error-facts';

/** The model class's knowledge of a failed request. */
export interface Failure {
  provider: ProviderId;
  /** `provider:name` */
  model: string;
  /** A part of the answer was already passed on: a retry would repeat it. */
  streamed: boolean;
  /** The request carried no key. */
  keyless?: boolean;
}

const noted = new WeakMap<object, Failure>();

export function noteFailure(error: unknown, failure: Failure): void {
  if (typeof error === 'object' && error !== null) noted.set(error, failure);
}

/** The record for an error or one of its causes; null for an unrelated error. */
export function failureOf(error: unknown): Failure | null {
  for (const one of chainOf(error)) {
    const failure = typeof one === 'object' && one !== null ? noted.get(one) : undefined;
    if (failure !== undefined) return failure;
  }
  return null;
}

/** Whether a request of a call of a model is running, and may be billed, or none was accepted so far. */
interface Progress {
  isRunning: boolean;
}

const calls = new AsyncLocalStorage<Progress>();

/** The model class that `call` asks keeps `progress` up to date. */
export const notingProgress = <T>(progress: Progress, call: () => T): T => calls.run(progress, call);

export function noteRunning(isRunning: boolean): void {
  const progress = calls.getStore();
  if (progress !== undefined) progress.isRunning = isRunning;
}
