import type { ToolCallContent, ToolCall as ToolCallUpdate } from '@agentclientprotocol/sdk';
import { english } from '../../../src-renderer/i18n/english';
import type { Approval, Preview } from '../../contract/approvals';
import type { ToolCall } from '../../contract/conversation';
import { changeOf, describeCall, textContent } from '../../harness/acp';

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

/** A call that waits for the person, with its preview. */
export const askedCall = ({ callId, tool, display, args, preview, reason }: Approval): ToolCallUpdate => ({
  ...describeCall({ callId, name: tool, display, args }),
  status: 'pending',
  content: [...previewOf(preview, args), textContent(english.sentences(reason))],
});

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
      return [{ type: 'diff', path, oldText: preview.isNew ? null : side('-'), newText: side('+') }];
    }
    case 'command':
      return [textContent(`${preview.command}\n\nin ${preview.cwd}`)];
    case 'delete':
      return [
        textContent(
          `Deletes ${preview.path}${preview.files === undefined ? '' : ` (${preview.files} files)`}`,
        ),
      ];
    case 'questions':
      return preview.questions.map(({ question }) => textContent(question));
    case 'form':
      return [textContent(preview.message)];
    case 'timeout':
      return [textContent(preview.command)];
    case 'arguments':
    case 'problem':
      return [textContent(preview.json)];
    default:
      return preview satisfies never;
  }
}
