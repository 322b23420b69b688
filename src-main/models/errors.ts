import type { ProviderId } from '../contract/app';
import { type ErrorText, errorText } from '../contract/errors';
import { type AppError, appError } from '../contract/result';
import { NO_API } from './chat/api-fetch';
import { chainOf, type ErrorFacts, factsOf } from './error-facts';
import { failureOf } from './failures';
import { redact } from './redact';
import { providerOf } from './registry';
import { SpendingLimitError } from './spend-guard';
import { isAboutKey, type Trouble, troubleOf } from './trouble';

export { isContextOverflow } from './trouble';

/** Maximum characters of the provider's own text. */
const MAX_DETAIL_LENGTH = 4_000;

/**
 * Converts a model request's error for the person: what happened, that their text is safe, and what to do next. `detail` has
 * the provider's own text, without anything that is or looks like a key; pass the keys in use as `secrets`. Looks through
 * causes, so errors may be wrapped at any depth. `asked` is the provider to name if the error does not know its own; a
 * fallback's error does.
 */
export function toAppError(error: unknown, asked: ProviderId, secrets: readonly string[] = []): AppError {
  const limit = chainOf(error).find((one) => one instanceof SpendingLimitError);
  if (limit !== undefined) return limit.appError;
  const failure = failureOf(error);
  const provider = failure?.provider ?? asked;
  const facts = factsOf(error);
  const kindOfTrouble = troubleOf(facts);
  // Without a key there is none to check, such as after a restart without a keychain.
  const trouble = kindOfTrouble === 'bad_key' && failure?.keyless === true ? 'no_key' : kindOfTrouble;
  const { retryAfterSeconds } = facts;
  const detail = redact(detailOf(facts), secrets).slice(0, MAX_DETAIL_LENGTH);
  const kind =
    trouble === 'credit' || trouble === 'unknown_model' || trouble === 'garbled' ? 'provider' : trouble;
  return appError(kind, textOf(trouble, provider, facts), {
    detail: detail === '' ? undefined : detail,
    retryAfterSeconds: trouble === 'rate_limited' ? (retryAfterSeconds ?? undefined) : undefined,
  });
}

/** Client packages repeat the provider's message behind its status. */
const detailOf = ({ messages }: ErrorFacts): string =>
  messages.filter((text, at) => !messages.slice(0, at).some((outer) => outer.includes(text))).join('\n');

function textOf(trouble: Trouble, id: ProviderId, facts: ErrorFacts): ErrorText {
  const { id: provider, needsBaseUrl, keyVariables } = providerOf(id);
  const isLocal = id === 'ollama' || needsBaseUrl;
  const [variable] = keyVariables;
  const { status } = facts;
  switch (trouble) {
    case 'cancelled':
      return errorText('answer_stopped');
    case 'stream_cut':
      return errorText('stream_cut', { provider });
    case 'context_overflow':
      return errorText('thread_too_long');
    case 'no_key':
      return variable === undefined
        ? errorText('provider_key_missing', { provider })
        : errorText('provider_key_missing_variable', { provider, variable });
    case 'bad_key':
      return status === null || isAboutKey(facts)
        ? errorText('key_rejected', { provider })
        : errorText('access_refused', { provider, status });
    case 'credit':
      return errorText('no_credit', { provider });
    case 'rate_limited':
      return rateLimited(provider, facts.retryAfterSeconds);
    case 'overloaded':
      return status === null
        ? errorText('overloaded', { provider })
        : errorText('overloaded_status', { provider, status });
    case 'network':
      return errorText(isLocal ? 'server_unreachable' : 'provider_unreachable', { provider });
    case 'refused':
      return errorText('provider_refused', { provider });
    case 'unknown_model':
      return errorText(
        isLocal || facts.text.includes(NO_API) ? 'model_unknown_or_no_answer' : 'model_unknown',
        {
          provider,
        },
      );
    case 'garbled':
      return errorText('call_garbled', { provider });
    case 'provider':
      return status === null
        ? errorText('request_rejected', { provider })
        : errorText('request_rejected_status', { provider, status });
    case 'internal':
      return errorText('request_failed');
    default:
      return trouble satisfies never;
  }
}

function rateLimited(provider: string, seconds: number | null): ErrorText {
  if (seconds === null) return errorText('rate_limited', { provider });
  return seconds < 60
    ? errorText('rate_limited_seconds', { provider, count: seconds })
    : errorText('rate_limited_minutes', { provider, count: Math.ceil(seconds / 60) });
}
