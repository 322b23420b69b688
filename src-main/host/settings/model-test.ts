import { randomUUID } from 'node:crypto';
import type { ProviderId } from '../../contract/app';
import type { ModelTest } from '../../contract/commands/models';
import type { AppError, Result } from '../../contract/result';
import { optional } from '../../contract/shared/optional';
import { factsOf } from '../../models/error-facts';
import { troubleOf } from '../../models/trouble';
import type { ModelEvents, RunModels } from './run-models';

/** Milliseconds for the answer of a model; a local server may have to load it first. */
const WITHIN = 45_000;

type Outcome = ModelTest['outcome'];

interface Parts {
  open(threadId: string, model: string, events: ModelEvents): Promise<Result<RunModels>>;
  /** Whether the requests go to a custom address or to this machine. */
  isOwnAddress: boolean;
}

/** Sends a model one short prompt. The first error is the answer: no retries and no fallbacks. */
export async function testModel(
  provider: ProviderId,
  name: string,
  parts: Parts,
  signal: AbortSignal,
): Promise<ModelTest> {
  const model = `${provider}:${name}`;
  const started = performance.now();
  const ended = (outcome: Outcome, error?: AppError): ModelTest => ({
    outcome,
    model,
    took: Math.round(performance.now() - started),
    ...optional({ detail: error?.detail, retryAfterSeconds: error?.retryAfterSeconds }),
  });
  const late = AbortSignal.timeout(WITHIN);
  const first = new AbortController();
  let trouble: AppError | undefined;
  // Uses a new thread id, so that only the daily ceiling applies.
  const run = await parts.open(`test-${randomUUID()}`, model, {
    onRetry: (_attempt, _wait, reason) => {
      trouble ??= reason;
      first.abort();
    },
    onFallback: () => undefined,
  });
  if (!run.ok) return ended(run.error.kind === 'no_key' ? 'no_key' : 'other', run.error);
  const { HumanMessage } = await import('@langchain/core/messages');
  try {
    await run.value.calls.invoke(
      run.value.first.chat,
      [new HumanMessage('This is a test of the connection. Answer with the one word OK.')],
      { signal: AbortSignal.any([signal, late, first.signal]), callbacks: [] },
    );
    return ended('answered');
  } catch (error) {
    if (trouble !== undefined)
      return ended(outcomeOf(trouble.kind, trouble.detail ?? '', parts.isOwnAddress), trouble);
    const told = run.value.first.explain(error);
    if (late.aborted) return ended('no_answer', told);
    const facts = factsOf(error);
    const found = told.kind === 'spending_limit' || told.kind === 'no_price' ? told.kind : troubleOf(facts);
    if (facts.status === 405 || (found === 'unknown_model' && !speaksOfModel(facts.text, name)))
      return ended('wrong_address', told);
    return ended(outcomeOf(found, facts.text, parts.isOwnAddress), told);
  }
}

/** An unknown model causes an error that names it; an unknown path causes a different one. */
const speaksOfModel = (text: string, name: string) => /model/iu.test(text) || text.includes(name);

/** Answers of servers that are not a model API. */
const NO_API = /<!doctype|<html|unexpected token|not valid json|unexpected end of json/iu;

function outcomeOf(trouble: string, text: string, isOwnAddress: boolean): Outcome {
  switch (trouble) {
    case 'no_key':
    case 'bad_key':
    case 'rate_limited':
    case 'overloaded':
    case 'unknown_model':
      return trouble;
    case 'credit':
      return 'no_quota';
    case 'spending_limit':
    case 'no_price':
      return 'ceiling';
    case 'network':
      if (/timed out|timeout/iu.test(text)) return 'no_answer';
      return isOwnAddress ? 'unreachable' : 'no_network';
    case 'stream_cut':
      return NO_API.test(text) || isOwnAddress ? 'wrong_address' : 'no_network';
    default:
      // A web page instead of an answer makes the provider's library fail.
      return NO_API.test(text) || (isOwnAddress && trouble === 'internal') ? 'wrong_address' : 'other';
  }
}
