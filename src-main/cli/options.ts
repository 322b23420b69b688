import { parseArgs } from 'node:util';
import { Decision } from '../contract/approvals';
import type { ApprovalMode } from '../contract/control';
import { APPROVAL_MODES } from '../contract/modes';
import { fail, ok, type Result } from '../contract/result';
import { parseModelRef } from '../models/registry';

/** A decision and the pending call it answers. Without a call, it answers the next one in printed order. */
export interface NamedDecision {
  /** The start of the call's digest, so that the decision applies only to the call that was printed. */
  call: string | undefined;
  decision: CliDecision;
}

/** A keep decision is bound to the call's changes, which are read when it is made. */
export type CliDecision = Exclude<Decision, { type: 'keep' }> | { type: 'keep'; paths?: string[] };

/** Characters of a digest that name a call: the part before `=`. */
export const CALL_NAME_LENGTH = 12;

export interface CliOptions {
  /** As it was given. A new thread works in the current folder without it. */
  folder: string | undefined;
  /** The name of a project that was opened before, instead of a folder. */
  project: string | undefined;
  model: string | undefined;
  baseUrl: string | undefined;
  approve: 'policy' | 'all' | 'none';
  /** The approval mode of this run, which overrides the project's. */
  mode: ApprovalMode | undefined;
  thread: string | undefined;
  /** The thread to fork, and the message to fork at; without a message, its end. */
  fork: { thread: string; message: string | undefined } | undefined;
  decide: NamedDecision[];
  dataDir: string | undefined;
  json: boolean;
  /** Serve an editor over the Agent Client Protocol instead of running a prompt. */
  acp: boolean;
  /** The name of the routine to run now. */
  routine: string | undefined;
  /** What happens to a rehearsed command that reaches its time limit. Absent: asked at a terminal, else stopped. */
  overtime: 'stop' | 'wait' | undefined;
  listRoutines: boolean;
  prompt: string;
}

/** Something before the first word of a decision. */
const CALL_AND_DECISION = /^([^:=]*)=([\s\S]*)$/;
const CALL_NAME = new RegExp(`^[0-9a-f]{${CALL_NAME_LENGTH}}$`);

/** Parses the command line. Errors: `invalid`, in one line. */
export function parseOptions(args: string[]): Result<CliOptions> {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    return fail('invalid', 'cli_usage', { text: sentenceOf(error) });
  }
  const { values, positionals } = parsed;
  const empty = NEVER_EMPTY.find((name) => values[name] === '');
  if (empty !== undefined) return fail('invalid', 'cli_usage', { text: needsValue(`--${empty}`) });
  const { approve = 'policy', decide = [], thread } = values;
  if (approve !== 'policy' && approve !== 'all' && approve !== 'none') {
    return fail('invalid', 'cli_approve', { approve });
  }
  const { overtime } = values;
  if (overtime !== undefined && overtime !== 'stop' && overtime !== 'wait')
    return fail('invalid', 'cli_overtime', { overtime });
  const mode = parseMode(values.mode);
  if (!mode.ok) return mode;
  const decisions: NamedDecision[] = [];
  for (const text of decide) {
    const [, call, word = text] = CALL_AND_DECISION.exec(text) ?? [];
    if (call !== undefined && !CALL_NAME.test(call))
      return fail('invalid', 'cli_call_name', { call, count: CALL_NAME_LENGTH });
    const decision = parseDecision(word);
    if (!decision.ok) return decision;
    decisions.push({ call, decision: decision.value });
  }
  const prompt = positionals.join(' ').trim();
  const { acp = false } = values;
  const excluded = acp ? NOT_WITH_ACP.find((name) => values[name] !== undefined) : undefined;
  if (excluded !== undefined) return fail('invalid', 'cli_not_with_acp', { option: excluded });
  if (acp && prompt !== '') return fail('invalid', 'cli_acp_prompt');
  const { routine, 'list-routines': listRoutines = false } = values;
  const isOfRoutines = routine !== undefined || listRoutines;
  const unneeded = isOfRoutines ? NOT_WITH_ROUTINE.find((name) => values[name] !== undefined) : undefined;
  if (unneeded !== undefined || (isOfRoutines && prompt !== ''))
    return fail('invalid', 'cli_not_with_routine', {
      option: unneeded === undefined ? 'prompt' : `--${unneeded}`,
    });
  if (decisions.length > 0 && thread === undefined) return fail('invalid', 'cli_decide_needs_thread');
  if (decisions.length > 0 && prompt !== '') return fail('invalid', 'cli_decide_or_prompt');
  const [forked = '', message] = values.fork?.split(':') ?? [];
  if (values.fork !== undefined && thread !== undefined) return fail('invalid', 'cli_thread_or_fork');
  const { project } = values;
  const hasProject = NOT_WITH_PROJECT.find((name) => values[name] !== undefined);
  if (project !== undefined && hasProject !== undefined)
    return fail('invalid', 'cli_not_with_project', { option: hasProject });
  if (
    !acp &&
    !isOfRoutines &&
    prompt === '' &&
    thread === undefined &&
    (forked === '' || message === undefined)
  )
    return fail('invalid', 'cli_no_prompt');
  if (values.model !== undefined) {
    const model = parseModelRef(values.model);
    if (!model.ok) return model;
  }
  const { 'base-url': baseUrl, 'data-dir': dataDir } = values;
  if (baseUrl !== undefined && !(/^https?:\/\//.test(baseUrl) && URL.canParse(baseUrl))) {
    return fail('invalid', 'cli_base_url', { baseUrl });
  }
  return ok({
    folder: values.folder,
    project,
    model: values.model,
    baseUrl,
    approve,
    mode: mode.value,
    thread,
    fork: values.fork === undefined ? undefined : { thread: forked, message },
    decide: decisions,
    dataDir,
    json: values.json ?? false,
    acp,
    routine,
    overtime,
    listRoutines,
    prompt,
  });
}

