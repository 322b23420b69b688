import type { Approval } from '../contract/approvals';
import { shownName } from '../contract/shared/shown-name';
import { clearText } from '../contract/shared/unseen';

/** Maximum number of printed lines of a command's output, from its end. */
const MAX_OUTPUT = 10;

const linesOf = ({ added, removed }: { added?: number | undefined; removed?: number | undefined }): string =>
  added === undefined || removed === undefined ? '' : ` +${added} -${removed}`;

type Row = NonNullable<Approval['outcome']>['rows'][number];

const marksOf = ({ conflict, protected: isObeyed, leadsOutside }: Row): string =>
  [
    conflict === true ? ' (conflict)' : '',
    isObeyed === true ? ' (runs or configures other programs)' : '',
    leadsOutside === true ? ' (leads out of the folder)' : '',
  ].join('');

/** What a command did in its layer: its end, its output, and its changes, one path per line. */
export function outcomeLines({ outcome }: Approval): string[] {
  if (outcome === undefined) return [];
  const { rows, git = [], refused, exitCode, output } = outcome;
  const printed = output
    .trimEnd()
    .split('\n')
    .slice(-MAX_OUTPUT)
    .filter((line) => line !== '');
  return [
    exitCode === null ? 'no exit code' : `exit code ${exitCode}`,
    ...printed.map((line) => `| ${clearText(line)}`),
    ...rows.map((row) =>
      row.kind === 'group'
        ? `${shownName(row.path)}/ (${row.count} changes)${marksOf(row)}`
        : `${row.kind} ${shownName(row.path)}${linesOf(row)}${marksOf(row)}`,
    ),
    ...git.map(
      ({ path, facts }) => `changed ${shownName(path)} (${facts.map(({ what }) => what).join(', ')})`,
    ),
    ...refused.map(({ what, name, via }) => {
      const address = via === undefined ? '' : ` (the local address of ${shownName(via)})`;
      return `refused ${what} ${shownName(name)}${address}`.trimEnd();
    }),
  ];
}
