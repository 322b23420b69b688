import { posix } from 'node:path';
import type { CallPast, Gate, GateCall, Question, Verdict } from '../../approvals/gate';
import { pageAddress } from '../../base/network/page-address';
import type { ApprovalMode, Rule } from '../../contract/control';
import type { ThreadId } from '../../contract/ids';
import type { RecordedCall } from '../../contract/routines';
import { because } from '../../contract/shared/reasons';
import { asksPerson, changesFiles, fetchesPage, runsCommand } from '../../harness/tools/catalogue';
import type { Storage } from '../../storage';

/** What a routine may do in its runs. */
export interface RoutineLimits {
  /** Null: the project's mode. */
  mode: ApprovalMode | null;
  /** What it may repeat. Null: the run is attended, so it may do what the rules allow and the person approves. */
  calls: readonly RecordedCall[] | null;
}

const OUTSIDE = because('outside_routine');
const IN_RECORD = because('recorded_in_routine');
/** Ids of the rules that a record stands for. */
const RECORDED = 'routine:';

/** The limits of the routine whose run the thread is; null for any other thread. Read for each call. */
export function routineLimits(
  { routines }: Pick<Storage, 'routines'>,
  threadId: ThreadId | null,
): RoutineLimits | null {
  const run = threadId === null ? null : routines.runOf(threadId);
  if (run === null) return null;
  const routine = routines.get(run.routineId)?.routine;
  return {
    mode: routine?.mode ?? null,
    // A removed routine has no record: everything outside the thread asks.
    calls: run.isRecording ? null : (routine?.record?.calls ?? []),
  };
}

/** The record as rules, which allow no more than rules of the person could. */
export const recordedRules = (limits: RoutineLimits | null, threadId: ThreadId | null): Rule[] =>
  threadId === null
    ? []
    : (limits?.calls ?? []).flatMap(({ matches }, index) =>
        matches.map(
          (match, at): Rule => ({
            id: `${RECORDED}${index}:${at}`,
            createdAt: 0,
            effect: 'allow',
            match,
            scope: { kind: 'thread', threadId },
          }),
        ),
      );

/** What the record compares of a call: its command, path or host. Empty: any call of the tool. */
export function aboutCall({ tool, args }: Pick<GateCall, 'tool' | 'args'>): string {
  if (runsCommand(tool)) {
    const place = typeof args.place === 'string' ? `${args.place}: ` : '';
    return `${place}${String(args.command ?? '')}${args.background === true ? ' &' : ''}`;
  }
  if (changesFiles(tool)) return posix.normalize(String(args.file_path ?? ''));
  if (!fetchesPage(tool)) return '';
  const page = pageAddress(args.url);
  return page instanceof URL ? page.host : String(args.url);
}

/**
 * An unattended run of a routine does only what its record holds, what a rule of the person allows, and what reads only.
 * Everything else waits for the person, even if the mode would let it run.
 */
export function routineGate(gate: Gate, limits: () => RoutineLimits | null): Gate {
  return {
    judge: async (call, signal, past = {}) => {
      const verdict = await gate.judge(call, signal, past);
      const calls = limits()?.calls ?? null;
      if (calls === null || verdict.verdict === 'deny') return verdict;
      if (verdict.verdict === 'allow') {
        const { outside, ruleId, readsOnly, confined } = verdict;
        const isFree = !outside || ruleId !== undefined || readsOnly === true || confined === 'read-only';
        if (ruleId?.startsWith(RECORDED) === true) return sayingRecorded(verdict);
        if (isFree || isRecorded(calls, call)) return verdict;
        const asked = await gate.judge(call, signal, { ...past, answered: true });
        return asked.verdict === 'ask' ? { ...asked, question: outsideOf(asked.question) } : asked;
      }
      if (asksPerson(call.tool)) return verdict;
      if (wasApproved(calls, verdict.question, past))
        return { verdict: 'allow', reason: [IN_RECORD], outside: true };
      return isRecorded(calls, call) ? verdict : { ...verdict, question: outsideOf(verdict.question) };
    },
  };
}

/** The person has no such rule in their list. */
const sayingRecorded = ({ ruleId: _, ...verdict }: Extract<Verdict, { verdict: 'allow' }>): Verdict => ({
  ...verdict,
  reason: [IN_RECORD],
});

const outsideOf = (question: Question): Question => ({
  ...question,
  reason: [OUTSIDE, ...question.reason],
  risk: question.risk === 'low' ? 'medium' : question.risk,
});

const isRecorded = (calls: readonly RecordedCall[], call: GateCall): boolean => {
  const about = aboutCall(call);
  return calls.some((one) => one.tool === call.tool && one.about === about);
};

/** Whether the person approved exactly this, with the same files behind it. An answer to another question does not count. */
const wasApproved = (calls: readonly RecordedCall[], question: Question, past: CallPast): boolean =>
  past.startedBefore !== true &&
  past.answered !== true &&
  past.again === undefined &&
  past.outcome === undefined &&
  question.thenRehearse === undefined &&
  calls.some(({ digest }) => digest === question.digest);