/** Names and paths. A script's variable may be empty; as a path, that would be the current folder. */
const NEVER_EMPTY = ['folder', 'project', 'thread', 'fork', 'data-dir', 'routine'] as const;

/** Options that the editor chooses itself. */
const NOT_WITH_ACP = [
  'folder',
  'project',
  'approve',
  // The editor shows and sets the project's mode, which this one would override.
  'mode',
  'thread',
  'fork',
  'decide',
  'json',
  'overtime',
] as const;

/** What has its own folder. */
const NOT_WITH_PROJECT = ['folder', 'thread', 'fork'] as const;

/** A routine has its own folder and model. */
const NOT_WITH_ROUTINE = ['folder', 'project', 'model', 'thread', 'fork', 'decide', 'acp'] as const;

/** The options as `parseArgs` takes them; `HELP` says what each means. */
export const OPTIONS = {
  folder: { type: 'string' },
  project: { type: 'string' },
  model: { type: 'string' },
  'base-url': { type: 'string' },
  approve: { type: 'string' },
  mode: { type: 'string' },
  overtime: { type: 'string' },
  thread: { type: 'string' },
  fork: { type: 'string' },
  decide: { type: 'string', multiple: true },
  'data-dir': { type: 'string' },
  json: { type: 'boolean' },
  acp: { type: 'boolean' },
  routine: { type: 'string' },
  'list-routines': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const parse = (args: string[]) => parseArgs({ args, allowPositionals: true, options: OPTIONS });

const needsValue = (option: string) => `Option '${option}' needs a value.`;

/** What is wrong with an option, as one sentence: Node's message goes on with advice for any program. */
function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, option] = /^Option '(--?\S+?)(?: <value>)?' argument (?:missing|is ambiguous)/.exec(message) ?? [];
  if (option !== undefined) return needsValue(option);
  const [first = ''] = message.split(/\.\s|\n/);
  return first.endsWith('.') ? first : `${first}.`;
}

/** Whether one of the options is `--help` or `-h`. After `--` they belong to the prompt. */
export function asksForHelp(args: string[]): boolean {
  const { tokens } = parseArgs({
    args,
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  return tokens.some((token) => token.kind === 'option' && token.name === 'help');
}

/** Short names of modes; the names from the settings are accepted too. */
const MODES: Readonly<Record<string, ApprovalMode>> = { ask: 'ask-risky', auto: 'auto-sandbox' };

/** A mode as `--mode` takes it. */
export const modeName = (mode: ApprovalMode): string =>
  Object.entries(MODES).find(([, one]) => one === mode)?.[0] ?? mode;

function parseMode(text: string | undefined): Result<ApprovalMode | undefined> {
  if (text === undefined) return ok(undefined);
  const mode =
    APPROVAL_MODES.find((one) => one === text) ?? (Object.hasOwn(MODES, text) ? MODES[text] : undefined);
  return mode === undefined ? fail('invalid', 'cli_mode', { mode: text }) : ok(mode);
}

/** `keep`, or `keep:` followed by comma-separated paths or a JSON list of paths. */
function parseKeep(rest: string | undefined): Result<CliDecision> {
  if (rest === undefined) return ok({ type: 'keep' });
  try {
    const paths: unknown = rest.startsWith('[') ? JSON.parse(rest) : rest.split(',');
    const decision = Decision.safeParse({ type: 'keep', manifest: 'any', paths });
    if (decision.success && decision.data.type === 'keep' && decision.data.paths)
      // A shell completes the name of a folder with a slash.
      return ok({ type: 'keep', paths: decision.data.paths.map((path) => path.replace(/(?<=.)\/+$/, '')) });
  } catch {
    // Not JSON: reported below.
  }
  return fail('invalid', 'cli_decide_keep');
}

/**
 * `approve`, `reject[:message]`, `edit:JSON`, `respond:TEXT`, or a decision on an outcome. Anything else is invalid, so
 * nothing runs by accident.
 */
function parseDecision(text: string): Result<CliDecision> {
  const at = text.indexOf(':');
  const word = at === -1 ? text : text.slice(0, at);
  const rest = at === -1 ? undefined : text.slice(at + 1);
  if (word === 'approve' && rest === undefined) return ok({ type: 'approve' });
  if (word === 'reject')
    return ok(rest === undefined ? { type: 'reject' } : { type: 'reject', message: rest });
  if (word === 'keep') return parseKeep(rest);
  if (word === 'discard')
    return ok(rest === undefined ? { type: 'discard' } : { type: 'discard', message: rest });
  if ((word === 'run' || word === 'wait' || word === 'again') && rest === undefined)
    return ok({ type: word });
  if (word === 'respond' && rest !== undefined) return ok({ type: 'respond', text: rest });
  if (word === 'edit' && rest !== undefined) {
    try {
      const decision = Decision.safeParse({ type: 'edit', args: JSON.parse(rest) });
      if (decision.success && decision.data.type === 'edit') return ok(decision.data);
    } catch {
      // Not JSON: reported below.
    }
    return fail('invalid', 'cli_decide_edit');
  }
  return fail('invalid', 'cli_decide', { text });
}
