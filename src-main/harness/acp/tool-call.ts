import type {
  ToolCall as AcpToolCall,
  ToolCallContent,
  ToolCallLocation,
  ToolKind,
} from '@agentclientprotocol/sdk';
import { fenced } from '../../contract/shared/fenced';
import { shownName } from '../../contract/shared/shown-name';
import type { ToolDisplay } from '../../contract/shared/tool-display';
import { clearText } from '../../contract/shared/unseen';
import { isFailure } from '../backends/failure';
import { checkPath } from '../backends/paths';

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
  ask: 'other',
  fetch: 'fetch',
  'remote-start': 'other',
  'remote-check': 'other',
  'remote-update': 'other',
  'remote-cancel': 'other',
  'remote-list': 'other',
};

/** Characters of a title. Editors show it on one line. */
const MAX_TITLE = 120;

export interface CallFacts {
  callId: string;
  name: string;
  /** How calls of the tool are displayed; undefined for tools that are not built in. */
  display: ToolDisplay | undefined;
  args: Record<string, unknown>;
  /** The path on this machine for one in `args`; undefined if it has none. Default: the same, if it is absolute. */
  hostPath?: (path: string) => string | undefined;
}

const same = (path: string) => (path.startsWith('/') ? path : undefined);

/** The path that an editor gets for one of the agent. Models leave out the first slash, which the tools add. */
export const shownPath =
  (hostPath: (path: string) => string = (path) => path) =>
  (path: string): string | undefined => {
    const at = checkPath(path);
    return isFailure(at) ? undefined : hostPath(at.path);
  };

/** What an editor shows of a call before its result: title, kind and file. */
export function describeCall({ callId, name, display, args, hostPath = same }: CallFacts): AcpToolCall {
  const path = [args.file_path, args.path].find((value) => typeof value === 'string');
  const named = [args.command, path, args.pattern, args.description].find(
    (value) => typeof value === 'string',
  );
  const from = Number.isSafeInteger(args.offset) ? { line: Number(args.offset) + 1 } : {};
  const place = path === undefined ? undefined : hostPath(path);
  const locations: ToolCallLocation[] = place === undefined ? [] : [{ path: place, ...from }];
  const words = display === 'command' ? [named ?? name] : [name, named];
  const line = words
    .filter((word) => word !== undefined)
    .join(' ')
    .replaceAll(/[ \t\r\n]+/g, ' ');
  const title = display === 'command' ? clearText(line, true) : shownName(line);
  return {
    toolCallId: callId,
    name,
    kind: display === undefined ? 'other' : KINDS[display],
    title: title.slice(0, MAX_TITLE),
    locations,
    rawInput: args,
  };
}

/** The change that a write or edit call asks for, taken from its arguments. */
export function changeOf({ display, args, hostPath = same }: CallFacts): ToolCallContent[] {
  const { file_path: asked, old_string: oldText, new_string: newText, content } = args;
  if (typeof asked !== 'string') return [];
  const path = hostPath(asked) ?? asked;
  if (display === 'edit' && typeof oldText === 'string' && typeof newText === 'string')
    return [{ type: 'diff', path, oldText, newText }];
  if (display === 'write' && typeof content === 'string') return [{ type: 'diff', path, newText: content }];
  return [];
}

export const textContent = (text: string): ToolCallContent => ({
  type: 'content',
  content: { type: 'text', text },
});

/** What a call that waits for the person would do: the change, or else the whole command or all arguments. */
export function askedContent(facts: CallFacts): ToolCallContent[] {
  const { display, args } = facts;
  const change = changeOf(facts);
  if (change.length > 0)
    return args.replace_all === true ? [...change, textContent('Replaces all occurrences.')] : change;
  return display === 'command' && typeof args.command === 'string'
    ? [codeContent(args.command, true)]
    : [codeContent(JSON.stringify(args, null, 2))];
}

/** A text exactly as it is: editors show other texts as Markdown, which can hide a part. `isCommand`: also look-alikes. */
export function codeContent(text: string, isCommand = false): ToolCallContent {
  const lines = text.split('\n').map((line) =>
    line
      .split('\t')
      .map((part) => clearText(part, isCommand))
      .join('\t'),
  );
  return textContent(fenced(lines.join('\n')));
}
