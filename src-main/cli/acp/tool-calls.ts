import type {
  ToolCallContent,
  ToolCallLocation,
  ToolCall as ToolCallUpdate,
  ToolKind,
} from '@agentclientprotocol/sdk';
import { english } from '../../../src-renderer/i18n/english';
import type { Approval, Preview, ToolCall } from '../../contract/conversation';
import { shownName } from '../../contract/shared/shown-name';
import type { ToolDisplay } from '../../contract/shared/tool-display';

const KINDS: Record<ToolDisplay, ToolKind> = {
  read: 'read',
  list: 'read',
  search: 'search',
  match: 'search',
  write: 'edit',
  edit: 'edit',
  delete: 'delete',
  command: 'execute',
  jobs: 'execute',
  'job-output': 'read',
  'stop-job': 'execute',
  plan: 'think',
  delegate: 'think',
  compact: 'think',
};

const STATUS = {
  pending: 'pending',
  waiting: 'pending',
  running: 'in_progress',
  done: 'completed',
  failed: 'failed',
  cancelled: 'failed',
  rejected: 'failed',
} as const satisfies Record<ToolCall['status'], ToolCallUpdate['status']>;

/** Characters of a title; editors show it in one line. */
const MAX_TITLE = 120;

/** A call with everything that is known of it so far. */
export const acpToolCall = (call: ToolCall): ToolCallUpdate => ({
  toolCallId: call.callId,
  name: call.name,
  ...subjectOf(call.name, call.display, call.args),
  status: STATUS[call.status],
  content: [...changeOf(call), ...resultOf(call)],
  rawInput: call.args,
  ...(call.result === undefined ? {} : { rawOutput: outputOf(call) }),
});

/** A call that waits for the person, with what it would do. */
export const askedCall = (approval: Approval): ToolCallUpdate => ({
  toolCallId: approval.callId,
  name: approval.tool,
  ...subjectOf(approval.tool, approval.display, approval.args),
  status: 'pending',
  content: [...previewOf(approval.preview, approval.args), text(english.sentences(approval.reason))],
  rawInput: approval.args,
});

function subjectOf(name: string, display: ToolDisplay | undefined, args: Record<string, unknown>) {
  const kind: ToolKind = display === undefined ? 'other' : KINDS[display];
  const path = [args.file_path, args.path].find((value) => typeof value === 'string');
  const named = [args.command, path, args.pattern, args.description].find(
    (value) => typeof value === 'string',
  );
  const locations: ToolCallLocation[] =
    path?.startsWith('/') === true
      ? [{ path, ...(isLine(args.offset) ? { line: args.offset + 1 } : {}) }]
      : [];
  const title =
    display === 'command' && named !== undefined
      ? named
      : [name, named].filter((part) => part !== undefined).join(' ');
  return { kind, title: shownName(title.replaceAll(/\s+/g, ' ')).slice(0, MAX_TITLE), locations };
}

const isLine = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const text = (words: string): ToolCallContent => ({
  type: 'content',
  content: { type: 'text', text: words },
});

const resultOf = ({ result }: ToolCall) => (result === undefined || result === '' ? [] : [text(result)]);

const outputOf = ({ result, exitCode }: ToolCall) => ({
  result,
  ...(exitCode === undefined || exitCode === null ? {} : { exitCode }),
});

/** What a call to change a file says itself; whether it did is its status. */
function changeOf({ display, args, status }: ToolCall): ToolCallContent[] {
  if (status === 'failed' || status === 'rejected' || status === 'cancelled') return [];
  const { file_path: path, old_string: oldText, new_string: newText, content } = args;
  if (typeof path !== 'string') return [];
  if (display === 'edit' && typeof oldText === 'string' && typeof newText === 'string')
    return [{ type: 'diff', path, oldText, newText }];
  if (display === 'write' && typeof content === 'string') return [{ type: 'diff', path, newText: content }];
  return [];
}

/** What the main process found that the call would do, from the real files. */
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
      return [text(`${preview.command}\n\nin ${preview.cwd}`)];
    case 'delete':
      return [
        text(`Deletes ${preview.path}${preview.files === undefined ? '' : ` (${preview.files} files)`}`),
      ];
    case 'arguments':
    case 'problem':
      return [text(preview.json)];
    default:
      return preview satisfies never;
  }
}
