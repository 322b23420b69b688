import type { ProviderId } from '../contract/app';
import type { AppError, ErrorKind } from '../contract/result';
import { type ErrorFacts, factsOf } from './error-facts';
import { redact } from './redact';
import { providerOf } from './registry';

/** Characters of the provider's own words that are kept. */
const LONGEST_DETAIL = 4_000;

/** What went wrong, by what the person can do about it. `credit` and `unknown_model` are told apart only in words. */
type Trouble =
  | Extract<
      ErrorKind,
      | 'cancelled'
      | 'stream_cut'
      | 'context_overflow'
      | 'no_key'
      | 'bad_key'
      | 'rate_limited'
      | 'overloaded'
      | 'network'
      | 'refused'
      | 'provider'
      | 'internal'
    >
  | 'credit'
  | 'unknown_model';

/**
 * An error of a model request as the person is told it: what happened, that nothing typed is lost, what to do next.
 * The provider's own words are in `detail`, with everything taken out that is or looks like a key; hand over the keys
 * in use as `secrets`. Looks through causes, so an error may be wrapped as often as it likes.
 */
export function toAppError(error: unknown, provider: ProviderId, secrets: readonly string[] = []): AppError {
  const facts = factsOf(error);
  const trouble = troubleOf(facts);
  const { retryAfterSeconds } = facts;
  const detail = redact(facts.text, secrets).slice(0, LONGEST_DETAIL);
  return {
    kind: trouble === 'credit' || trouble === 'unknown_model' ? 'provider' : trouble,
    message: wordsOf(trouble, provider, facts),
    ...(detail === '' ? {} : { detail }),
    ...(trouble === 'rate_limited' && retryAfterSeconds !== null ? { retryAfterSeconds } : {}),
  };
}

/** True when the request was too long for the model, in whatever words: summarize and ask again. */
export const isContextOverflow = (error: unknown): boolean =>
  troubleOf(factsOf(error)) === 'context_overflow';

const OVERFLOW = [
  /prompt is too long/iu,
  /context_length_exceeded/iu,
  /maximum context length/iu,
  /exceeds? the (?:available )?context (?:window|size|length)/iu,
  /input tokens exceed/iu,
  /exceeds the maximum number of tokens/iu,
  /input length exceeds/iu,
  /greater than the context length/iu,
  /request_too_large|request exceeds the maximum size/iu,
];
const CREDIT =
  /insufficient[_ -]?quota|exceeded your current quota|credit balance is too low|out of credits|billing/iu;
const NO_KEY = /api key not found|missing credentials|please set an api key|no api key/iu;
const BAD_KEY =
  /api[ _]key[ _](?:not valid|invalid|expired)|api_key_invalid|invalid[ _-]?(?:x-)?api[ _-]?key|incorrect api key/iu;
const REFUSED =
  /content_filter|content_policy_violation|prohibited_content|\bSAFETY\b|content management policy/u;
const CUT =
  /^terminated$|premature close|failed to parse stream|unexpected end of json|response ended|did not receive done/imu;
const NETWORK =
  /^connection error|fetch failed|network|socket hang up|timed out|timeout|getaddrinfo|certificate|self.signed/imu;
const NETWORK_CODES =
  /^(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|UND_ERR_(?:CONNECT_TIMEOUT|HEADERS_TIMEOUT|SOCKET)|CERT_.*|.*_CERT.*)$/u;
const ABORTED = /^(?:AbortError|ModelAbortError|APIUserAbortError|GoogleGenerativeAIAbortError)$/u;

function troubleOf(facts: ErrorFacts): Trouble {
  const { names, codes, status, text } = facts;
  const code = (pattern: RegExp) => codes.some((one) => pattern.test(one));
  const name = (pattern: RegExp) => names.some((one) => pattern.test(one));

  if (name(/^StreamCutError$/u)) return 'stream_cut';
  if (name(/^ContextOverflowError$/u) || (status !== 429 && OVERFLOW.some((words) => words.test(text)))) {
    return 'context_overflow';
  }
  if (status === 429 || code(/^rate_limit/u))
    return CREDIT.test(text) || code(CREDIT) ? 'credit' : 'rate_limited';
  if (
    status === 401 ||
    status === 403 ||
    code(/^(?:authentication|permission)_error$/u) ||
    BAD_KEY.test(text)
  ) {
    return 'bad_key';
  }
  if (status === 402 || (status === 400 && CREDIT.test(text))) return 'credit';
  if (name(/^EmptyContentError$/u) || code(REFUSED) || (status === 400 && REFUSED.test(text)))
    return 'refused';
  if (status === 404) return 'unknown_model';
  if (status === 408) return 'network';
  if (status !== null && status >= 500) return 'overloaded';
  if (status !== null) return 'provider';
  if (code(/^(?:overloaded_error|server_error|api_error|service_unavailable_error)$/u)) return 'overloaded';
  if (NO_KEY.test(text)) return 'no_key';
  if (name(ABORTED) || /^(?:this operation|request) was aborted/imu.test(text)) return 'cancelled';
  // A connection that breaks within an answer ends in `terminated` with the reason as its cause; one that never came
  // about is told by the reason alone.
  if (
    CUT.test(text) ||
    code(/^(?:UND_ERR_BODY_TIMEOUT|ERR_STREAM_PREMATURE_CLOSE)$/u) ||
    name(/^SyntaxError$/u)
  ) {
    return 'stream_cut';
  }
  if (code(NETWORK_CODES) || NETWORK.test(text)) return 'network';
  return name(/^(?:APIError|GoogleGenerativeAI\w*Error|ResponseError)$/u) ? 'provider' : 'internal';
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
      return `The conversation has become too long for this model. Nothing is lost. Choose a model with a larger context, or go on in a new conversation.`;
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
