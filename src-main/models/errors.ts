import type { ProviderId } from '../contract/app';
import type { AppError } from '../contract/result';
import { chainOf, type ErrorFacts, factsOf } from './error-facts';
import { failureOf } from './failures';
import { redact } from './redact';
import { providerOf } from './registry';
import { SpendingLimitError } from './spend-guard';
import { type Trouble, troubleOf } from './trouble';

export { isContextOverflow } from './trouble';

/** Characters of the provider's own words that are kept. */
const LONGEST_DETAIL = 4_000;

/**
 * An error of a model request as the person is told it: what happened, that nothing typed is lost, what to do next.
 * The provider's own words are in `detail`, with everything taken out that is or looks like a key; hand over the keys
 * in use as `secrets`. Looks through causes, so an error may be wrapped as often as it likes. `asked` is the provider to
 * name where the error does not know its own, as one of a fall-back does.
 */
export function toAppError(error: unknown, asked: ProviderId, secrets: readonly string[] = []): AppError {
  const limit = chainOf(error).find((one) => one instanceof SpendingLimitError);
  if (limit !== undefined) return limit.appError;
  const provider = failureOf(error)?.provider ?? asked;
  const facts = factsOf(error);
  const trouble = troubleOf(facts);
  const { retryAfterSeconds } = facts;
  const detail = redact(facts.text, secrets).slice(0, LONGEST_DETAIL);
  return {
    kind: trouble === 'credit' || trouble === 'unknown_model' || trouble === 'garbled' ? 'provider' : trouble,
    message: wordsOf(trouble, provider, facts),
    ...(detail === '' ? {} : { detail }),
    ...(trouble === 'rate_limited' && retryAfterSeconds !== null ? { retryAfterSeconds } : {}),
  };
}

function wordsOf(trouble: Trouble, provider: ProviderId, facts: ErrorFacts): string {
  const { name, needsBaseUrl, keyVariables } = providerOf(provider);
  const local = provider === 'ollama' || needsBaseUrl;
  const wait = facts.retryAfterSeconds;
  switch (trouble) {
    case 'cancelled':
      return 'The answer was stopped. What came of it is kept. Send a message or retry to go on.';
    case 'stream_cut':
      return `The connection to ${name} broke in the middle of the answer. What came is kept, and no step of it was run. Retry to ask again.`;
    case 'context_overflow':
      return `The thread has become too long for this model. Nothing is lost. Choose a model with a larger context, or go on in a new thread.`;
    case 'no_key':
      return `${name} needs a key, and there is none yet. Your message is kept. Add a key${keyVariables[0] === undefined ? '' : `, or set ${keyVariables[0]} before Deepdesk is started`}, then retry.`;
    case 'bad_key':
      return `${name} did not accept the key. Your message is kept. Check the key or enter another, then retry.`;
    case 'credit':
      return `The account at ${name} has no credit or quota left. Your message is kept. Check the account's plan and billing, or choose another model, then retry.`;
    case 'rate_limited':
      return `${name} takes no more requests for the moment. Your message is kept. Retry ${wait === null ? 'in a little while' : `in ${inWords(wait)}`}.`;
    case 'overloaded':
      return `${name} cannot answer right now: its service is overloaded or has a fault${facts.status === null ? '' : ` (status ${facts.status})`}. Your message is kept. Retry in a little while, or choose another model.`;
    case 'network':
      return local
        ? `${name} could not be reached at its address. Your message is kept. Check that the server is running and the address is right, then retry.`
        : `${name} could not be reached. Your message is kept. Check the connection to the Internet, then retry.`;
    case 'refused':
      return `${name} refused to answer this. Your message is kept. Put it in other words, or choose another model.`;
    case 'unknown_model':
      return `${name} does not know this model${local ? ', or nothing answers at this address' : ''}. Your message is kept. Choose another model, then retry.`;
    case 'garbled':
      return `The model at ${name} wrote a tool call that could not be read. None of it was run, and your message is kept. Retry to ask again, or choose another model.`;
    case 'provider':
      return `${name} did not accept the request${facts.status === null ? '' : ` (status ${facts.status})`}. Your message is kept. Its own words are below; retry, or choose another model.`;
    case 'internal':
      return 'Something went wrong in Deepdesk itself. Your message is kept. Retry; if it happens again, the text below helps to find the cause.';
    default:
      return trouble satisfies never;
  }
}

function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
