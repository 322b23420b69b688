// biome-ignore-all lint/a11y/useSemanticElements: only what is on screen is in the document, which the elements of tables do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the table that scrolls has the focus
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: cells are given their role below
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useT } from '../../../i18n';
import { cx, EmptyState, Skeleton, useFontScale } from '../../../ui';
import type { CsvRequest, CsvTable } from './csv-table';
import { nameOf, type Place, useText } from './place';
import { Failed, failedOf, Kept, Waiting } from './waiting';

/** Height in pixels, at the default text size. */
const ROW = 28;
const LETTER = 7.5;
const NARROWEST = 56;
const WIDEST = 320;
/** Rows sampled for column widths: half from the start, half from all over the table. */
const MEASURED = 400;

/** Time limit for reading a table, in milliseconds. */
export const READ_WITHIN = 20_000;
/** Maximum length of a number, in characters. */
const MAX_NUMBER = 40;

/** Comma or tab separated values as a table. Only the rows and columns on screen are in the document. */
export const TableView = ({ place }: { place: Place }) => {
  const t = useT();
  const answer = useText(place);
  const text = answer.phase === 'there' ? answer.value.text : undefined;
  const [table, setTable] = useState<CsvTable>();
  const [broken, setBroken] = useState<'files.tableBroken' | 'files.tableSlow'>();
  useEffect(() => {
    if (text === undefined) return;
    const worker = new Worker(new URL('./csv-worker.ts', import.meta.url), { type: 'module' });
    const end = () => {
      clearTimeout(timer);
      worker.terminate();
    };
    const fail = (why: typeof broken) => {
      end();
      setBroken(why);
    };
    const timer = setTimeout(() => fail('files.tableSlow'), READ_WITHIN);
    worker.onmessage = ({ data }: MessageEvent<CsvTable>) => {
      end();
      setTable(data);
      setBroken(undefined);
    };
    worker.onerror = () => fail('files.tableBroken');
    const delimiter = /\.tsv$/iu.test(place.path) ? '\t' : '';
    worker.postMessage({ text, delimiter } satisfies CsvRequest);
    return end;
  }, [text, place.path]);
  if (answer.phase !== 'there') return <Waiting answer={answer} />;
  const problem = broken && { error: { message: t(broken) } };
  if (table === undefined && problem !== undefined) return <Failed {...problem} />;
  if (table === undefined) return <Skeleton lines={8} />;
  if (table.rows.length === 0) return <EmptyState>{t('files.emptyFile')}</EmptyState>;
  return (
    <Kept failed={failedOf(answer) ?? problem}>
      <TableRows table={table} name={nameOf(place.path)} />
    </Kept>
  );
};

/** The first row is the heading. */
export const TableRows = ({ table, name }: { table: CsvTable; name: string }) => {
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const scale = useFontScale();
  const rowHeight = ROW * scale;
  const head = table.rows[0] ?? [];
  const body = useMemo(() => table.rows.slice(1), [table]);
  const sample = useMemo(() => sampleOf(table.rows), [table]);
  const columns = useMemo(() => widthsOf(sample).map((width) => width * scale), [sample, scale]);
  const rows = useVirtualizer({
    count: body.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    initialRect: { width: 400, height: 800 },
  });
  const cells = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (column) => columns[column] ?? NARROWEST,
    overscan: 3,
    initialRect: { width: 400, height: 800 },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: row and column sizes depend on the text size
  useLayoutEffect(() => {
    rows.measure();
    cells.measure();
  }, [scale]);
  const isNumber = useMemo(
    () => columns.map((_, column) => sample.slice(1).every((row) => isNumeric(row[column] ?? ''))),
    [columns, sample],
  );
  const line = (row: readonly string[], isHead: boolean) =>
    cells.getVirtualItems().map(({ index, start, size }) => (
      <span
        key={index}
        role={isHead ? 'columnheader' : 'cell'}
        aria-colindex={index + 1}
        title={row[index] ?? ''}
        className={cx(
          'selectable absolute top-0 truncate border-r border-line px-2 leading-7',
          isHead && 'font-medium',
          !isHead && isNumber[index] && 'text-right tabular-nums',
        )}
        style={{ left: start, width: size }}
      >
        {row[index]}
      </span>
    ));
  return (
    <div className="flex h-full flex-col">
      <div
        ref={scroller}
        role="table"
        aria-label={name}
        aria-rowcount={table.rows.length}
        aria-colcount={columns.length}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
        tabIndex={0}
        className="min-h-0 grow overflow-auto -outline-offset-2"
      >
        <div
          role="row"
          aria-rowindex={1}
          className="sticky top-0 z-10 border-b border-line-strong bg-sunken"
          style={{ height: rowHeight + 1, width: cells.getTotalSize() }}
        >
          {line(head, true)}
        </div>
        <div
          role="rowgroup"
          className="relative"
          style={{ height: rows.getTotalSize(), width: cells.getTotalSize() }}
        >
          {rows.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              className="absolute left-0 w-full border-b border-line hover:bg-hover"
              style={{ height: rowHeight, transform: `translateY(${start}px)` }}
            >
              {line(body[index] ?? [], false)}
            </div>
          ))}
        </div>
      </div>
      <p className="shrink-0 border-t border-line px-3 py-1 text-small text-fg-3 tabular-nums">
        {t('files.rows', { count: body.length })} · {t('files.columns', { count: columns.length })}
        {table.cut && ` · ${t('files.notAllShown')}`}
      </p>
    </div>
  );
};

/** The widths of the columns in pixels, at the usual text size. */
function widthsOf(sample: readonly (readonly string[])[]): number[] {
  const count = sample.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: count }, (_, column) => {
    const longest = sample.reduce((most, row) => Math.max(most, (row[column] ?? '').length), 0);
    return Math.max(NARROWEST, Math.min(WIDEST, longest * LETTER + 24));
  });
}

/** An empty cell does not rule a number out. The length is checked first: the regular expression backtracks over blanks. */
export const isNumeric = (cell: string): boolean =>
  cell.length <= MAX_NUMBER && /^\s*-?[\d.,]*\s*%?\s*$/u.test(cell);

/** Rows that represent the whole table: numbers that count up are longest at the end. */
function sampleOf(rows: readonly string[][]): readonly string[][] {
  if (rows.length <= MEASURED) return rows;
  const half = MEASURED / 2;
  const step = (rows.length - half) / half;
  return [
    ...rows.slice(0, half),
    ...Array.from({ length: half }, (_, at) => rows[Math.ceil(half + (at + 1) * step) - 1] ?? []),
  ];
}
