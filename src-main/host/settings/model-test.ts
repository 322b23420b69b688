import { randomUUID } from 'node:crypto';
import type { ProviderId } from '../../contract/app';
import type { ModelTest } from '../../contract/commands/models';
import type { AppError, Result } from '../../contract/result';
import { optional } from '../../contract/shared/optional';
import { factsOf } from '../../models/error-facts';
import { troubleOf } from '../../models/trouble';
import type { ModelEvents, RunModels } from './run-models';

/** Milliseconds that a model may take to say one word; a local server may have to load it first. */
const WITHIN = 45_000;

type Outcome = ModelTest['outcome'];

interface Parts {
  open(threadId: string, model: string, events: ModelEvents): Promise<Result<RunModels>>;
  /** Whether the requests go to an address of the person's or to this machine. */
  isOwnAddress: boolean;
}

/** Asks a model one short question. The first trouble is the answer: it is not asked again, and no other is asked. */
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
  // Nothing else is spent in this thread, so that its ceiling is the day's.
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

/** A service that does not know a model says so; one that does not know the path says something else. */
const speaksOfModel = (text: string, name: string) => /model/iu.test(text) || text.includes(name);

/** What a server of another kind answers with. */
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
      // A page in place of an answer makes the provider's own library stumble.
      return NO_API.test(text) || (isOwnAddress && trouble === 'internal') ? 'wrong_address' : 'other';
  }
}
