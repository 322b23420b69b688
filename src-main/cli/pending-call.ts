import { english } from '../../src-renderer/i18n/english';
import type { Approval } from '../contract/approvals';
import { shownName } from '../contract/shared/shown-name';
import { clearText } from '../contract/shared/unseen';

/** Maximum number of printed lines of a change, of arguments, or of one script. A command is always printed whole. */
const MAX_LINES = 50;
/** Maximum number of scripts whose text is printed; of others, only the name is. */
const MAX_SCRIPTS = 10;
/** UTF-16 units of the line that names a call. */
const MAX_SUBJECT = 100;

/** What a call is about, on one line: a file, a command, an address. Cut if it is long. */
export function subject(args: Approval['args']): string {
  const about = subjectOf(args);
  const text = about.replaceAll(/[ \t\r\n]+/g, ' ');
  const shown = about === args.command || about === args.url ? clearText(text, true) : shownName(text);
  return shown.length > MAX_SUBJECT ? `${shown.slice(0, MAX_SUBJECT)}…` : shown;
}

function subjectOf(args: Approval['args']): string {
  const first = args.file_path ?? args.command ?? args.url ?? args.path ?? args.pattern ?? args.description;
  return typeof first === 'string' ? first : '';
}

/** The line that names a pending call, and why it needs approval. */
export const headLine = ({ agent, tool, args, reason }: Approval): string =>
  `? ${[agent, tool, subject(args)].filter(Boolean).join(' ')}: ${clearText(english.sentences(reason).replaceAll(/\s*\n\s*/g, ' '))}`;

/** What a decision approves, as far as the line that names the call does not show it. */
export function detailLines({ preview, args }: Approval): string[] {
  switch (preview.kind) {
    case 'command':
      return [
        ...commandLines(preview.command),
        ...(preview.files ?? []).flatMap(({ path, text }, index) => [
          `    runs ${shownName(path)}`,
          ...(index < MAX_SCRIPTS ? cut(text.split('\n').map((line) => `| ${line}`)) : []),
        ]),
      ];
    case 'timeout':
      return commandLines(preview.command);
    case 'diff':
      return cut(preview.hunks.flatMap(({ lines }) => lines));
    case 'problem':
      return cut(preview.json.split('\n'));
    case 'arguments':
      // An address alone is on the line already.
      return isSubjectOnly(args) ? [] : cut(preview.json.split('\n'));
    case 'form':
      return cut([...preview.message.split('\n'), ...(preview.url === null ? [] : [preview.url])]);
    default:
      return [];
  }
}

/** The whole command, unless the line that names the call shows it exactly. */
const commandLines = (command: string): string[] =>
  subject({ command }) === command
    ? []
    : command.split('\n').map((line, index) => `    ${index === 0 ? '$' : '>'} ${clearText(line, true)}`);

const isSubjectOnly = (args: Approval['args']): boolean =>
  Object.keys(args).length <= 1 && subject(args) === subjectOf(args);

function cut(lines: readonly string[]): string[] {
  const shown = lines
    .slice(0, MAX_LINES)
    .map((line) => `    ${clearText(line.replaceAll('\t', '    '))}`.trimEnd());
  const left = lines.length - MAX_LINES;
  return left > 0 ? [...shown, `    and ${left} more lines, which --json prints`] : shown;
}
