import { english } from '../../src-renderer/i18n/english';
import type { Approval } from '../contract/approvals';
import { shownName } from '../contract/shared/shown-name';

/** Maximum number of printed lines of a change, of arguments, or of one script. A command is always printed whole. */
const MAX_LINES = 50;
/** UTF-16 units of the line that names a call. */
const MAX_SUBJECT = 100;

/** Characters that look like a space but are not U+0020. */
const FALSE_BLANK = /[^\S ]|\u2800/g;
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text on one line that hides nothing and moves nothing on the screen. */
const onLine = (text: string): string => shownName(text).replace(FALSE_BLANK, escaped);

/** What a call is about, on one line: a file, a command, an address. Cut if it is long. */
export function subject(args: Approval['args']): string {
  const shown = onLine(subjectOf(args).replaceAll(/[ \t\r\n]+/g, ' '));
  return shown.length > MAX_SUBJECT ? `${shown.slice(0, MAX_SUBJECT)}…` : shown;
}

function subjectOf(args: Approval['args']): string {
  const first = args.file_path ?? args.command ?? args.url ?? args.path ?? args.pattern ?? args.description;
  return typeof first === 'string' ? first : '';
}

/** The line that names a pending call, and why it needs approval. */
export const headLine = ({ agent, tool, args, reason }: Approval): string =>
  `? ${[agent, tool, subject(args)].filter(Boolean).join(' ')}: ${onLine(english.sentences(reason).replaceAll(/\s*\n\s*/g, ' '))}`;

/** What a decision approves, as far as the line that names the call does not show it. */
export function detailLines({ preview, args }: Approval): string[] {
  switch (preview.kind) {
    case 'command':
      return [
        ...commandLines(preview.command),
        ...(preview.files ?? []).flatMap(({ path, text }) => [
          `    runs ${onLine(path)}`,
          ...cut(text.split('\n').map((line) => `| ${line}`)),
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
    : command.split('\n').map((line, index) => `    ${index === 0 ? '$' : '>'} ${onLine(line)}`);

const isSubjectOnly = (args: Approval['args']): boolean =>
  Object.keys(args).length <= 1 && subject(args) === subjectOf(args);

function cut(lines: readonly string[]): string[] {
  const shown = lines
    .slice(0, MAX_LINES)
    .map((line) => `    ${onLine(line.replaceAll('\t', '    '))}`.trimEnd());
  const left = lines.length - MAX_LINES;
  return left > 0 ? [...shown, `    and ${left} more lines, which --json prints`] : shown;
}
