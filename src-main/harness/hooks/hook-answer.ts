import { parseJson } from '../../base/limited-json';
import type { Hook } from './hook';
import { type HookExit, MAX_ANSWER } from './run-hook';

/** Exit code by which a hook before a call denies it; its error output is the reason. */
const DENIES = 2;
/** UTF-16 units of a reason, and of a text for the model. */
const MAX_REASON = 1_000;
const MAX_CONTEXT = 10_000;
const MAX_DEPTH = 32;

export type HookFailure =
  | { kind: 'exit'; code: number | null; errors: string }
  | { kind: 'timeout'; seconds: number }
  | { kind: 'garbage' }
  | { kind: 'too_long' }
  | { kind: 'not_started'; problem: string };

export type HookAnswer = { failure: HookFailure } | { denies: string | null; context: string | null };

/** What a finished hook says: by its exit code, or as a JSON object on its standard output. */
export function answerOf(
  exit: HookExit,
  { event, timeoutSeconds }: Pick<Hook, 'event' | 'timeoutSeconds'>,
): HookAnswer {
  switch (exit.kind) {
    case 'timed_out':
      return { failure: { kind: 'timeout', seconds: timeoutSeconds } };
    case 'too_long':
      return { failure: { kind: 'too_long' } };
    case 'not_started':
      return { failure: { kind: 'not_started', problem: exit.problem } };
    case 'exited':
      break;
  }
  const { code, answer, errors } = exit;
  // Many programs report a failure with this code, too. There is nothing left to deny after a call.
  if (code === DENIES && event === 'before_tool') return { denies: cut(errors, MAX_REASON), context: null };
  if (code !== 0) return { failure: { kind: 'exit', code, errors } };
  if (answer.trim() === '') return { denies: null, context: null };
  const said = parsed(answer);
  return said ?? { failure: { kind: 'garbage' } };
}

function parsed(answer: string): HookAnswer | null {
  const read = parseJson(answer, { maxBytes: MAX_ANSWER, maxDepth: MAX_DEPTH });
  const value = 'value' in read ? read.value : null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { decision, reason, context } = value as Record<string, unknown>;
  // No hook can allow a call, so an unknown decision is a mistake that must not pass unseen.
  if (decision !== undefined && decision !== 'deny') return null;
  if (reason !== undefined && typeof reason !== 'string') return null;
  if (context !== undefined && typeof context !== 'string') return null;
  return {
    denies: decision === 'deny' ? cut(reason ?? '', MAX_REASON) : null,
    context: context === undefined || context.trim() === '' ? null : cut(context, MAX_CONTEXT),
  };
}

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text);
