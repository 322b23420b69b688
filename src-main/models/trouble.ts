import { PROXY_UNSUPPORTED, REDIRECT_REFUSED } from '../base/network/guarded-fetch';
import type { ErrorKind } from '../contract/shared/error-kind';
import { type ErrorFacts, factsOf } from './error-facts';

/** The problem, by the person's possible reactions. Only the text distinguishes `credit` from `unknown_model`. */
export type Trouble =
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
  | 'unknown_model'
  /** The model wrote a call that its own service could not parse. */
  | 'garbled';

/** Whether the request was too long for the model, in any wording: summarize and try again. */
export const isContextOverflow = (error: unknown): boolean =>
  troubleOf(factsOf(error)) === 'context_overflow';

/** Temporary problems: a retry may succeed within seconds. */
export const isTransient = (error: unknown): boolean =>
  ['rate_limited', 'overloaded', 'network', 'stream_cut', 'garbled'].includes(troubleOf(factsOf(error)));

/** Problems that another model may not have: this one is unreachable, overloaded, or has no account to bill. */
export const mayAnotherModelAnswer = (error: unknown): boolean =>
  ['rate_limited', 'overloaded', 'network', 'no_key', 'bad_key', 'credit', 'unknown_model'].includes(
    troubleOf(factsOf(error)),
  );

const OVERFLOW = [
  /prompt is too long/iu,
  /context_length_exceeded/iu,
  /maximum context length/iu,
  /exceeds? the (?:available )?context (?:window|size|length)/iu,
  /input tokens exceed/iu,
  /exceeds the maximum number of tokens/iu,
  /input length exceeds/iu,
  /greater than the context length/iu,
  /exceed(?:s|ed)? (?:the )?context limit/iu,
  /context (?:the )?overflow/iu,
  /maximum prompt length/iu,
  /input is too long/iu,
  /reduce the length of the messages/iu,
  /request payload size exceeds/iu,
  /request_too_large|request exceeds the maximum size/iu,
];
const GARBLED = /error parsing tool call/iu;
/** A model that this machine cannot run. Its server calls that an error of its own; trying again never helps. */
const TOO_LARGE =
  /requires more system memory|out of memory|not enough (?:\w+ )?memory|failed to load model|unable to load model/iu;
const CREDIT =
  /insufficient[_ -]?quota|exceeded your current quota|credit balance is too low|out of credits|billing/iu;
const NO_KEY = /api key not found|missing credentials|please set an api key|no api key/iu;
/** The last two: a key that no HTTP header can carry, so nothing was sent. */
const BAD_KEY =
  /api[ _]key[ _](?:not valid|invalid|expired)|api_key_invalid|invalid[ _-]?(?:x-)?api[ _-]?key|incorrect api key|convert argument to a bytestring|invalid character in header content/iu;
/** A service that gives no reason. */
const UNAUTHORIZED = /^(?:401:? )?unauthori[sz]ed\.?$/imu;

/** Whether the service names the key. Otherwise its account, project, plan or region may be the reason. */
export const isAboutKey = ({ codes, text }: ErrorFacts): boolean =>
  BAD_KEY.test(text) ||
  UNAUTHORIZED.test(text) ||
  codes.some((code) => code === 'authentication_error' || BAD_KEY.test(code));

const REFUSED =
  /content_filter|content_policy_violation|prohibited_content|\bSAFETY\b|content management policy/u;
const CUT =
  /^terminated$|premature close|error reading from the stream|error parsing json response|failed to parse stream|unexpected end of json|response ended|did not receive done/imu;
const NETWORK =
  /^connection error|fetch failed|network|socket hang up|timed out|timeout|getaddrinfo|certificate|self.signed/imu;
const NETWORK_CODES =
  /^(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|UND_ERR_(?:CONNECT_TIMEOUT|HEADERS_TIMEOUT|SOCKET)|CERT_.*|.*_CERT.*)$/u;
const ABORTED = /^(?:AbortError|ModelAbortError|APIUserAbortError|GoogleGenerativeAIAbortError)$/u;

export function troubleOf(facts: ErrorFacts): Trouble {
  const { names, codes, status, text } = facts;
  const code = (pattern: RegExp) => codes.some((one) => pattern.test(one));
  const name = (pattern: RegExp) => names.some((one) => pattern.test(one));

  if (REDIRECT_REFUSED.test(text) || PROXY_UNSUPPORTED.test(text)) return 'provider';
  if (name(/^StreamCutError$/u)) return 'stream_cut';
  if (GARBLED.test(text) || code(/^call_garbled$/u)) return 'garbled';
  // A request that alone exceeds the limit per minute must be shorter; waiting never helps.
  if (status === 429 && /^(?:\d+ )?request too large for/imu.test(text)) return 'context_overflow';
  if (name(/^ContextOverflowError$/u) || (status !== 429 && OVERFLOW.some((words) => words.test(text)))) {
    return 'context_overflow';
  }
  if (status === 429 || code(/^rate_limit/u)) {
    if (code(CREDIT)) return 'credit';
    // OpenAI and Groq say in the text of any limit where to pay for a higher one.
    return CREDIT.test(text) && !code(/^rate_limit_(?:exceeded|per_minute)$/u) ? 'credit' : 'rate_limited';
  }
  if (
    status === 401 ||
    status === 403 ||
    code(/^(?:authentication|permission)_error$/u) ||
    BAD_KEY.test(text)
  ) {
    return 'bad_key';
  }
  if (status === 402 || (status === 400 && CREDIT.test(text))) return 'credit';
  if (
    name(/^(?:EmptyContentError|RefusedError)$/u) ||
    code(REFUSED) ||
    (status === 400 && REFUSED.test(text))
  )
    return 'refused';
  if (status === 404) return 'unknown_model';
  if (status === 408) return 'network';
  if (TOO_LARGE.test(text)) return 'provider';
  if (status !== null && status >= 500) return 'overloaded';
  if (status !== null) return 'provider';
  if (code(/^(?:overloaded_error|server_error|api_error|service_unavailable_error)$/u)) return 'overloaded';
  if (NO_KEY.test(text)) return 'no_key';
  if (name(ABORTED) || /^(?:this operation|request) was aborted/imu.test(text)) return 'cancelled';
  // A connection that breaks within an answer ends in `terminated` with the reason as its cause. One that was never
  // established has only the reason.
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
