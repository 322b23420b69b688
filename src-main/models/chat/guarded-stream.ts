import { setTimeout as delay } from 'node:timers/promises';
import type { AIMessageChunk } from '@langchain/core/messages';
import type { ChatGenerationChunk } from '@langchain/core/outputs';
import type { ProviderId } from '../../contract/app';
import type { Modalities } from '../../contract/shared/media';
import { optional } from '../../contract/shared/optional';
import type { ModelFacts } from '../../contract/usage';
import { factsOf } from '../error-facts';
import { noteFailure, noteRunning } from '../failures';
import { isIncomplete } from '../incomplete';
import { isTransient } from '../trouble';
import { ANSWERED_BY } from './answered-by';
import { type CurrentRequest, makingRequest } from './current-request';
import { joinedArguments } from './joined-arguments';
import { modalitiesOf } from './media';

/** Called before each wait. `attempt` is the number of the failed one, from 1; `reason` is for `toAppError`. */
export type OnRetry = (attempt: number, waitMs: number, reason: unknown) => void;

export interface StreamRules {
  provider: ProviderId;
  /** The provider's name for the model. */
  model: string;
  /** Query of the service's address; see `CurrentRequest`. */
  query?: string;
  /** The request carries no key of the person. */
  keyless?: boolean;
  facts: ModelFacts;
  /** Maximum number of retries. */
  retries: number;
  /** Milliseconds without data, before or within an answer, after which the request is considered lost. See `KEPT_ALIVE`. */
  silence: number;
  onRetry?: OnRetry;
  /** For tests; rejects with the signal's reason. */
  sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** A model's profile as LangChain reads it, with our facts instead of the package's assumptions. */
export const profileOf = <P extends object>(
  packaged: P,
  { model, facts: { contextWindow, maxOutput, abilities } }: Pick<StreamRules, 'facts' | 'model'>,
) => ({
  ...packaged,
  ...inputsOf(modalitiesOf(abilities, model)),
  ...(contextWindow === null ? {} : { maxInputTokens: contextWindow }),
  ...(maxOutput === null ? {} : { maxOutputTokens: maxOutput }),
});

const inputsOf = ({ images, audio, video, pdf }: Modalities) => ({
  imageInputs: images === true,
  audioInputs: audio === true,
  videoInputs: video === true,
  pdfInputs: pdf === true,
});

/** First wait in milliseconds, if the provider names none; each later wait is twice as long. */
const FIRST_WAIT = 1_000;
const MAX_OWN_WAIT = 30_000;
/** Maximum wait in milliseconds. If a provider asks for more, the person is told instead, and another model may answer. */
const MAX_ASKED_WAIT = 60_000;

/**
 * Streams an answer. Retries temporary failures until the first part has been passed on. Stops immediately with the signal's
 * reason, and times out after too long a silence; both also end the request. Errors are recorded with their model
 * (`failureOf`), and the answer names its model (`answeredBy`).
 */
export const guardedStream = (
  rules: StreamRules,
  caller: AbortSignal | undefined,
  open: (signal: AbortSignal) => AsyncGenerator<ChatGenerationChunk>,
): AsyncGenerator<ChatGenerationChunk> => joinedArguments(attempts(rules, caller, open));

async function* attempts(
  rules: StreamRules,
  caller: AbortSignal | undefined,
  open: (signal: AbortSignal) => AsyncGenerator<ChatGenerationChunk>,
): AsyncGenerator<ChatGenerationChunk> {
  const answeredBy = `${rules.provider}:${rules.model}`;
  for (let attempt = 1; ; attempt += 1) {
    const own = new AbortController();
    const signal = caller === undefined ? own.signal : AbortSignal.any([caller, own.signal]);
    const chunks = open(signal);
    // Chunks without text wait for the first one with text: until then, a failure can still be retried.
    let held: ChatGenerationChunk[] = [];
    let isStamped = false;
    let streamed = false;
    const request: CurrentRequest = { note: () => undefined, ...optional({ query: rules.query }) };
    noteRunning(caller?.aborted !== true);
    try {
      for (;;) {
        const turn = await nextOf(chunks, rules.silence, caller, () => streamed, request);
        if (turn.done) break;
        const chunk = turn.value;
        if (!isStamped) stamp(chunk, answeredBy);
        isStamped = true;
        if (!streamed && !hasContent(chunk)) {
          held.push(chunk);
          continue;
        }
        streamed = true;
        yield* held;
        held = [];
        yield chunk;
      }
      const [first, ...rest] = held;
      if (!streamed && (first === undefined || lacksEnd(first, rest, rules.provider))) {
        const { other = '' } = request;
        throw new Error(`The response ended without any content.${other === '' ? '' : ` It said: ${other}`}`);
      }
      yield* held;
      return;
    } catch (error) {
      caller?.throwIfAborted();
      noteFailure(error, {
        provider: rules.provider,
        model: answeredBy,
        streamed,
        ...optional({ keyless: rules.keyless }),
      });
      const wait = streamed || attempt > rules.retries ? null : waitAfter(error, attempt);
      if (wait === null) throw error;
      noteRunning(false);
      rules.onRetry?.(attempt, wait, error);
      await (rules.sleep ?? sleep)(wait, caller);
    } finally {
      // Ends the request if the reader stops early. The resulting error does not matter.
      own.abort();
      chunks.return(undefined).catch(() => undefined);
    }
  }
}

/** The whole answer of a stream. */
export async function wholeOf(chunks: AsyncIterable<ChatGenerationChunk>): Promise<ChatGenerationChunk> {
  let whole: ChatGenerationChunk | undefined;
  for await (const chunk of chunks) whole = whole?.concat(chunk) ?? chunk;
  if (whole === undefined) throw new Error('The response ended without any content.');
  return whole;
}

/**
 * Milliseconds until the next attempt; null if none would help. Adds some jitter, so that clients do not retry
 * simultaneously.
 */
function waitAfter(error: unknown, attempt: number): number | null {
  if (!isTransient(error)) return null;
  const asked = factsOf(error).retryAfterSeconds;
  if (asked === null) {
    return Math.round(Math.min(MAX_OWN_WAIT, FIRST_WAIT * 2 ** (attempt - 1)) * (1 + Math.random() / 4));
  }
  return asked * 1_000 > MAX_ASKED_WAIT ? null : Math.round(asked * 1_000 + Math.random() * 250);
}

const sleep = async (milliseconds: number, signal: AbortSignal | undefined): Promise<void> => {
  try {
    await delay(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
};

/** How many silences a connection may last that the service only keeps alive, while it thinks or waits for another one. */
const KEPT_ALIVE = 6;

function nextOf(
  chunks: AsyncGenerator<ChatGenerationChunk>,
  silence: number,
  caller: AbortSignal | undefined,
  hasBegun: () => boolean,
  request: CurrentRequest,
): Promise<IteratorResult<ChatGenerationChunk>> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(silent(silence, hasBegun()));
    const sinceData = setTimeout(giveUp, silence);
    const keptAlive = setTimeout(giveUp, KEPT_ALIVE * silence);
    const note = () => void sinceData.refresh();
    request.note = note;
    const stop = () => reject(caller?.reason);
    const settled = () => {
      clearTimeout(sinceData);
      clearTimeout(keptAlive);
      // A refresh would start a cleared timer again. The next part may be awaited already.
      if (request.note === note) request.note = () => undefined;
      caller?.removeEventListener('abort', stop);
    };
    if (caller?.aborted) stop();
    else caller?.addEventListener('abort', stop, { once: true });
    // After a stop, the promise is already settled and drops later chunks.
    makingRequest(request, () => chunks.next())
      .then(resolve, reject)
      .finally(settled);
  });
}

/** An error with Node's code for the same timeout on a socket. */
function silent(milliseconds: number, hasBegun: boolean): Error {
  const words = `Timed out after ${milliseconds / 1_000} s without output.`;
  return Object.assign(new Error(words), { code: hasBegun ? 'UND_ERR_BODY_TIMEOUT' : 'ETIMEDOUT' });
}

function stamp({ message }: ChatGenerationChunk, answeredBy: string): void {
  message.response_metadata = { ...message.response_metadata, [ANSWERED_BY]: answeredBy };
}

function hasContent({ message }: ChatGenerationChunk): boolean {
  const { content, tool_call_chunks: calls = [], additional_kwargs: extra } = message as AIMessageChunk;
  if (calls.length > 0 || typeof extra.reasoning_content === 'string') return true;
  if (typeof content === 'string') return content !== '';
  return content.some((block) => block.type !== 'text' || block.text !== '');
}

function lacksEnd(
  first: ChatGenerationChunk,
  rest: readonly ChatGenerationChunk[],
  provider: ProviderId,
): boolean {
  const whole = rest.reduce((sum, chunk) => sum.concat(chunk), first);
  return isIncomplete(whole.message as AIMessageChunk, provider);
}
