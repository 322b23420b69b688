import { posix } from 'node:path';
import { isBelow } from '../base/is-below';
import { pageAddress } from '../base/network/page-address';
import type { Approval } from '../contract/approvals';
import type { RuleMatch } from '../contract/control';
import { because, type Reason } from '../contract/shared/reasons';
import { asksPerson, fetchesPage, runsCommand, writesFile } from '../harness/tools/catalogue';
import type { KnownPlaces } from './bash/paths/places';
import { isUnknownProgram, mayRunInput } from './bash/reading/rule-options';
import { analyzeShell } from './bash/verdict/analyze';
import { whyRefused } from './rule-refusal';

/** Possible rules for a waiting call, the narrowest first; or why there are none. */
export function suggestRules(
  { tool, args, preview }: Pick<Approval, 'tool' | 'args'> & Partial<Pick<Approval, 'preview'>>,
  places: KnownPlaces,
): { matches: RuleMatch[]; refused: Reason | null } {
  const isElsewhere = preview?.kind === 'command' && preview.machine !== undefined;
  const all = isElsewhere ? { refused: because('rule_other_machine') } : candidates(tool, args, places);
  if ('refused' in all) return { matches: [], refused: all.refused };
  const matches: RuleMatch[] = [];
  let refused: Reason | null = null;
  for (const match of all.matches) {
    const why = whyRefused({ effect: 'allow', match, scope: { kind: 'person' } });
    if (why === null) matches.push(match);
    else refused ??= why;
  }
  return { matches, refused: matches.length > 0 ? null : (refused ?? because('rule_none')) };
}

function candidates(
  tool: string,
  args: Record<string, unknown>,
  places: KnownPlaces,
): { matches: RuleMatch[] } | { refused: Reason } {
  if (runsCommand(tool)) return ofCommand(args, places);
  if (writesFile(tool)) {
    const path = posix.normalize(String(args.file_path ?? ''));
    if (!isBelow(path, places.folder)) return { refused: because('rule_outside_folder') };
    const inside = posix.relative(places.folder, path);
    const folder = posix.dirname(inside);
    const kind = posix.extname(inside);
    const globs = [
      inside,
      ...(folder === '.' ? [] : [...(kind === '' ? [] : [`${folder}/*${kind}`]), `${folder}/**`]),
    ];
    return { matches: globs.map((glob) => ({ kind: 'path', changes: ['write', 'edit'], glob })) };
  }
  const page = fetchesPage(tool) ? pageAddress(args.url) : null;
  if (page instanceof URL) return { matches: [{ kind: 'web', host: page.host }] };
  if (asksPerson(tool)) return { refused: because('rule_none') };
  return { matches: [{ kind: 'tool', tool }] };
}

function ofCommand(
  args: Record<string, unknown>,
  places: KnownPlaces,
): { matches: RuleMatch[] } | { refused: Reason } {
  if (args.background === true) return { refused: because('rule_job') };
  const { parts, problem } = analyzeShell(String(args.command ?? ''), places);
  const open = parts.filter((part) => part.verdict !== 'allow');
  const [only, ...others] = open;
  if (problem !== null || only === undefined) return { refused: because('rule_not_understood') };
  const { words } = only;
  if (only.input !== undefined && mayRunInput(words?.[0] ?? ''))
    return { refused: because('may_run_input', { name: words?.[0] ?? '' }) };
  if (words === undefined || open.some((part) => part.words === undefined)) {
    const { text } = open.find((part) => part.words === undefined) ?? only;
    return { refused: because('rule_not_plain', { text: text.slice(0, 80) }) };
  }
  if (others.some((part) => part.words?.join(' ') !== words.join(' ')))
    return { refused: because('rule_several') };
  const depth = /^(npm|pnpm|yarn)$/.test(words[0] ?? '') && /^run/.test(words[1] ?? '') ? 3 : 2;
  const prefix = words.slice(0, depth);
  const isOnly = words.length === prefix.length;
  // `prisma migrate status`: to an unknown program, the third word may be a part of its subcommand.
  const isGroup = isUnknownProgram(words[0] ?? '') && /^[\w:-]+$/.test(words[2] ?? '');
  return {
    matches: [
      { kind: 'command', words, exact: true },
      ...(isOnly ? [] : [{ kind: 'command' as const, words, exact: false }]),
      ...(isGroup ? [] : [{ kind: 'command' as const, words: prefix, exact: false }]),
    ],
  };
}
