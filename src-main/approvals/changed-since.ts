import type { Approval, ChangedSince } from '../contract/approvals';
import { boundedDiff } from '../contract/bounded-diff';
import type { ShownFile } from '../contract/control';
import { because } from '../contract/shared/reasons';
import { canonical, type Gate, type Question } from './gate';

/** Maximum lines shown of one diff. */
const MAX_LINES = 2_000;

/** What the person saw when they were last asked about a call. */
export type LastAsked = Pick<Approval, 'args' | 'digest' | 'preview' | 'outcome'>;

/**
 * Adds the differences to a question that differs from the previous one about the same call. It wraps the gate that redacts
 * secrets, because the previous question was stored redacted.
 */
export function sayingChanges(gate: Gate, lastAsked: (callId: string) => LastAsked | undefined): Gate {
  return {
    judge: async (call, signal, past) => {
      const verdict = await gate.judge(call, signal, past);
      if (verdict.verdict !== 'ask') return verdict;
      const { question } = verdict;
      const shown = lastAsked(call.callId);
      if (shown === undefined || shown.digest === question.digest) return verdict;
      if (canonical(shown.args) !== canonical(call.args)) return verdict;
      // The outcome of a command is a different question from whether it may run, and another one for each run.
      const { outcome } = question;
      if (outcome !== undefined && outcome.layer !== shown.outcome?.layer) return verdict;
      const changed = outcome === undefined ? differences(shown, question) : filesChanged(shown, question);
      if (changed.length === 0) return verdict;
      return {
        verdict: 'ask',
        question: { ...question, changed, reason: [because('changed_since'), ...question.reason] },
      };
    },
  };
}

/** The differences in the files that a command would run. */
const filesChanged = (
  { preview: before }: LastAsked,
  { preview }: Pick<Question, 'preview'>,
): ChangedSince[] =>
  before.kind === 'command' && preview.kind === 'command'
    ? changedFiles(before.files ?? [], preview.files ?? [])
    : [];

function differences(shown: LastAsked, { preview }: Question): ChangedSince[] {
  const before = shown.preview;
  if (before.kind === 'diff' && preview.kind === 'diff') return [{ what: 'file', name: preview.path }];
  if (before.kind !== 'command' || preview.kind !== 'command') return [{ what: 'other', name: '' }];
  const changed = filesChanged(shown, { preview });
  if (before.machine !== preview.machine) changed.push({ what: 'place', name: preview.machine ?? '' });
  if (before.cwd !== preview.cwd) changed.push({ what: 'place', name: preview.cwd });
  if (before.outsideSandbox !== preview.outsideSandbox) changed.push({ what: 'sandbox', name: '' });
  const programs = (parts: typeof preview.parts) => (parts ?? []).map(({ program }) => program ?? '');
  const known = programs(before.parts);
  for (const program of programs(preview.parts))
    if (!known.includes(program)) changed.push({ what: 'program', name: program });
  return changed.length === 0 ? [{ what: 'other', name: '' }] : changed;
}

function changedFiles(before: readonly ShownFile[], now: readonly ShownFile[]): ChangedSince[] {
  const paths = [...new Set([...before, ...now].map(({ path }) => path))];
  return paths.flatMap((path): ChangedSince[] => {
    const [old, fresh] = [before, now].map((files) => files.find((file) => file.path === path));
    if (old?.version === fresh?.version) return [];
    const { hunks } = boundedDiff(old?.text ?? '', fresh?.text ?? '', MAX_LINES);
    return [{ what: 'file', name: path, ...(hunks.length === 0 ? {} : { hunks }) }];
  });
}
