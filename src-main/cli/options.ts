import { parseArgs } from 'node:util';
import { Decision } from '../contract/conversation';
import { fail, ok, type Result } from '../contract/result';
import { parseModelRef } from '../models/registry';

/** A decision, and the pending call that it is about; without one it is the next in the order in which they were printed. */
export interface NamedDecision {
  /** The beginning of the call's digest, so that it holds for what was printed and for nothing else. */
  call: string | undefined;
  decision: Decision;
}

/** Characters of a digest that name a call: what stands before `=`. */
export const CALL_NAME_LENGTH = 12;

export interface CliOptions {
  folder: string;
  model: string | undefined;
  baseUrl: string | undefined;
  approve: 'policy' | 'all' | 'none';
  thread: string | undefined;
  /** A thread to make a new one from, and the message at which; without one at its end. */
  fork: { thread: string; message: string | undefined } | undefined;
  decide: NamedDecision[];
  dataDir: string | undefined;
  json: boolean;
  /** Serve an editor by the Agent Client Protocol in place of a prompt. */
  acp: boolean;
  prompt: string;
}

export const USAGE =
  'Usage: npm run agent -- [--folder DIR] [--model P:NAME] [--base-url URL] [--approve policy|all|none] [--thread ID] [--fork ID[:MESSAGE]] [--decide [CALL=]D]... [--data-dir DIR] [--json] "prompt" | --acp';

const CALL_AND_DECISION = new RegExp(`^([0-9a-f]{${CALL_NAME_LENGTH}})=([\\s\\S]*)$`);

/** Reads the command line. Errors: `invalid`, in one line. */
export function parseOptions(args: string[]): Result<CliOptions> {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    return fail('invalid', 'cli_usage', {
      text: (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '',
    });
  }
  const { values, positionals } = parsed;
  const { approve = 'policy', decide = [], thread } = values;
  if (approve !== 'policy' && approve !== 'all' && approve !== 'none') {
    return fail('invalid', 'cli_approve', { approve });
  }
  const decisions: NamedDecision[] = [];
  for (const text of decide) {
    const [, call, word = text] = CALL_AND_DECISION.exec(text) ?? [];
    const decision = parseDecision(word);
    if (!decision.ok) return decision;
    decisions.push({ call, decision: decision.value });
  }
  const prompt = positionals.join(' ').trim();
  const { acp = false } = values;
  const excluded = acp ? NOT_WITH_ACP.find((name) => values[name] !== undefined) : undefined;
  if (excluded !== undefined) return fail('invalid', 'cli_not_with_acp', { option: excluded });
  if (acp && prompt !== '') return fail('invalid', 'cli_acp_prompt');
  if (decisions.length > 0 && thread === undefined) return fail('invalid', 'cli_decide_needs_thread');
  if (decisions.length > 0 && prompt !== '') return fail('invalid', 'cli_decide_or_prompt');
  const [forked = '', message] = values.fork?.split(':') ?? [];
  if (values.fork !== undefined && thread !== undefined) return fail('invalid', 'cli_thread_or_fork');
  if (!acp && prompt === '' && thread === undefined && (forked === '' || message === undefined))
    return fail('invalid', 'cli_no_prompt');
  if (values.model !== undefined) {
    const model = parseModelRef(values.model);
    if (!model.ok) return model;
  }
  const { 'base-url': baseUrl, 'data-dir': dataDir } = values;
  if (baseUrl !== undefined && !/^https?:\/\//.test(baseUrl)) {
    return fail('invalid', 'cli_base_url', { baseUrl });
  }
  return ok({
    folder: values.folder ?? '.',
    model: values.model,
    baseUrl,
    approve,
    thread,
    fork: values.fork === undefined ? undefined : { thread: forked, message },
    decide: decisions,
    dataDir,
    json: values.json ?? false,
    acp,
    prompt,
  });
}

/** What the editor chooses by itself. */
const NOT_WITH_ACP = ['folder', 'approve', 'thread', 'fork', 'decide', 'json'] as const;

const parse = (args: string[]) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: {
      folder: { type: 'string' },
      model: { type: 'string' },
      'base-url': { type: 'string' },
      approve: { type: 'string' },
      thread: { type: 'string' },
      fork: { type: 'string' },
      decide: { type: 'string', multiple: true },
      'data-dir': { type: 'string' },
      json: { type: 'boolean' },
      acp: { type: 'boolean' },
    },
  });

/** `approve`, `reject[:message]`, `edit:JSON` or `respond:TEXT`; anything else is invalid, so nothing runs by accident. */
function parseDecision(text: string): Result<Decision> {
  const at = text.indexOf(':');
  const word = at === -1 ? text : text.slice(0, at);
  const rest = at === -1 ? undefined : text.slice(at + 1);
  if (word === 'approve' && rest === undefined) return ok({ type: 'approve' });
  if (word === 'reject')
    return ok(rest === undefined ? { type: 'reject' } : { type: 'reject', message: rest });
  if (word === 'respond' && rest !== undefined) return ok({ type: 'respond', text: rest });
  if (word === 'edit' && rest !== undefined) {
    try {
      const decision = Decision.safeParse({ type: 'edit', args: JSON.parse(rest) });
      if (decision.success) return ok(decision.data);
    } catch {
      // Not JSON: said below.
    }
    return fail('invalid', 'cli_decide_edit');
  }
  return fail('invalid', 'cli_decide', { text });
}
