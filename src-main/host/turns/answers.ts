import type { Question } from '../../approvals/gate';
import type { Approval, Decision } from '../../contract/approvals';
import { fail, ok, type Result } from '../../contract/result';
import { descriptorOf } from '../../harness/tools/catalogue';
import { answersAsData, readAnswers } from '../../harness/tools/read-answers';

/** Whether a pending call can be decided in this way. Errors: `invalid`, `stale`. */
export function checkDecision(approval: Approval, decision: Decision): Result<Record<string, never>> {
  if (!approval.allowed.includes(decision.type))
    return fail('invalid', 'decision_not_allowed', {
      decision: decision.type,
      allowed: approval.allowed.join(', '),
    });
  const checks = [checkAnswers, checkEdited, checkKept];
  return checks.map((check) => check(approval, decision)).find((fits) => !fits.ok) ?? ok({});
}

/**
 * Errors: `invalid` if edited arguments of a built-in tool cannot fit its schema. Others are checked when the call resumes,
 * which uses up the decision.
 */
function checkEdited({ tool }: Approval, decision: Decision): Result<Record<string, never>> {
  if (decision.type !== 'edit') return ok({});
  const { required = [], numbers = [], booleans = [], nullable = [] } = descriptorOf(tool)?.arguments ?? {};
  const { args } = decision;
  const isGiven = (name: string) =>
    args[name] !== undefined && !(args[name] === null && nullable.includes(name));
  const misfits = (names: readonly string[], type: string) =>
    names.filter((name) => typeof args[name] !== type);
  const wrong = [
    ...misfits(required, 'string'),
    ...misfits(numbers.filter(isGiven), 'number'),
    ...misfits(booleans.filter(isGiven), 'boolean'),
  ];
  return wrong.length === 0 ? ok({}) : fail('invalid', 'edited_arguments', { names: wrong.join(', ') });
}

/** Errors: `stale` if it keeps other changes than those that the call waits with. */
function checkKept({ outcome }: Approval, decision: Decision): Result<Record<string, never>> {
  const fits = decision.type !== 'keep' || decision.manifest === outcome?.manifest;
  return fits ? ok({}) : fail('stale', 'call_changed');
}

/** Errors: `invalid` if the text does not answer the questions of the call. */
function checkAnswers({ preview }: Approval, decision: Decision): Result<Record<string, never>> {
  if (preview.kind !== 'questions' || decision.type !== 'respond') return ok({});
  const read = readAnswers(preview.questions, decision.text);
  if (!('problem' in read)) return ok({});
  const { problem, number } = read;
  switch (problem) {
    case 'count':
      return fail('invalid', 'answers_count', { count: number });
    case 'empty':
      return fail('invalid', 'answer_empty', { number });
    case 'choice':
      return fail('invalid', 'answer_not_a_choice', { number });
    case 'several':
      return fail('invalid', 'answer_one_choice', { number });
    default:
      return problem satisfies never;
  }
}

/** The result of a call that the person answered instead of letting it run. */
export const resultOfResponse = ({ preview }: Pick<Question, 'preview'>, text: string): string =>
  // A redacted answer may no longer be one of the choices. It still says what the person meant.
  preview.kind === 'questions' ? (answersAsData(preview.questions, text) ?? text) : text;

/** The result of a call that the person rejected. */
export function resultOfRejection(
  { preview }: Pick<Question, 'preview'>,
  message: string | undefined,
): string {
  const why = message ? ` The person said: ${message}` : '';
  return preview.kind === 'questions'
    ? `The person declined to answer.${why}`
    : `The person rejected this call, so it did not run.${why}`;
}
