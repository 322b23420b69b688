import type { JsonObject } from './json';

/** One tool call of the scripted model. Without `id` the server generates one in the provider's format. */
interface ScriptedCall {
  id?: string;
  name: string;
  args: JsonObject;
}

/**
 * What goes wrong with an answer.
 * - `unauthorized`, `rateLimited` (`retryAfter` in seconds or as an HTTP date; left out: no header), `overloaded`, `server_error`,
 *   `context_overflow`, `unverified` (summaries of reasoning are not for this account; OpenAI only): rejected with the provider's status and error body before anything is streamed.
 * - `cut`: the socket is destroyed after half of the stream. `cut_clean`: the stream ends there without its closing
 *   events. `error_event`: the provider's error event comes there.
 * - `bad_tool_json`: the last call's arguments contain a word that is not JSON. `cut_tool_json`: they stop in the middle of
 *   a string. In both cases the stream itself ends normally. Without streaming Anthropic sends `{}` instead, since
 *   the input is an object there.
 *   Gemini and Ollama send arguments as objects: the service itself reports that it could not parse the call.
 * - `empty`: a complete answer with no content at all.
 * - `refusal`: the model declines, in the provider's own form if it has one.
 * - `hang`: silence until either side closes: before the headers if the step has no text, otherwise after the text.
 */
export type Failure =
  | 'unauthorized'
  | { rateLimited: { retryAfter?: number | string } }
  | 'overloaded'
  | 'server_error'
  | 'context_overflow'
  | 'unverified'
  | 'cut'
  | 'cut_clean'
  | 'error_event'
  | 'bad_tool_json'
  | 'cut_tool_json'
  | 'empty'
  | 'refusal'
  | 'hang';

/** `once`: only the first request of this server with this failure gets it. */
type Fault = Failure | { once: Failure };

/** One answer of the scripted model: reasoning first, then text, then all calls in parallel. */
export interface Step {
  text?: string;
  /**
   * Sent only if the real service would: Anthropic if the request turns thinking on, OpenAI always (`reasoning_content`,
   * like the compatible servers; a summary in the Responses API).
   */
  reasoning?: string;
  calls?: ScriptedCall[];
  /** The model declines with this text, and says nothing else. */
  refusal?: string;
  /** `length`: the answer ended at the token limit. Default: the natural end. */
  stop?: 'length';
  fault?: Fault;
}

interface NormalizedCall {
  id: string;
  name: string;
  args: JsonObject;
}

export interface NormalizedResult {
  id: string;
  /** The name of the called tool. */
  name: string;
  content: string;
  /** Only Anthropic's format supports this; false elsewhere. */
  isError: boolean;
}

export type NormalizedMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: NormalizedCall[] }
  | { role: 'tool'; results: NormalizedResult[] };

export interface NormalizedTool {
  name: string;
  description: string;
  schema: JsonObject;
}

/** A request as a script sees it, the same for every wire format. */
export interface NormalizedRequest {
  model: string;
  system: string;
  messages: NormalizedMessage[];
  tools: NormalizedTool[];
  /** Results after the last assistant message; empty if the last message is the user's. */
  lastToolResults: NormalizedResult[];
  /** The user's latest text, anywhere in the messages; empty if there is none. */
  lastUserText: string;
}

export type Script = (request: NormalizedRequest) => Step | Promise<Step>;

/** Completes a request from its messages, which the wire format has already parsed. */
export function normalized(request: {
  model: string;
  system: string;
  messages: NormalizedMessage[];
  tools: NormalizedTool[];
}): NormalizedRequest {
  const { messages } = request;
  const afterAssistant = messages.slice(
    messages.findLastIndex((message) => message.role === 'assistant') + 1,
  );
  const lastUser = messages.findLast((message) => message.role === 'user');
  return {
    ...request,
    lastToolResults: afterAssistant.flatMap((message) => (message.role === 'tool' ? message.results : [])),
    lastUserText: lastUser?.role === 'user' ? lastUser.text : '',
  };
}

/**
 * A script that answers the newest user message with these steps in turn. It counts the assistant messages after that
 * message, so it has no state and serves many threads and restarts. It repeats the last step.
 */
export function inTurn(steps: readonly [Step, ...Step[]]): Script {
  return ({ messages }) => {
    const since = messages.slice(messages.findLastIndex((message) => message.role === 'user') + 1);
    const answered = since.filter((message) => message.role === 'assistant').length;
    return steps[Math.min(answered, steps.length - 1)] ?? steps[0];
  };
}
