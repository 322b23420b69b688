import type { PermissionOption, ToolCallContent, ToolCall as ToolCallUpdate } from '@agentclientprotocol/sdk';
import { english } from '../../../src-renderer/i18n/english';
import type { Approval, Preview } from '../../contract/approvals';
import type { RuleMatch } from '../../contract/control';
import type { ToolCall } from '../../contract/conversation';
import { ruleText } from '../../contract/rule-text';
import { clearText } from '../../contract/shared/unseen';
import { changeOf, codeContent, describeCall, textContent } from '../../harness/acp';
import { outcomeLines } from '../outcome-lines';

const STATUS = {
  pending: 'pending',
  waiting: 'pending',
  running: 'in_progress',
  done: 'completed',
  failed: 'failed',
  cancelled: 'failed',
  rejected: 'failed',
} as const satisfies Record<ToolCall['status'], ToolCallUpdate['status']>;

/** A call with everything known about it so far. A terminal of the editor shows the output itself. */
export function acpToolCall(call: ToolCall, terminalId?: string): ToolCallUpdate {
  const { result } = call;
  const facts = { ...call, display: call.display };
  const status = STATUS[call.status];
  return {
    ...describeCall(facts),
    status,
    content: [
      ...(status === 'failed' ? [] : changeOf(facts)),
      ...(terminalId === undefined ? [] : [{ type: 'terminal' as const, terminalId }]),
      ...(result === undefined || result === '' || terminalId !== undefined ? [] : [textContent(result)]),
    ],
    ...(result === undefined ? {} : { rawOutput: outputOf(call) }),
  };
}

const outputOf = ({ result, exitCode }: ToolCall) => ({
  result,
  ...(exitCode === undefined || exitCode === null ? {} : { exitCode }),
});

/** Characters of a choice. */
const MAX_OPTION = 200;

/** What else the person can do with a command that ran in a throwaway layer, under the names of the app. */
const OUTCOME_CHOICES = {
  again: 'Run again in a layer',
  wait: 'Run again with more time',
  run: 'Run for real',
} as const;
type OutcomeChoice = keyof typeof OUTCOME_CHOICES;

export const isOutcomeChoice = (optionId: string): optionId is OutcomeChoice =>
  Object.hasOwn(OUTCOME_CHOICES, optionId);

/** The choices of the person. A rule that is too long to be shown is not offered. */
export function optionsOf(
  { allowed, outcome }: Pick<Approval, 'allowed' | 'outcome'>,
  always: RuleMatch | undefined,
): PermissionOption[] {
  const name =
    always === undefined ? '' : `Always allow ${clearText(ruleText(always), true)} in this project`;
  const allow: PermissionOption[] = [
    {
      optionId: 'allow_once',
      name: outcome === undefined ? 'Allow once' : 'Run outside the sandbox',
      kind: 'allow_once',
    },
    ...(always === undefined || name.length > MAX_OPTION
      ? []
      : [{ optionId: 'allow_always', name, kind: 'allow_always' as const }]),
  ];
  const keep: PermissionOption = {
    optionId: 'allow_once',
    name: 'Keep what it changed',
    kind: 'allow_once',
  };
  return [
    ...(allowed.includes('keep') ? [keep] : allowed.includes('approve') ? allow : []),
    ...allowed
      .filter(isOutcomeChoice)
      .map((optionId) => ({ optionId, name: OUTCOME_CHOICES[optionId], kind: 'allow_once' as const })),
    { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
  ];
}

/** A call that waits for the person: what it would do, what it did in its throwaway layer, and why it needs approval. */
export const askedCall = (approval: Approval): ToolCallUpdate => {
  const { callId, tool, display, args, preview, reason } = approval;
  const outcome = outcomeLines(approval);
  return {
    ...describeCall({ callId, name: tool, display, args }),
    status: 'pending',
    content: [
      ...previewOf(preview, args),
      ...(outcome.length === 0 ? [] : [codeContent(outcome.join('\n'))]),
      textContent(plain(english.sentences(reason))),
    ],
  };
};

/** Names in a sentence are no Markdown. */
const plain = (sentence: string): string => clearText(sentence).replace(/[\\`*_[\]<>&]/g, '\\$&');

/** The preview that the main process computed from the real files. */
function previewOf(preview: Preview, args: Record<string, unknown>): ToolCallContent[] {
  switch (preview.kind) {
    case 'diff': {
      const side = (mark: '-' | '+') =>
        preview.hunks
          .flatMap(({ lines }) => lines.filter((line) => line.startsWith(' ') || line.startsWith(mark)))
          .map((line) => line.slice(1))
          .join('\n');
      const path = typeof args.file_path === 'string' ? args.file_path : preview.path;
      const diff = { path, oldText: preview.isNew ? null : side('-'), newText: side('+') };
      return [
        { type: 'diff', ...diff },
        ...(preview.cut ? [textContent('This is only the beginning of the change.')] : []),
      ];
    }
    case 'command':
      return commandContent(preview);
    case 'delete': {
      const files = preview.files === undefined ? '' : ` (${preview.files} files)`;
      return [textContent(plain(`Deletes ${preview.path}${files}`))];
    }
    case 'questions':
      return preview.questions.map(({ question }) => textContent(question));
    case 'form':
      return [
        codeContent(preview.message),
        ...(preview.url === null ? [] : [codeContent(preview.url, true)]),
      ];
    case 'timeout':
      return [codeContent(preview.command, true)];
    case 'arguments':
    case 'problem':
      return [codeContent(preview.json)];
    default:
      return preview satisfies never;
  }
}

/** The command, where it runs, and the files that it runs. */
function commandContent(preview: Extract<Preview, { kind: 'command' }>): ToolCallContent[] {
  const { command, cwd, machine, outsideSandbox, outsideReason, thenInLayer, files = [] } = preview;
  const where = [
    `In ${cwd}${machine === undefined ? '' : `, on ${machine}`}.`,
    outsideSandbox === true ? 'Runs outside the sandbox, with access to everything you can access.' : '',
    outsideReason === undefined ? '' : `Agent's reason: ${outsideReason}`,
    thenInLayer === true ? 'First runs in a throwaway layer. You then decide about its changes.' : '',
  ];
  return [
    codeContent(command, true),
    textContent(plain(where.filter((words) => words !== '').join(' '))),
    ...files.flatMap(({ path, text, cut }) => [
      textContent(plain(`It runs ${path}${cut === true ? ', which begins with' : ''}:`)),
      codeContent(text),
    ]),
  ];
}
