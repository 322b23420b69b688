import type { Approval, Attempt } from '../contract/conversation';
import type { Outcome } from '../contract/outcome';
import type { Reasons } from '../contract/shared/reasons';
import type { GateCall } from './call';

/** What the person is asked, as the tool and its arguments stand now. */
export type Question = Pick<
  Approval,
  'preview' | 'outcome' | 'reason' | 'risk' | 'allowed' | 'digest' | 'changed'
> & {
  /** Version of the file that the preview was made from: what is approved is a change to exactly that. */
  fileVersion?: string;
  /** Allowed, it runs in a throwaway layer first, and its outcome is asked about. */
  thenRehearse?: true;
};

export type Verdict =
  | {
      verdict: 'allow';
      reason: Reasons;
      outside: boolean;
      /** It stays inside the conversation but for looking into the folder. */
      looks?: boolean;
      /** The person's rule that lets it. */
      ruleId?: string;
      /**
       * A command that is to run in the sandbox; without this it runs as the person would run it. `read-only`: nobody
       * knows whether it only reads, so it sees the folder read-only. Where it could not do there all that it wanted, what
       * came of it is no result: judge the call again with `attempt`.
       */
      confined?: true | 'read-only';
      /** A command that is to run in a throwaway layer: what of its outcome is kept without a question. */
      rehearsal?: RehearsalKeeps;
      /** Of a command that runs read-only: exit code 1 is its answer, and no failure. */
      exitOneAnswers?: true;
      /** Of a command that runs read-only: it may fail without printing what it was refused. */
      hidesErrors?: true;
    }
  | { verdict: 'deny'; reason: Reasons }
  | { verdict: 'ask'; question: Question };

/**
 * What of a rehearsed command's outcome is kept without a question. `ignored`: what git ignores, and caches; `rules`: all
 * but what other programs run or obey; `nothing`: nobody is asked, and nothing is kept.
 */
export type RehearsalKeeps = 'ignored' | 'rules' | 'nothing';

/** What is known of a call from before it is judged. */
export interface CallPast {
  /**
   * It was started and its result never saved, so nobody knows whether it took effect: everything that reaches outside the
   * thread is asked.
   */
  startedBefore?: boolean;
  /**
   * The person has answered a question about it. Their answer is to what they were shown, also where a rule or a mode
   * has let the call run by itself since: whatever is not denied is asked.
   */
  answered?: boolean;
  /** It ran in the read-only sandbox, which did not let it do all that it wanted. */
  attempt?: Attempt;
  /** It ran in a throwaway layer, and what it did there is still to be decided about. */
  outcome?: Outcome;
  /** The person wants it to run in a layer, also once more: `longer`: with all the time that a command can have. */
  again?: true | 'longer';
  /** Why it could not run in a layer, as a sentence. */
  notRehearsed?: string;
  /** The person wants it to run for real, which is in the sandbox. */
  forReal?: true;
}

export interface Gate {
  /** Fails closed: what is not known to be harmless is asked. */
  judge(call: GateCall, signal: AbortSignal, past?: CallPast): Promise<Verdict>;
}
