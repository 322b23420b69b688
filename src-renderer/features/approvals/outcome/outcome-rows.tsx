import type { Approval } from '@contract/approvals';
import { MAX_UNDO_FILE } from '@contract/limits';
import type { Outcome, OutcomeRow } from '@contract/outcome';
import { isOfficeFile } from '@contract/shared/office';
import { ChevronRight, Folder } from 'lucide-react';
import { useState } from 'react';
import { type Translate, useFormats, useT } from '../../../i18n';
import { useAnswer } from '../../../link';
import { Badge, cx, Diff, ExactText, LineCounts, LoadFailed, Skeleton } from '../../../ui';
import type { OutcomeSelection } from './outcome-selection';

interface OutcomeRowsProps {
  approval: Approval;
  outcome: Outcome;
  selection: OutcomeSelection;
}

/** The files that a command changed in its layer, each with a checkbox to keep it and its diff. */
export const OutcomeRows = ({ approval, outcome, selection }: OutcomeRowsProps) => {
  const t = useT();
  const formats = useFormats();
  const { rows, totals, more } = outcome;
  const isPartial = more !== undefined || rows.some(isUncounted);
  return (
    <div className="border-t border-line pt-1.5 pb-1">
      <p className="flex flex-wrap gap-x-3 px-3 pb-1 text-small text-fg-2 tabular-nums">
        <span>{t('outcome.total', { count: totals.files })}</span>
        {totals.added + totals.removed > 0 && !isPartial && (
          <LineCounts added={totals.added} removed={totals.removed} />
        )}
        {totals.bytes > 0 && <span>{formats.bytes(totals.bytes)}</span>}
      </p>
      <ul aria-label={t('outcome.files')}>
        {rows.map((row) => (
          <Row key={row.path} row={row} approval={approval} selection={selection} />
        ))}
      </ul>
      {more !== undefined && (
        <p className="px-3 py-1 text-small text-ask-text">
          {t('outcome.more', { count: more })} {!selection.isAll && t('outcome.moreLeft')}
        </p>
      )}
    </div>
  );
};

const kinds = {
  created: 'outcome.created',
  changed: 'outcome.changed',
  deleted: 'outcome.deleted',
  mode: 'outcome.mode',
  link: 'outcome.link',
  type: 'outcome.type',
  group: 'outcome.group',
} as const;
const kindColors: Partial<Record<OutcomeRow['kind'], string>> = {
  created: 'text-ok',
  deleted: 'text-deny',
  type: 'text-ask-text',
};

interface RowProps {
  row: OutcomeRow;
  approval: Approval;
  selection: OutcomeSelection;
}

const Row = ({ row, approval, selection }: RowProps) => {
  const t = useT();
  const formats = useFormats();
  const [open, setOpen] = useState(false);
  const { path, kind } = row;
  const opens = hasDiff(row);
  const words = (
    <>
      <span className={cx('w-20 shrink-0 text-small', kindColors[kind] ?? 'text-fg-2')}>
        {t(kinds[kind])}
      </span>
      <span className="min-w-0 grow font-mono text-code break-all">
        <ExactText text={path} oneLine strict />
      </span>
      <Facts row={row} />
    </>
  );
  return (
    <li>
      <div className="flex items-start gap-2 px-3">
        <input
          type="checkbox"
          className="mt-1.75"
          aria-label={t('outcome.keepRow', { path })}
          disabled={row.conflict === true}
          checked={selection.has(path)}
          onChange={() => selection.toggle(path)}
        />
        {opens ? (
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="flex min-h-7 min-w-0 grow flex-wrap content-center items-baseline gap-x-2 rounded-control py-0.5 pr-1 text-left hover:bg-hover"
          >
            <ChevronRight
              aria-hidden
              size={14}
              className={cx('shrink-0 self-center text-fg-3', open && 'rotate-90')}
            />
            {words}
          </button>
        ) : (
          <div className="flex min-h-7 min-w-0 grow flex-wrap content-center items-baseline gap-x-2 py-0.5 pr-1">
            {kind === 'group' ? (
              <Folder aria-hidden size={14} className="shrink-0 self-center text-fg-3" />
            ) : (
              <span className="w-3.5 shrink-0" />
            )}
            {words}
          </div>
        )}
      </div>
      {row.conflict === true && (
        <p className="px-3 pb-1 pl-8 text-small text-ask-text">{t('outcome.conflictHint')}</p>
      )}
      {otherNames(row) > 0 && (
        <p className="px-3 pb-1 pl-8 text-small text-ask-text">
          {t('outcome.otherNames', { count: otherNames(row) })}
        </p>
      )}
      {isBeyondUndo(row) && (
        <p className="px-3 pb-1 pl-8 text-small text-ask-text">
          {t('outcome.beyondUndo', { size: formats.bytes(MAX_UNDO_FILE) })}
        </p>
      )}
      {open && <RowDiff row={row} approval={approval} selection={selection} />}
    </li>
  );
};

/** Other names of the file, which get the same content if the row is kept. */
const otherNames = (row: OutcomeRow): number =>
  row.kind === 'changed' && row.after?.type === 'file' ? (row.before?.names ?? 1) - 1 : 0;

/** Once it is kept, its previous content is gone. */
const isBeyondUndo = (row: OutcomeRow): boolean =>
  row.kind !== 'group' &&
  row.kind !== 'mode' &&
  row.conflict !== true &&
  row.before?.type === 'file' &&
  row.before.size > MAX_UNDO_FILE;

