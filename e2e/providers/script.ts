import type { JsonObject } from './json';

/** One tool call that the scripted model makes. Without `id` the server makes a fresh one of the provider's form. */
interface ScriptedCall {
  id?: string;
  name: string;
  args: JsonObject;
}

/**
 * What goes wrong with an answer.
 * - `unauthorized`, `rateLimited` (`retryAfter` in seconds or as an HTTP date; left out: no header), `overloaded`, `server_error`,
 *   `context_overflow`, `unverified` (summaries of reasoning are not for this account; OpenAI only): refused with the provider's status and error body before anything is streamed.
 * - `cut`: the socket is destroyed after half of the stream. `cut_clean`: the stream ends there without its closing
 *   events. `error_event`: the provider's error event comes there.
 * - `bad_tool_json`: the last call's arguments hold a word that is no JSON. `cut_tool_json`: they stop in the middle of
 *   a string. Both times the stream itself ends in good order. Without streaming Anthropic sends `{}` instead, since
 *   there the input is an object.
 *   Gemini and Ollama send arguments as objects: there the service says itself that it could not read the call.
 * - `empty`: a complete answer with no content at all.
 * - `refusal`: the model declines, in the provider's own form where it has one.
 * - `hang`: silence until either side closes: before the headers when the step has no text, else after the text.
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

/** `once`: the first request of this server that meets this failure gets it, later ones pass. */
type Fault = Failure | { once: Failure };

/** One answer of the scripted model: reasoning first, then text, then all calls in parallel. */
export interface Step {
  text?: string;
  /** Sent only where the real service would: Anthropic when the request turns thinking on, OpenAI always
   * (`reasoning_content`, as the compatible servers do; a summary in the Responses API). */
  reasoning?: string;
  calls?: ScriptedCall[];
  /** The model declines in these words, and says nothing else. */
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
  /** Name of the tool that was called. */
  name: string;
  content: string;
  /** Only Anthropic's format can say so; false elsewhere. */
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
  /** Results that came after the last assistant message; empty when the person spoke last. */
  lastToolResults: NormalizedResult[];
  /** The newest text of the person, wherever it stands; empty when there is none. */
  lastUserText: string;
}

export type Script = (request: NormalizedRequest) => Step | Promise<Step>;

/** Completes a request from its messages, which the wire format has already read. */
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
 * A script that answers the newest user message with these steps in turn; it counts the assistant messages after
 * that message, so it holds no state and serves many threads and restarts. After the last step it repeats it.
 */
export function inTurn(steps: readonly [Step, ...Step[]]): Script {
  return ({ messages }) => {
    const since = messages.slice(messages.findLastIndex((message) => message.role === 'user') + 1);
    const answered = since.filter((message) => message.role === 'assistant').length;
    return steps[Math.min(answered, steps.length - 1)] ?? steps[0];
  };
}
