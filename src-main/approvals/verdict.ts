import type { Approval, Attempt } from '../contract/approvals';
import type { Outcome } from '../contract/outcome';
import type { Reason, Reasons } from '../contract/shared/reasons';
import type { GateCall } from './call';

/** The question to the person, for the current tool and arguments. */
export type Question = Pick<
  Approval,
  'preview' | 'outcome' | 'reason' | 'risk' | 'allowed' | 'digest' | 'changed'
> & {
  /** Version of the previewed file: the approval covers a change to exactly that version. Null: there is no file yet. */
  fileVersion?: string | null;
  /** The part of `digest` that covers a decision about an outcome which does not run the command. */
  outcomeDigest?: string;
  /** Once allowed, it first runs in a throwaway layer, and the person is asked about its outcome. */
  thenRehearse?: true;
};

export type Verdict =
  | {
      verdict: 'allow';
      reason: Reasons;
      outside: boolean;
      /** It only looks into the folder and otherwise stays inside the conversation. */
      looks?: boolean;
      /** A command that is known to read only. */
      readsOnly?: true;
      /** The person's rule that allows it. */
      ruleId?: string;
      /**
       * A command that must run in the sandbox; otherwise it runs as if the person ran it. `read-only`: it may not be
       * read-only, so it sees the folder read-only. If the sandbox blocked anything, its output is no result: judge the call
       * again with `attempt`.
       */
      confined?: true | 'read-only';
      /** A command that runs where it has no network. */
      offline?: true;
      /** A command that must run in a throwaway layer: the part of its outcome that is kept without asking. */
      rehearsal?: RehearsalKeeps;
      /** For a command that runs read-only: exit code 1 is its answer, not a failure. */
      exitOneAnswers?: true;
      /** For a command that runs read-only: it may fail without printing the refusal. */
      hidesErrors?: true;
    }
  | { verdict: 'deny'; reason: Reasons }
  | { verdict: 'ask'; question: Question };

/** The decision about a call. If it needs approval, the question is still to be built. */
export type Judgement =
  | Exclude<Verdict, { verdict: 'ask' }>
  | { verdict: 'ask'; reason: Reasons; risk: Approval['risk'] };

/**
 * The part of a rehearsed command's outcome that is kept without asking. `ignored`: files that git ignores, and caches;
 * `rules`: everything except files that other programs run or load; `nothing`: nobody is asked, and nothing is kept.
 */
export type RehearsalKeeps = 'ignored' | 'rules' | 'nothing';

/** Facts about a call from before it is judged. */
export interface CallPast {
  /**
   * It was started and its result was never saved, so it may have taken effect. Everything that reaches outside the thread
   * needs approval.
   */
  startedBefore?: boolean;
  /**
   * The person has answered a question about it. The answer covers what they saw, even if a rule or mode now allows the
   * call: everything that is not denied needs approval.
   */
  answered?: boolean;
  /** It ran in the read-only sandbox, which blocked part of it. */
  attempt?: Attempt;
  /** It ran in a throwaway layer, and its outcome is still undecided. */
  outcome?: Outcome;
  /** The person wants it to run in a layer, possibly again. `longer`: with the maximum time for a command. */
  again?: true | 'longer';
  /** Why it could not run in a layer. */
  notRehearsed?: Reason;
  /** The person wants it to run for real, that is, in the sandbox. */
  forReal?: true;
}

export interface Gate {
  /** Fails closed: anything not known to be harmless needs approval. */
  judge(call: GateCall, signal: AbortSignal, past?: CallPast): Promise<Verdict>;
}
