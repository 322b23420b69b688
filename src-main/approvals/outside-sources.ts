import type { Rule } from '../contract/control';
import type { OutsideSource } from '../contract/shared/outside-source';
import { because, type Reason, type Reasons } from '../contract/shared/reasons';
import { effectOf } from '../harness/tools/catalogue';
import type { GateCall } from './call';
import type { CallFacts } from './call-facts';
import type { Judgement } from './verdict';

/** Maximum sources that a question names: the latest. */
const MAX_NAMED = 3;

/**
 * Text from outside may tell the agent to send something away. While the conversation holds such text, a call that can send
 * anything asks, whatever a rule or the mode allows. The source's own calls do not ask because of it.
 */
export function askedForOutside(facts: CallFacts, judged: Judgement): Judgement {
  const sources = facts.call.outside?.filter((one) => !isOwnCall(one, facts)) ?? [];
  if (sources.length === 0 || judged.verdict === 'deny' || !canSend(facts, judged)) return judged;
  const reason = [reasonOf(sources), ...judged.reason];
  return judged.verdict === 'ask' ? { ...judged, reason } : { verdict: 'ask', reason, risk: 'medium' };
}

const CODES = {
  page: 'thread_holds_page',
  server: 'thread_holds_result',
  download: 'thread_holds_download',
  attachment: 'thread_holds_attachment',
  import: 'thread_holds_import',
} as const;

const SEVERAL = 'thread_holds_several';

function reasonOf(sources: readonly OutsideSource[]): Reason {
  const [first, ...others] = sources;
  if (first !== undefined && others.length === 0) return because(CODES[first.kind], { name: first.name });
  const names = new Set(sources.slice(-MAX_NAMED).map(({ name }) => name));
  return because(SEVERAL, { names: [...names].join(', ') });
}

/** Those of a question's reasons that name a source. A gate that replaces the reasons keeps them. */
export const sourcesNamed = (reasons: Reasons): Reasons =>
  reasons.filter(({ code }) => code === SEVERAL || Object.values<string>(CODES).includes(code));

/** Whether the call only reaches where the text came from. */
function isOwnCall({ kind, name, id }: OutsideSource, { call, effect }: CallFacts): boolean {
  // A server of a folder can have the name of any other.
  if (kind === 'server') return id !== undefined && call.server === id;
  return (kind === 'page' || kind === 'download') && effect.kind === 'fetch' && effect.host === name;
}

/** The server of an external tool, as its name says; the name itself if it names none. */
export function serverOf({ tool }: Pick<GateCall, 'tool'>): string | null {
  return effectOf(tool) === undefined ? (tool.split('__', 1)[0] ?? tool) : null;
}

function canSend({ call, effect, command, rules, past }: CallFacts, judged: Judgement): boolean {
  if (effect.kind === 'fetch' || serverOf(call) !== null) return true;
  if ((effect.kind === 'place' || effect.kind === 'ask') && effect.isAway === true) return true;
  if (command === null || command.verdict === 'allow' || past.outcome !== undefined) return false;
  return !runsOffline(judged, rules);
}

/** Whether a command runs where it has no network. */
export function runsOffline(judged: Judgement, rules: readonly Rule[]): boolean {
  if (judged.verdict !== 'allow') return false;
  if (judged.rehearsal !== undefined || judged.confined === 'read-only') return true;
  return (
    judged.confined === true && !rules.some((rule) => rule.effect === 'allow' && rule.match.kind === 'host')
  );
}
