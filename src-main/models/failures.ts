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
