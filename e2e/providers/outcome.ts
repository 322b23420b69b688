import type { AIMessageChunk, BaseMessage, UsageMetadata } from '@langchain/core/messages';
import type { Failure } from './script';

/** The common interface of ChatAnthropic and ChatOpenAI that the tests here use. */
export interface Model {
  stream(input: Prompt, options?: { signal?: AbortSignal }): Promise<AsyncIterable<AIMessageChunk>>;
  invoke(input: Prompt, options?: { signal?: AbortSignal }): Promise<AIMessageChunk>;
}
type Prompt = string | BaseMessage[];

export const MODES = ['stream', 'invoke'] as const;
export type Mode = (typeof MODES)[number];

/** The complete message for one request. Rejects like the model class. */
export async function ask(
  model: Model,
  mode: Mode,
  prompt: Prompt,
  signal?: AbortSignal,
): Promise<AIMessageChunk> {
  const options = signal === undefined ? {} : { signal };
  if (mode === 'invoke') return model.invoke(prompt, options);
  let whole: AIMessageChunk | undefined;
  for await (const chunk of await model.stream(prompt, options)) {
    whole = whole === undefined ? chunk : whole.concat(chunk);
  }
  if (whole === undefined) throw new Error('The stream ended without a single chunk');
  return whole;
}

/** The output tokens reported by the provider; 0 without a report. */
export function outputTokens(message: { usage_metadata?: UsageMetadata | undefined }): number {
  return message.usage_metadata?.output_tokens ?? 0;
}

/** The available facts for an error classifier. */
export interface Thrown {
  class: string;
  name?: string;
  status?: number;
  code?: string;
  type?: string;
  lcCode?: string;
  retryAfterMs?: number;
  /** Only if there is no status. */
  message?: string;
  cause?: Thrown;
}

/** An answer accepted as good. */
export interface Taken {
  text: string;
  calls: unknown[];
  invalidCalls: number;
  /** The provider's stop reason; absent if its closing events never came. */
  stop?: string;
}

/** What a LangChain caller gets: an error or a message. */
export async function outcome(model: Model, mode: Mode, signal?: AbortSignal): Promise<Thrown | Taken> {
  try {
    const message = await ask(model, mode, 'hello', signal);
    return {
      text: message.text,
      calls: (message.tool_calls ?? []).map((call) => call.args),
      invalidCalls: (message.invalid_tool_calls ?? []).length,
      ...withoutUndefined({ stop: stopReason(message) }),
    };
  } catch (error) {
    return thrown(error);
  }
}

/** Each provider's class stores the reason somewhere else: three places. */
function stopReason(message: AIMessageChunk): string | undefined {
  const found =
    message.additional_kwargs.stop_reason ??
    message.response_metadata.stop_reason ??
    message.response_metadata.finish_reason ??
    message.response_metadata.status;
  return typeof found === 'string' ? found : undefined;
}

function thrown(error: unknown): Thrown {
  if (!(error instanceof Error)) return { class: typeof error, message: String(error) };
  const fields = new Map<string, unknown>(Object.entries(error));
  const text = (key: string) => {
    const value = fields.get(key);
    return typeof value === 'string' ? value : undefined;
  };
  const number = (key: string) => {
    const value = fields.get(key);
    return typeof value === 'number' ? value : undefined;
  };
  const status = number('status');
  return {
    class: error.constructor.name,
    ...withoutUndefined({
      name: ['Error', error.constructor.name].includes(error.name) ? undefined : error.name,
      status,
      code: text('code'),
      type: text('type'),
      lcCode: text('lc_error_code'),
      retryAfterMs: number('retryAfterMs'),
      message: status === undefined && error.cause === undefined ? error.message : undefined,
      cause: error.cause === undefined ? undefined : thrown(error.cause),
    }),
  };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(fields: T): Defined<T> {
  const kept: Defined<T> = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined) kept[key] = value as Exclude<T[typeof key], undefined>;
  }
  return kept;
}

/** The name of a failure in test titles. */
export const title = (failure: Failure) => (typeof failure === 'string' ? failure : JSON.stringify(failure));
