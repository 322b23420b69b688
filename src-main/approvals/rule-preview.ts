import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Risk, RuleDraft, RuleMatch, RulePreview } from '../contract/control';
import type { CallId, ThreadId } from '../contract/ids';
import { because, type Reason } from '../contract/shared/reasons';
import { deletesFile, namesShownAs, namesWith } from '../harness/tools/catalogue';
import type { KnownPlaces } from './bash/paths/places';
import { analyzeShell } from './bash/verdict/analyze';
import type { ShellPart } from './bash/verdict/shell-part';
import { isForbidden } from './forbidden-commands';
import { RISKS } from './risk';
import { whyRefused } from './rule-refusal';
import { beginsWith, coversPage, coversTool, fedBy, letsRun, pathMatches, turnedBy } from './rules';

/** An earlier call of an agent. */
interface PastCall {
  threadId: ThreadId;
  callId: CallId;
  tool: string;
  args: Record<string, unknown>;
}

/** Maximum covered calls in the list. */
const LISTED = 50;
/** Maximum milliseconds of judging before it yields to the event loop. */
const MAX_MS = 5;
const rank = (risk: Risk) => RISKS.indexOf(risk);

/** The tools whose earlier calls are relevant to a rule. */
export const toolsOf = (match: RuleMatch): readonly string[] =>
  match.kind === 'path'
    ? match.changes.flatMap(namesShownAs)
    : match.kind === 'tool'
      ? [match.tool]
      : match.kind === 'command'
        ? namesWith('runs')
        : match.kind === 'web'
          ? namesWith('fetches')
          : // The hosts that a command requested are not stored.
            [];

/** What a rule would have done so far, and a near miss, which is made up if no call resembles one. */
export async function previewRule(
  draft: RuleDraft,
  past: readonly PastCall[],
  places: KnownPlaces,
): Promise<RulePreview> {
  const refused = whyRefused(draft);
  const covered = new Map<string, RulePreview['covered'][number]>();
  let coveredCalls = 0;
  let near: NonNullable<RulePreview['nearMiss']> | null = null;
  const consider = (miss: NonNullable<RulePreview['nearMiss']>) => {
    const isRiskier = near === null || rank(miss.risk) > rank(near.risk);
    if (isRiskier) near = miss;
  };
  const judged = new Map<string, Seen>();
  let since = performance.now();
  for (const call of past) {
    const text = textOf(call);
    const seen = judged.get(text) ?? judge(draft, call, places);
    judged.set(text, seen);
    if (performance.now() - since > MAX_MS) {
      await nextTurn();
      since = performance.now();
    }
    if (seen.covered) {
      coveredCalls++;
      const known = covered.get(text);
      if (known === undefined)
        covered.set(text, { text, risk: seen.risk, times: 1, threadId: call.threadId, callId: call.callId });
      else known.times++;
    } else if (seen.near) consider({ text, reason: seen.reason, risk: seen.risk, happened: true });
  }
  if (near === null) {
    for (const args of madeUp(draft)) {
      const call = { tool: toolsOf(draft.match)[0] ?? '', args };
      const seen = judge(draft, call, places);
      if (!seen.covered)
        consider({ text: textOf(call), reason: seen.reason, risk: seen.risk, happened: false });
    }
  }
  return {
    refused,
    checked: past.length,
    covered: [...covered.values()].sort((a, b) => rank(b.risk) - rank(a.risk)).slice(0, LISTED),
    coveredCalls,
    nearMiss: near,
  };
}

interface Seen {
  covered: boolean;
  /** Resembles the rule's match. */
  near: boolean;
  risk: Risk;
  reason: Reason;
}

