import { type FactSources, factsOf } from './call-facts';
import { judgeFacts, STARTED_BEFORE } from './judgement';
import { runsOffline } from './outside-sources';
import { type QuestionContext, questionAbout } from './question';
import { sayingNotRehearsed } from './rehearsal';
import type { Gate } from './verdict';

export type { GateCall } from './call';
export { canonical, digestOf } from './digest';
export type { CallPast, Gate, Question, Verdict } from './verdict';

export interface GateOptions extends FactSources {
  timeoutSeconds: number;
  /** The meaning of a timeout of 0. Default 3,600. */
  maxTimeoutSeconds?: number;
  /** Names of the variables in the commands' environment: a decision covers a command with exactly these. Default none. */
  environment?: readonly string[];
  /** Identifies the folder on the disk, whatever its path: an answer covers a call in exactly this folder. */
  folderIdentity?: () => Promise<string>;
}

/**
 * Decides by what a call can affect. Reads run, scratch files and the plan belong to the agent, memories are written with a
 * visible undo, and commands that only read the folder run. Every other change and every unknown tool needs approval. The
 * person's rules and mode come on top, and a forbidden call stays forbidden whatever else allows it.
 */
export function createGate(options: GateOptions): Gate {
  const { places, backend, timeoutSeconds, maxTimeoutSeconds = 3_600, shell = null } = options;
  const context: QuestionContext = {
    backend,
    cwd: shell?.cwd ?? places.folder,
    shell,
    timeoutSeconds,
    maxTimeoutSeconds,
    environment: options.environment ?? [],
    folderIdentity: options.folderIdentity ?? (async () => ''),
  };
  return {
    judge: async (call, signal, past = {}) => {
      const facts = await factsOf(call, past, options);
      const judged = sayingNotRehearsed(await judgeFacts(facts, { places, shell }), past.notRehearsed);
      if (judged.verdict === 'deny') return judged;
      if (judged.verdict === 'allow' && past.answered !== true)
        return facts.command !== null && runsOffline(judged, facts.rules)
          ? { ...judged, offline: true }
          : judged;
      const asked = judged.verdict === 'ask' ? judged : { reason: judged.reason, risk: 'low' as const };
      const { reason, risk } = past.startedBefore === true ? STARTED_BEFORE : asked;
      // In `ask-all` mode, even a rehearsal needs approval first; the question about its outcome comes later.
      const isFirst = past.outcome === undefined && past.notRehearsed === undefined;
      const mayRehearse = facts.rehearses && facts.outside === null && past.startedBefore !== true;
      const isForLayer = facts.mode === 'ask-all' && isFirst && mayRehearse;
      const why = { reason, risk, ...(isForLayer ? { thenRehearse: true as const } : {}) };
      return questionAbout(facts, why, context, signal);
    },
  };
}