const hasDiff = (row: OutcomeRow): boolean =>
  row.kind !== 'group' &&
  (row.binary !== true || isOfficeFile(row.path)) &&
  (row.kind === 'created' || row.kind === 'changed' || row.kind === 'deleted') &&
  (row.after ?? row.before)?.type === 'file';

/** The lines of a large file, of one of many, or in a group are not counted. Ignored files are not what the person reads. */
const isUncounted = (row: OutcomeRow): boolean =>
  row.kind === 'group'
    ? row.ignored !== true
    : row.conflict !== true && row.binary !== true && row.added === undefined && hasDiff(row);

const types = {
  file: 'outcome.typeFile',
  folder: 'outcome.typeFolder',
  link: 'outcome.typeLink',
  other: 'outcome.typeOther',
} as const;

type FileRow = Exclude<OutcomeRow, { kind: 'group' }>;

const octal = (mode: number) => (mode & 0o7777).toString(8);

/** What changed besides the text: link target, permissions, file type, sizes. */
function changesOf(row: FileRow, bytes: (count: number) => string, t: Translate): string[] {
  const { before, after, kind } = row;
  const pair = (a: string | undefined, b: string | undefined) =>
    a === undefined || b === undefined ? (b ?? a ?? '') : t('outcome.becomes', { before: a, after: b });
  const found: string[] = [];
  if (kind === 'type') found.push(pair(before && t(types[before.type]), after && t(types[after.type])));
  const targets = [before?.target, after?.target].filter((target) => target !== undefined);
  const [target] = targets;
  if (target !== undefined)
    found.push(targets.length === 1 ? t('outcome.linkTo', { target }) : pair(before?.target, after?.target));
  if (before !== undefined && after !== undefined && before.mode !== after.mode && kind !== 'type')
    found.push(t('outcome.becomes', { before: octal(before.mode), after: octal(after.mode) }));
  if (row.binary === true)
    found.push(t('outcome.binary'), pair(before && bytes(before.size), after && bytes(after.size)));
  else if (row.added === undefined && (after ?? before)?.type === 'file' && kind !== 'mode')
    found.push(pair(before && bytes(before.size), after && bytes(after.size)));
  return found;
}

const Facts = ({ row }: { row: OutcomeRow }) => {
  const t = useT();
  const formats = useFormats();
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-small text-fg-2 tabular-nums">
      {row.kind === 'group' ? (
        <>
          <span>{t('outcome.groupFiles', { count: row.count })}</span>
          <span>{formats.bytes(row.bytes)}</span>
        </>
      ) : (
        <>
          {changesOf(row, formats.bytes, t).map((text) => (
            <span key={text} className="break-all">
              <ExactText text={text} oneLine strict />
            </span>
          ))}
          {row.added !== undefined && <LineCounts added={row.added} removed={row.removed ?? 0} />}
        </>
      )}
      {row.ignored === true && <Badge>{t('outcome.ignored')}</Badge>}
      {row.leadsOutside === true && <Badge tone="ask">{t('outcome.leadsOutside')}</Badge>}
      {row.protected === true && <Badge tone="deny">{t('outcome.protected')}</Badge>}
      {row.conflict === true && <Badge tone="ask">{t('outcome.conflict')}</Badge>}
    </span>
  );
};

const unshown = {
  binary: 'outcome.diffBinary',
  too_large: 'outcome.diffLarge',
  lost: 'outcome.diffLost',
  link: 'outcome.diffLink',
  same: 'outcome.diffSame',
} as const;

/** The diff of one file, loaded when it is expanded. */
const RowDiff = ({ row: { path, kind }, approval, selection }: RowProps) => {
  const t = useT();
  const { threadId, id } = approval;
  const { answer, reload } = useAnswer('rehearsal.diff', { threadId, approvalId: id, path });
  if (answer.phase === 'failed') return <LoadFailed error={answer.error} onRetry={reload} />;
  if (answer.phase === 'loading') return <Skeleton lines={2} />;
  const diff = answer.value;
  if (diff.kind !== 'text' && diff.kind !== 'document')
    return <p className="px-3 pb-1 pl-8 text-small text-fg-3">{t(unshown[diff.kind])}</p>;
  const label = t('approvals.diffLabel', { path });
  // A partial selection needs the complete diff.
  const inParts = diff.kind === 'text' && kind === 'changed' && diff.hunks.length > 1 && !diff.cut;
  return (
    <div className="my-1 border-y border-line">
      {diff.kind === 'document' && (
        <p className="px-3 py-1 text-small text-fg-2">
          {t(diff.hunks.length === 0 ? 'outcome.documentSame' : 'outcome.document')}
        </p>
      )}
      {inParts
        ? diff.hunks.map((hunk, index) => (
            <div key={`${hunk.oldStart}-${hunk.newStart}`} className="border-b border-line last:border-b-0">
              <label className="flex items-center gap-2 bg-bg px-3 py-0.5 text-small text-fg-2">
                <input
                  type="checkbox"
                  checked={selection.hasHunk(path, index)}
                  onChange={() => selection.toggleHunk(path, index, diff.hunks.length)}
                />
                {t('outcome.keepHunk', {
                  from: hunk.newStart,
                  to: Math.max(hunk.newStart, hunk.newStart + hunk.newLines - 1),
                })}
              </label>
              <Diff hunks={[hunk]} above={diff.hunks[index - 1]} label={label} file={path} />
            </div>
          ))
        : diff.hunks.length > 0 && <Diff hunks={diff.hunks} label={label} file={path} />}
      {diff.cut && <p className="px-3 py-1 text-small text-ask-text">{t('approvals.cut')}</p>}
    </div>
  );
};
