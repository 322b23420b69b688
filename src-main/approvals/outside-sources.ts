import { because, type Reason } from '../contract/shared/reasons';
import { effectOf } from '../harness/tools/catalogue';
import type { GateCall, OutsideSource } from './call';
import type { CallFacts } from './call-facts';
import type { Judgement } from './verdict';

/**
 * Text from outside may tell the agent to send something away. While the conversation holds such text, a call that can send
 * anything asks, whatever a rule or the mode allows. The source's own calls do not ask because of it.
 */
export function askedForOutside(facts: CallFacts, judged: Judgement): Judgement {
  const source = facts.call.outside?.find((one) => !isOwnCall(one, facts));
  if (source === undefined || judged.verdict === 'deny' || !canSend(facts, judged)) return judged;
  const reason = [reasonOf(source), ...judged.reason];
  return judged.verdict === 'ask' ? { ...judged, reason } : { verdict: 'ask', reason, risk: 'medium' };
}

const reasonOf = ({ kind, name }: OutsideSource): Reason =>
  because(kind === 'page' ? 'thread_holds_page' : 'thread_holds_result', { name });

/** Whether the call only reaches where the text came from. */
function isOwnCall({ kind, name }: OutsideSource, { call, effect }: CallFacts): boolean {
  return kind === 'page' ? effect.kind === 'fetch' && effect.host === name : serverOf(call) === name;
}

/** The server of an external tool, as its name says; the name itself if it names none. */
export function serverOf({ tool }: Pick<GateCall, 'tool'>): string | null {
  return effectOf(tool) === undefined ? (tool.split('__', 1)[0] ?? tool) : null;
}

function canSend({ call, effect, command, rules, past }: CallFacts, judged: Judgement): boolean {
  if (effect.kind === 'fetch' || serverOf(call) !== null) return true;
  if (command === null || command.verdict === 'allow' || past.outcome !== undefined) return false;
  if (judged.verdict !== 'allow') return true;
  // Neither has a network.
  if (judged.rehearsal !== undefined || judged.confined === 'read-only') return false;
  return (
    judged.confined !== true || rules.some((rule) => rule.effect === 'allow' && rule.match.kind === 'host')
  );
}
