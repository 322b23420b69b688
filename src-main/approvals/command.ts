import { basename } from 'node:path';
import type { Rule } from '../contract/control';
import { letsRun } from './rules';
import { analyseShell, type ShellAnalysis } from './shell/analyse';
import { leadsElsewhere } from './shell/links';
import type { PlacesOnDisk, ShellPlaces } from './shell/places';
import { likelyProgram, withPrograms } from './shell/programs';

export interface CommandJudgement extends Pick<ShellAnalysis, 'verdict' | 'risk' | 'reason' | 'parts'> {
  /** The rules of the person that let its parts run which would be asked about; only where they let all of them. */
  rules: Rule[];
  /** All of it was read: nothing hides in it that the parts do not show. */
  understood: boolean;
}

const GOES_ON = 'It goes on in the background, in a terminal of its own, until it ends or is stopped.';
const ANYTHING = 'Commands can change anything that you can change.';

/**
 * Judges an `execute` call by what the shell would do with it, links followed. `places` null: the system's shell is not
 * one that Deepdesk can read, so everything is asked. A job is asked about at least.
 */
export async function judgeCommand(
  args: Record<string, unknown>,
  places: PlacesOnDisk | null,
  rules: readonly Rule[],
): Promise<CommandJudgement> {
  const background = args.background === true;
  const plain = background ? `${GOES_ON} ${ANYTHING}` : ANYTHING;
  if (places === null || typeof args.command !== 'string')
    return { verdict: 'ask', risk: 'medium', reason: plain, parts: [], rules: [], understood: false };
  const { command } = args;
  const found = await withPrograms(places, likelyProgram(command), (known) => analyseShell(command, known));
  const { parts, risk } = found;
  const understood = found.problem === null;
  if (found.verdict === 'deny')
    return { verdict: 'deny', risk, reason: found.reason, parts, rules: [], understood };
  const elsewhere = await leadsElsewhere(found.reads, found.files, places);
  if (elsewhere !== null) {
    const reason = `${elsewhere}.`;
    return { verdict: 'ask', risk: risk === 'low' ? 'medium' : risk, reason, parts, rules: [], understood };
  }
  if (background)
    return {
      verdict: 'ask',
      risk: risk === 'low' ? 'medium' : risk,
      reason: found.verdict === 'allow' ? GOES_ON : `${GOES_ON} ${found.reason}`,
      parts,
      rules: [],
      understood,
    };
  return {
    verdict: found.verdict,
    risk,
    reason: found.reason,
    parts,
    understood,
    rules: found.verdict === 'ask' && found.problem === null ? rulesFor(found, rules, places) : [],
  };
}

/** The rules under which the whole line may run; empty where one part has none. */
function rulesFor({ parts }: ShellAnalysis, rules: readonly Rule[], places: ShellPlaces): Rule[] {
  const used: Rule[] = [];
  for (const part of parts) {
    if (part.verdict === 'allow') continue;
    const rule = letsRun(rules, part, places.folder);
    if (rule === undefined) return [];
    if (!used.includes(rule)) used.push(rule);
  }
  return used;
}

/** The lines of package.json that a command stands for: the script with what runs before and after it. */
export function scriptBehind(
  words: readonly string[] | undefined,
  scripts: Readonly<Record<string, unknown>>,
): string | undefined {
  if (words === undefined) return undefined;
  const [program = '', verb = '', named = ''] = words;
  if (!/^(npm|pnpm|yarn|bun)$/.test(basename(program))) return undefined;
  const name = verb === 'run' || verb === 'run-script' ? named : ({ t: 'test' }[verb] ?? verb);
  const lines = [`pre${name}`, name, `post${name}`].flatMap((key) => {
    const line = Object.hasOwn(scripts, key) ? scripts[key] : undefined;
    return typeof line === 'string' ? [line] : [];
  });
  return Object.hasOwn(scripts, name) ? lines.join('\n') : undefined;
}