function judge(draft: RuleDraft, call: Pick<PastCall, 'tool' | 'args'>, places: KnownPlaces): Seen {
  const { match, effect } = draft;
  switch (match.kind) {
    case 'command':
      return judgeLine(draft, match, String(call.args.command ?? ''), places);
    case 'path': {
      const path = String(call.args.file_path ?? '');
      const covered = coversTool(match, call.tool) && pathMatches(match.glob, path, places.folder, draft);
      const folder = match.glob.split('/')[0] ?? '';
      return {
        covered,
        near: !covered && (effect === 'deny' || path.includes(`/${folder}`)),
        risk: deletesFile(call.tool) ? 'high' : 'low',
        reason: because('not_the_pattern'),
      };
    }
    case 'tool':
      return {
        covered: call.tool === match.tool,
        near: false,
        risk: 'medium',
        reason: because('other_tool'),
      };
    case 'web':
      return {
        covered: coversPage(match, call.args.url),
        near: false,
        risk: 'medium',
        reason: because('other_host'),
      };
    case 'host':
      return { covered: false, near: false, risk: 'medium', reason: because('other_host') };
    default:
      return match satisfies never;
  }
}

function judgeLine(
  { effect }: RuleDraft,
  match: Extract<RuleMatch, { kind: 'command' }>,
  line: string,
  places: KnownPlaces,
): Seen {
  // Skips unrelated lines, which are the majority, without parsing them.
  if (effect === 'allow' && !line.includes(match.words[0] ?? ''))
    return { covered: false, near: false, risk: 'low', reason: because('other_words') };
  const { parts, risk, verdict, problem, reason } = analyzeShell(line, places);
  const about = parts.filter((part) => part.written?.[0] === match.words[0]);
  if (effect === 'deny') {
    const hit = parts.some((part) => isForbidden(match, part));
    return { covered: hit, near: !hit && about.length > 0, risk, reason: because('other_words') };
  }
  // Only calls that need approval: other calls do not need a rule, or stay refused.
  if (verdict !== 'ask')
    return { covered: false, near: verdict === 'deny' && about.length > 0, risk, reason };
  const rule = { id: '', createdAt: 0, effect, match, scope: { kind: 'person' as const } };
  const open = parts.filter(
    (part) => part.verdict !== 'allow' && letsRun([rule], part, places.folder) === undefined,
  );
  const covered = open.length === 0 && problem === null;
  const worst = open.sort((a, b) => rank(b.risk) - rank(a.risk))[0];
  return {
    covered,
    near: !covered && about.length > 0,
    risk: covered ? risk : (worst?.risk ?? risk),
    reason: covered || worst === undefined ? reason : whyOpen(match, worst, places),
  };
}

/** Why a part is not covered: the part itself, or the words after the rule's own. */
function whyOpen(
  match: Extract<RuleMatch, { kind: 'command' }>,
  part: ShellPart,
  places: KnownPlaces,
): Reason {
  const { words } = part;
  if (words !== undefined && beginsWith(match, words))
    return turnedBy(words, match.words.length, places.folder) ?? fedBy(part, places.folder) ?? part.reason;
  return part.reason;
}

/** Calls similar to the rule's match that a person might fear it allows. */
function madeUp({ match }: RuleDraft): Record<string, unknown>[] {
  switch (match.kind) {
    case 'command': {
      const line = match.words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`)).join(' ');
      const [name = ''] = match.words;
      const siblings: Readonly<Record<string, string>> = {
        git: 'git push --force',
        npm: 'npm exec x',
        cargo: 'cargo run',
      };
      return [`${line} && rm -rf .`, siblings[name] ?? `${name} ../x`, `${line} > out`].map((command) => ({
        command,
      }));
    }
    case 'path':
      return [];
    case 'tool':
    case 'host':
    case 'web':
      return [];
    default:
      return match satisfies never;
  }
}

const textOf = ({ tool, args }: Pick<PastCall, 'tool' | 'args'>): string => {
  if (typeof args.command === 'string') return args.command.slice(0, 2_000);
  if (typeof args.url === 'string') return args.url.slice(0, 2_000);
  return `${tool} ${typeof args.file_path === 'string' ? args.file_path : JSON.stringify(args).slice(0, 500)}`;
};
