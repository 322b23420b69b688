import type { Approval, Preview } from '../contract/approvals';
import type { Rule, ShownFile } from '../contract/control';
import type { Outcome } from '../contract/outcome';
import { ruleText } from '../contract/rule-text';
import { optional } from '../contract/shared/optional';
import { because, type Reasons } from '../contract/shared/reasons';
import type { BackendProtocol } from '../harness';
import { runsCommand } from '../harness/tools/catalogue';
import type { ShellPlaces } from './bash/paths/places';
import { readBehind } from './behind';
import type { CallFacts } from './call-facts';
import { digestOf } from './digest';
import { previewOf } from './preview';
import { outcomeChoices } from './rehearsal';
import { letsRun } from './rules';
import type { Question, Verdict } from './verdict';

/** The inputs of a question besides the facts of the call. */
export interface QuestionContext {
  backend: BackendProtocol;
  /** The directory that commands start in. */
  cwd: string;
  shell: ShellPlaces | null;
  timeoutSeconds: number;
  maxTimeoutSeconds: number;
  /** Names of the variables in the commands' environment. */
  environment: readonly string[];
  folderIdentity: () => Promise<string>;
}

/** The question for a call, bound to everything that the answer depends on. Denied if the call could not run at all. */
export async function questionAbout(
  facts: CallFacts,
  why: { reason: Reasons; risk: Approval['risk']; thenRehearse?: true },
  context: QuestionContext,
  signal: AbortSignal,
): Promise<Verdict> {
  const { call, rules, machine } = facts;
  const { timeoutSeconds, maxTimeoutSeconds, backend } = context;
  // Files, programs and variables of this machine say nothing about another one.
  const cwd = machine?.folder ?? context.cwd;
  const shell = machine === null ? context.shell : null;
  const parts = machine === null ? facts.parts : [];
  const ruleFor = (part: (typeof parts)[number]) => ruleTextFor(rules, part, shell);
  const [found, files, folder] = await Promise.all([
    previewOf(call, { backend, cwd, timeoutSeconds, maxTimeoutSeconds, signal, shell, parts, ruleFor }),
    readBehind(parts, shell),
    context.folderIdentity(),
  ]);
  if ('problem' in found)
    return { verdict: 'deny', reason: [because('not_run', { tool: call.tool, why: found.problem })] };
  const { preview, fileVersion } = found;
  const { outcome } = facts.past;
  if (outcome !== undefined)
    return outcomeQuestion(facts, { ...why, outcome, preview, files, parts }, context);
  const isCommand = runsCommand(call.tool);
  const question: Question = {
    preview: withCommandFacts(preview, files, facts, why.thenRehearse === true),
    ...why,
    allowed: preview.kind === 'questions' ? ['respond', 'reject'] : ['approve', 'edit', 'reject', 'respond'],
    digest: digestOf(call, cwd, fileVersion, {
      environment: isCommand && machine === null ? [...context.environment].sort() : [],
      ...boundTo(files, parts),
      paths: facts.paths,
      outside: isCommand && facts.confinement.available,
      folder,
      ...(machine === null ? {} : { machine: { ...machine } }),
      // Allowing it to run in a layer does not allow it to run for real.
      ...optional({ thenRehearse: why.thenRehearse }),
    }),
  };
  return { verdict: 'ask', question: { ...question, ...optional({ fileVersion }) } };
}

/** What a command runs. */
const boundTo = (files: readonly ShownFile[], parts: CallFacts['parts']) => ({
  files: files.map(({ path, version }) => [path, version]),
  programs: parts.map(({ program }) => program ?? ''),
});

interface OutcomeFacts extends Pick<Question, 'reason' | 'risk' | 'preview'> {
  outcome: Outcome;
  files: readonly ShownFile[];
  parts: CallFacts['parts'];
}

/**
 * Bound to the command's outcome and, for a decision to run it, to the files that it would run now. These are not part of a
 * decision about the outcome alone.
 */
async function outcomeQuestion(
  { call, confinement }: CallFacts,
  { outcome, preview, files, parts, ...why }: OutcomeFacts,
  { cwd, folderIdentity }: QuestionContext,
): Promise<Verdict> {
  const allowed = outcomeChoices(outcome);
  const { manifest, layer, lost = false, notKept } = outcome;
  const { rows, git = [] } = outcome;
  const conflicts = [...rows, ...git].flatMap(({ path, conflict }) => (conflict === true ? [path] : []));
  const folder = await folderIdentity();
  const about = { manifest, layer, lost, notKept, conflicts, folder };
  const outcomeDigest = digestOf(call, cwd, undefined, about);
  const digest = digestOf(call, cwd, undefined, { ...about, ...boundTo(files, parts) });
  const runsOutside = confinement.available && allowed.includes('approve');
  const shown =
    preview.kind === 'command'
      ? {
          ...preview,
          ...(files.length === 0 ? {} : { files: [...files] }),
          ...(runsOutside ? { outsideSandbox: true } : {}),
        }
      : preview;
  return { verdict: 'ask', question: { ...why, preview: shown, outcome, allowed, digest, outcomeDigest } };
}

function ruleTextFor(
  rules: readonly Rule[],
  part: CallFacts['parts'][number],
  shell: ShellPlaces | null,
): string | undefined {
  const rule = shell === null ? undefined : letsRun(rules, part, shell.folder);
  return rule === undefined ? undefined : ruleText(rule.match);
}

/**
 * The card of a command also shows the files that it runs, the result of an attempt, and whether it runs outside the
 * sandbox or in a layer.
 */
function withCommandFacts(
  preview: Preview,
  files: ShownFile[],
  { past: { attempt }, confinement, outside, machine }: CallFacts,
  thenInLayer: boolean,
): Preview {
  if (preview.kind !== 'command') return preview;
  return {
    ...preview,
    ...(files.length === 0 ? {} : { files }),
    ...optional({ attempt, machine: machine?.name }),
    ...(thenInLayer ? { thenInLayer } : confinement.available ? { outsideSandbox: true } : {}),
    ...(confinement.available && outside !== null ? { outsideReason: outside } : {}),
  };
}
