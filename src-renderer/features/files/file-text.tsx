import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { cx, EmptyState, languageOf, type Token, Tokens, useFontScale, useHighlight } from '../../ui';
import { lineAt, type OpenFile, wholeText } from './lines';
import { useReadingPlace } from './reading-place';
import type { Place } from './viewers/place';

/** Height in pixels, at the default text size. */
const LINE = 20;
/** Number of lines in the scroll range: a browser lays out some 33 million pixels. The other lines follow at either end. */
const SPAN = 500_000;
/**
 * Files up to this size in bytes are read whole for syntax colors. A longer file stays plain and is read as the person
 * scrolls.
 */
const COLORED_UP_TO = 300_000;
/** Maximum number of characters drawn per line; a line of a minified file would block the window for seconds. */
const LINE_CUT = 10_000;

interface FileTextProps {
  file: Extract<OpenFile, { phase: 'text' }>;
  name: string;
  /** The file, if it is to be shown again where it was left. */
  place?: Place;
  wrap: boolean;
  /** Reports which lines (0-based) are on screen or soon will be. */
  onShow(first: number, last: number): void;
  /** Called when the target line (0-based) is beyond the known lines. */
  onReach(line: number): void;
  /** A line (0-based) to scroll to. A new object scrolls there again; an object that was used before does not. */
  goTo?: { line: number } | undefined;
  /** The search query, highlighted in every line. */
  query?: string;
  /** The note beside a line (0-based), if it has one. */
  margin?: (line: number) => { text: string; title: string } | undefined;
}

