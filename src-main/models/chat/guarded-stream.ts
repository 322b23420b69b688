import { setTimeout as delay } from 'node:timers/promises';
import type { AIMessageChunk } from '@langchain/core/messages';
import type { ChatGenerationChunk } from '@langchain/core/outputs';
import type { ProviderId } from '../../contract/app';
import type { Modalities } from '../../contract/shared/media';
import type { ModelFacts } from '../../contract/usage';
import { factsOf } from '../error-facts';
import { noteFailure } from '../failures';
import { isIncomplete } from '../incomplete';
import { isTransient } from '../trouble';
import { ANSWERED_BY } from './answered-by';
import { modalitiesOf } from './media';

/** Told before each wait. `attempt` is the one that failed, from 1; `reason` goes to `toAppError`. */
export type OnRetry = (attempt: number, waitMs: number, reason: unknown) => void;

export interface StreamRules {
  provider: ProviderId;
  /** The provider's name of the model. */
  model: string;
  facts: ModelFacts;
  /** Times a request is sent again. */
  retries: number;
  /** Milliseconds without a word, before or within an answer, after which it counts as lost. */
  silence: number;
  onRetry?: OnRetry;
  /** For tests; rejects with the signal's reason. */
  sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** A model's profile as LangChain reads it, with what we know in place of what the package believes. */
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

/** Milliseconds of the first wait where the provider names none; each further one is twice as long. */
const FIRST_WAIT = 1_000;
const LONGEST_OWN_WAIT = 30_000;
/** A provider that wants more is not waited for: the person is told instead, and another model may answer. */
const LONGEST_ASKED_WAIT = 60_000;

/**
 * An answer as the provider streams it, asked for again where it failed in a way that may pass and nothing of it was
 * handed on yet. Ends at once with the signal's reason when it is stopped, and with a time-out after too long a
 * silence; the request ends with it. What it throws is noted with its model (`failureOf`), and the answer says who
 * gave it (`answeredBy`).
 */
export async function* guardedStream(
  rules: StreamRules,
  caller: AbortSignal | undefined,
  open: (signal: AbortSignal) => AsyncGenerator<ChatGenerationChunk>,
): AsyncGenerator<ChatGenerationChunk> {
  const answeredBy = `${rules.provider}:${rules.model}`;
  for (let attempt = 1; ; attempt += 1) {
    const own = new AbortController();
    const signal = caller === undefined ? own.signal : AbortSignal.any([caller, own.signal]);
    const chunks = open(signal);
    // Chunks without a word wait for the first one with: a failure between them can still be retried.
    let held: ChatGenerationChunk[] = [];
    let isStamped = false;
    let streamed = false;
    try {
      for (;;) {
        const turn = await nextOf(chunks, rules.silence, caller, () => streamed);
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
        throw new Error('The response ended before it began.');
      }
      yield* held;
      return;
    } catch (error) {
      caller?.throwIfAborted();
      noteFailure(error, { provider: rules.provider, model: answeredBy, streamed });
      const wait = streamed || attempt > rules.retries ? null : waitAfter(error, attempt);
      if (wait === null) throw error;
      rules.onRetry?.(attempt, wait, error);
      await (rules.sleep ?? sleep)(wait, caller);
    } finally {
      // Ends the request where the reader stopped reading. That it ends in an error then is of no interest.
      own.abort();
      chunks.return(undefined).catch(() => undefined);
    }
  }
}

/** Milliseconds until the next attempt; null where none helps. A little more than asked, so that not all come at once. */
function waitAfter(error: unknown, attempt: number): number | null {
  if (!isTransient(error)) return null;
  const asked = factsOf(error).retryAfterSeconds;
  if (asked === null) {
    return Math.round(Math.min(LONGEST_OWN_WAIT, FIRST_WAIT * 2 ** (attempt - 1)) * (1 + Math.random() / 4));
  }
  return asked * 1_000 > LONGEST_ASKED_WAIT ? null : Math.round(asked * 1_000 + Math.random() * 250);
}

const sleep = async (milliseconds: number, signal: AbortSignal | undefined): Promise<void> => {
  try {
    await delay(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
};

function nextOf(
  chunks: AsyncGenerator<ChatGenerationChunk>,
  silence: number,
  caller: AbortSignal | undefined,
  hasBegun: () => boolean,
): Promise<IteratorResult<ChatGenerationChunk>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(silent(silence, hasBegun())), silence);
    const stop = () => reject(caller?.reason);
    const settled = () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', stop);
    };
    if (caller?.aborted) stop();
    else caller?.addEventListener('abort', stop, { once: true });
    // What comes after the stop finds the promise settled and is dropped.
    chunks.next().then(resolve, reject).finally(settled);
  });
}

/** An error with the code that Node gives to the same silence on a socket. */
function silent(milliseconds: number, hasBegun: boolean): Error {
  const words = `Timed out after ${milliseconds / 1_000} s without a word.`;
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
