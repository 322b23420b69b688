import { isRecord } from '../../../base/is-record';
import { parseJson } from '../../../base/limited-json';
import { optional } from '../../../contract/shared/optional';
import { argumentsOf, MAX_ARGUMENTS } from '../argument-text';
import { ownId } from './google-ids';
import { signedParts } from './google-signatures';

/** The parts of a streamed Gemini response that are used here. */
export interface GoogleResponse {
  candidates?: {
    content?: { role?: string; parts?: unknown[] };
    finishReason?: string;
    [more: string]: unknown;
  }[];
  usageMetadata?: Partial<Counts>;
  promptFeedback?: { blockReason?: string };
  error?: { code?: number; message?: string; status?: string };
}

/** Key for a candidate's new reasoning tokens; ends up in `generationInfo`. */
export const REASONING_TOKENS = 'deepdesk_reasoning_tokens';

/** Stop reasons of answers that the model may write correctly at the next try. */
const GARBLED =
  /^(?:MALFORMED_FUNCTION_CALL|MALFORMED_RESPONSE|UNEXPECTED_TOOL_CALL|TOO_MANY_TOOL_CALLS|MISSING_THOUGHT_SIGNATURE)$/u;

/**
 * Keeps the data that the package would lose. It drops candidates without content and their stop reason, ignores stream
 * errors and blocked prompts, and leaves reasoning out of the output tokens. It counts cached tokens again in each response,
 * and all tokens again after a response without counts.
 */
export async function* fixResponses(
  responses: AsyncIterable<GoogleResponse>,
): AsyncGenerator<GoogleResponse> {
  let counts = NO_COUNTS;
  for await (const response of responses) {
    const { error, promptFeedback, usageMetadata: usage } = response;
    if (error !== undefined) throw streamError(error);
    if (promptFeedback?.blockReason !== undefined && (response.candidates ?? []).length === 0) {
      throw Object.assign(new Error(`The prompt was blocked: ${promptFeedback.blockReason}.`), {
        code: 'content_filter',
      });
    }
    // Responses without an answer also report tokens and the end.
    const [candidate = {}] = response.candidates ?? [];
    const { content, finishReason } = candidate;
    if (finishReason !== undefined && GARBLED.test(finishReason)) {
      throw Object.assign(new Error(`The service could not read a call of the model (${finishReason}).`), {
        code: 'call_garbled',
      });
    }
    const parts = (content?.parts ?? []).map(fixPart);
    const fixed = { ...candidate, ...signedParts(parts), content: { role: 'model', ...content, parts } };
    const before = counts;
    if (usage) counts = highestOf(before, usage);
    if (counts === NO_COUNTS) {
      yield { ...response, candidates: [fixed] };
      continue;
    }
    const newThoughts = counts.thoughtsTokenCount - before.thoughtsTokenCount;
    yield {
      ...response,
      candidates: [{ ...fixed, ...(newThoughts === 0 ? {} : { [REASONING_TOKENS]: newThoughts }) }],
      usageMetadata: {
        ...usage,
        ...counts,
        candidatesTokenCount: counts.candidatesTokenCount + counts.thoughtsTokenCount,
        cachedContentTokenCount: counts.cachedContentTokenCount - before.cachedContentTokenCount,
      },
    };
  }
}

const NO_COUNTS = {
  promptTokenCount: 0,
  candidatesTokenCount: 0,
  thoughtsTokenCount: 0,
  cachedContentTokenCount: 0,
  totalTokenCount: 0,
};
type Counts = typeof NO_COUNTS;

/** Each response has the counts so far, but may leave out some. */
function highestOf(before: Counts, given: Partial<Counts>): Counts {
  const highest = { ...before };
  for (const name of Object.keys(before) as (keyof Counts)[]) {
    highest[name] = Math.max(before[name], given[name] ?? 0);
  }
  return highest;
}

/**
 * Gemini sometimes names a tool as in the code that it writes internally (`default_api.ls`), and leaves out the arguments of
 * a call that has none. Not every model gives its calls ids.
 */
function fixPart(part: unknown): unknown {
  if (!isRecord(part) || !isRecord(part.functionCall)) return part;
  const { name, args, id, ...more } = part.functionCall;
  return {
    ...part,
    functionCall: {
      ...more,
      name: String(name ?? '').replace(/^default_api[.:]/u, ''),
      args: argumentsIn(args),
      id: typeof id === 'string' && id !== '' ? id : ownId(),
    },
  };
}

/** Servers with Google's interface may send arguments as text. Text that is no object's stays, as malformed arguments. */
function argumentsIn(args: unknown): unknown {
  if (typeof args !== 'string') return isRecord(args) ? args : {};
  const text = argumentsOf(args);
  const parsed = parseJson(text.trim() === '' ? '{}' : text, { maxBytes: MAX_ARGUMENTS });
  return 'value' in parsed && isRecord(parsed.value) ? parsed.value : args;
}

function streamError({ code, message, status }: NonNullable<GoogleResponse['error']>): Error {
  return Object.assign(new Error(message ?? 'The service ended the answer with an error.'), {
    name: 'GoogleGenerativeAIFetchError',
    ...optional({ status: code, code: status }),
  });
}