/** The lines of a text file with their numbers. Only lines on screen are in the document. */
export const FileText = (props: FileTextProps) => {
  const { file, name, place, wrap, onShow, onReach, goTo, query = '', margin } = props;
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const scale = useFontScale();
  /** The line of the first row. */
  const [from, setFrom] = useState(0);
  const base = Math.min(from, lastBase(file.count));
  const count = Math.min(SPAN, file.count - base);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE * scale,
    getItemKey: (row) => base + row,
    overscan: 20,
    // Without layout (in tests), a screenful is drawn anyway.
    initialRect: { width: 400, height: 800 },
  });
  const rows = virtual.getVirtualItems();
  const isColored = file.size !== null && file.size <= COLORED_UP_TO;
  const first = isColored ? 0 : base + (rows[0]?.index ?? 0);
  const last = isColored ? Math.max(0, file.count - 1) : base + (rows.at(-1)?.index ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a page loads, another one may be missing
  useEffect(() => {
    onShow(first, last);
  }, [first, last, onShow, file]);

  // Heights measured for wrapped lines do not fit unwrapped ones.
  // biome-ignore lint/correctness/useExhaustiveDependencies: wrap and the text size decide the heights
  useEffect(() => virtual.measure(), [wrap, scale, virtual]);

  const { target, reached, align, keep } = useReadingPlace(place, goTo);
  const sliding = { virtual, file, base, count, setFrom };
  useSlidingRows({ ...sliding, isOnTheWay: target !== undefined && !reached.has(target) });
  useGoTo({ ...sliding, goTo: target, align, reached, onReach });

  const text = useMemo(() => (isColored ? wholeText(file) : undefined), [file, isColored]);
  const tokens = useLatest(useHighlight(text ?? '', text === undefined ? undefined : languageOf(name)));
  if (file.isWhole && (file.count === 0 || (file.count === 1 && lineAt(file, 0) === '')))
    return <EmptyState>{t('files.emptyFile')}</EmptyState>;
  const digits = Math.max(3, String(file.count).length);

  return (
    <div
      ref={scroller}
      role="document"
      aria-label={t('files.content', { name })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
      tabIndex={0}
      className="selectable h-full overflow-auto bg-sunken -outline-offset-2"
      onScroll={({ currentTarget }) =>
        keep(base + (virtual.getVirtualItemForOffset(currentTarget.scrollTop)?.index ?? 0))
      }
    >
      <div
        className={cx('relative font-mono text-code', wrap ? 'w-full' : 'w-max min-w-full')}
        style={{ height: virtual.getTotalSize() + 16 }}
      >
        {/* The rows share one offset in normal flow, so the longest line on screen sets the width of the box. */}
        <div style={{ transform: `translateY(${(rows[0]?.start ?? 0) + 8}px)` }}>
          {rows.map((row) => (
            <TextRow
              key={row.key}
              row={row}
              index={base + row.index}
              file={file}
              tokens={tokens?.[base + row.index]}
              query={query}
              isMarked={base + row.index === goTo?.line}
              numberWidth={`calc(${digits}ch + 1.5rem)`}
              margin={margin}
              height={wrap ? undefined : LINE * scale}
              measure={wrap ? virtual.measureElement : undefined}
            />
          ))}
        </div>
      </div>
    </div>
  );
};

interface Sliding {
  virtual: Virtualizer<HTMLDivElement, Element>;
  file: FileTextProps['file'];
  /** The line of the first row, and the number of rows. */
  base: number;
  count: number;
  setFrom(line: number): void;
}

/**
 * At either end of the rows, the rows beyond come in, and the visible lines stay in place. `isOnTheWay`: the target line has
 * not been reached.
 */
function useSlidingRows({
  virtual,
  file,
  base,
  count,
  setFrom,
  isOnTheWay,
}: Sliding & { isOnTheWay: boolean }): void {
  const rows = virtual.getVirtualItems();
  const kept = useRef<{ line: number; below: number }>(undefined);
  const isAtStart = base > 0 && rows[0]?.index === 0;
  const isAtEnd = base < lastBase(file.count) && rows.at(-1)?.index === count - 1;
  useEffect(() => {
    const [row] = virtual.getVirtualItems();
    // On the way to a target, the rows are not in their final positions yet.
    if (row === undefined || (!isAtStart && !isAtEnd) || isOnTheWay) return;
    kept.current = { line: base + row.index, below: (virtual.scrollOffset ?? 0) - row.start };
    setFrom(baseFor(base + row.index, file.count));
  }, [isAtStart, isAtEnd, base, file.count, isOnTheWay, setFrom, virtual]);
  useLayoutEffect(() => {
    const { line, below } = kept.current ?? {};
    kept.current = undefined;
    const row = line === undefined ? undefined : virtual.measurementsCache[line - base];
    if (row !== undefined) virtual.scrollToOffset(row.start + (below ?? 0));
  }, [base, virtual]);
}

interface Target extends Sliding {
  goTo: FileTextProps['goTo'];
  align: 'start' | 'center';
  reached: WeakSet<object>;
  onReach: FileTextProps['onReach'];
}

/** Scrolls to the target line. It may not be known yet, so this scrolls to it again as the file grows. */
function useGoTo({ virtual, file, base, count, setFrom, goTo, align, reached, onReach }: Target): void {
  const asked = useRef<object>(undefined);
  useEffect(() => {
    if (goTo === undefined || reached.has(goTo)) return;
    if (goTo.line >= file.count && !file.isWhole && asked.current !== goTo) {
      asked.current = goTo;
      onReach(goTo.line);
      return;
    }
    const line = Math.min(goTo.line, file.count - 1);
    if (line < base || line >= base + count) {
      setFrom(baseFor(line, file.count));
      return;
    }
    if (line === goTo.line || file.isWhole) reached.add(goTo);
    virtual.scrollToIndex(line - base, { align });
  }, [goTo, file, base, count, align, reached, setFrom, virtual, onReach]);
}

interface TextRowProps {
  row: VirtualItem;
  /** 0-based, in the file. */
  index: number;
  file: FileTextProps['file'];
  tokens: readonly Token[] | undefined;
  query: string;
  isMarked: boolean;
  numberWidth: string;
  margin: FileTextProps['margin'];
  /** In pixels. A wrapped line is as high as its text and is measured. */
  height: number | undefined;
  measure: ((element: HTMLElement | null) => void) | undefined;
}

/** One line with its number. */
const TextRow = (props: TextRowProps) => {
  const { row, index, file, tokens, query, isMarked, margin, height, measure } = props;
  const line = lineAt(file, index);
  const wrap = height === undefined;
  return (
    <div
      data-index={row.index}
      ref={measure}
      className={cx('flex leading-5', isMarked && 'bg-accent-soft')}
      style={wrap ? undefined : { height }}
    >
      <span
        aria-hidden
        className="sticky left-0 shrink-0 bg-sunken pr-3 pl-3 text-right text-fg-3 tabular-nums select-none"
        style={{ width: props.numberWidth }}
      >
        {index + 1}
      </span>
      {margin && <Margin of={margin(index)} before={index > 0 ? margin(index - 1) : undefined} />}
      <span className={cx('pr-4', wrap ? 'min-w-0 break-all whitespace-pre-wrap' : 'whitespace-pre')}>
        {line === undefined ? (
          <span className="inline-block h-2.5 w-40 rounded-control bg-hover" />
        ) : (
          <Line line={line} tokens={tokens} query={query} />
        )}
      </span>
    </div>
  );
};

/** The line where the last rows of a file start. */
const lastBase = (lines: number): number => Math.max(0, lines - SPAN);

/** The first row such that the line is in the middle of the rows. */
const baseFor = (line: number, lines: number): number =>
  Math.max(0, Math.min(lastBase(lines), line - SPAN / 2));

/** The author of a line; shown where it differs from the line above. */
const Margin = ({ of, before }: Record<'of' | 'before', { text: string; title: string } | undefined>) => (
  <span
    title={of?.title}
    className="mr-3 w-24 shrink-0 truncate border-r border-line pr-2 font-sans text-small leading-5 text-fg-3 select-none"
  >
    {of !== undefined && of.title !== before?.title ? of.text : ''}
  </span>
);

interface LineProps {
  line: string;
  tokens: readonly Token[] | undefined;
  query: string;
}

const Line = ({ line, tokens, query }: LineProps) => {
  if (query !== '' && line.length <= LINE_CUT) {
    const pieces = piecesOf(line, query);
    if (pieces.length > 1)
      return pieces.map(({ at, text, isFound }) =>
        isFound ? (
          <mark key={at} className="rounded-mark bg-ask/40 text-fg">
            {text}
          </mark>
        ) : (
          text
        ),
      );
  }
  // After a change, the tokens may be of the old text for a moment. Only those with the same text are used.
  if (tokens && line.length <= LINE_CUT && tokens.map((token) => token.text).join('') === line)
    return <Tokens line={tokens} />;
  return line.length > LINE_CUT ? `${line.slice(0, LINE_CUT)}…` : line || '\n';
};

/** The last defined value, so that colors do not flicker while a changed file is colored again. */
function useLatest<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  useEffect(() => {
    if (value !== undefined) last.current = value;
  }, [value]);
  return value ?? last.current;
}

/** Splits a line at the matches of the search, ignoring case. */
function piecesOf(line: string, query: string): { at: number; text: string; isFound: boolean }[] {
  const pieces: { at: number; text: string; isFound: boolean }[] = [];
  const [text, wanted] = [line.toLowerCase(), query.toLowerCase()];
  let from = 0;
  // If the lower-case text has another length, its offsets do not apply to the line.
  for (
    let at = text.indexOf(wanted);
    at >= 0 && text.length === line.length;
    at = text.indexOf(wanted, from)
  ) {
    if (at > from) pieces.push({ at: from, text: line.slice(from, at), isFound: false });
    pieces.push({ at, text: line.slice(at, at + wanted.length), isFound: true });
    from = at + wanted.length;
  }
  if (from < line.length) pieces.push({ at: from, text: line.slice(from), isFound: false });
  return pieces;
}
