import type { ProviderId } from '../contract/app';
import { chainOf } from './error-facts';

/** What the model class knew when a request failed. */
export interface Failure {
  provider: ProviderId;
  /** `provider:name` */
  model: string;
  /** Something of the answer had been handed on: asking again would say it twice. */
  streamed: boolean;
}

const noted = new WeakMap<object, Failure>();

export function noteFailure(error: unknown, failure: Failure): void {
  if (typeof error === 'object' && error !== null) noted.set(error, failure);
}

/** What is noted of an error or of one of its causes; null for an error that came from elsewhere. */
export function failureOf(error: unknown): Failure | null {
  for (const one of chainOf(error)) {
    const failure = typeof one === 'object' && one !== null ? noted.get(one) : undefined;
    if (failure !== undefined) return failure;
  }
  return null;
}
