import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { cx, EmptyState, languageOf, type Token, Tokens, useFontScale, useHighlight } from '../../ui';
import { lineAt, type OpenFile, wholeText } from './lines';

/** Pixels, with the default text size. */
const LINE = 20;
/** Lines that can be scrolled to at once: a browser lays out some 33 million pixels. The others come in at the ends. */
const SPAN = 500_000;
/** Bytes up to which a file is read whole to be coloured; a longer one stays plain and is read as it is scrolled. */
const COLOURED_UP_TO = 200_000;
/** Characters of a line that are drawn; one line of a minified file would hold the window for seconds. */
const LINE_CUT = 10_000;

interface FileTextProps {
  file: Extract<OpenFile, { phase: 'text' }>;
  name: string;
  wrap: boolean;
  /** Which lines (0-based) are on screen or soon will be. */
  onShow(first: number, last: number): void;
  /** A line (0-based) behind all that is known of is gone to. */
  onReach(line: number): void;
  /** A line (0-based) to go to; a new object goes there again, one that was gone to before does not. */
  goTo?: { line: number } | undefined;
  /** What is searched for: it is marked in every line. */
  query?: string;
  /** Beside each line (0-based), where there is something to say of it. */
  margin?: (line: number) => { text: string; title: string } | undefined;
}

/** The lines of a text file with their numbers; only those on screen are in the document. */
export const FileText = ({ file, name, wrap, onShow, onReach, goTo, query = '', margin }: FileTextProps) => {
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
    // Where nothing is laid out (tests), a screenful is drawn all the same.
    initialRect: { width: 400, height: 800 },
  });
  const rows = virtual.getVirtualItems();
  const isColoured = file.size !== null && file.size <= COLOURED_UP_TO;
  const first = isColoured ? 0 : base + (rows[0]?.index ?? 0);
  const last = isColoured ? Math.max(0, file.count - 1) : base + (rows.at(-1)?.index ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that came may leave another one to ask for
  useEffect(() => {
    onShow(first, last);
  }, [first, last, onShow, file]);

  // Heights measured for wrapped lines are wrong for unwrapped ones.
  // biome-ignore lint/correctness/useExhaustiveDependencies: wrap and the text size decide the heights
  useEffect(() => virtual.measure(), [wrap, scale, virtual]);

  /** What was gone to, and what was read for the sake of it. */
  const [reached] = useState(() => new WeakSet<object>());
  const asked = useRef<object>(undefined);

  // At an end of the rows those beyond it come in, and what is read stays where it is.
  const kept = useRef<{ line: number; below: number }>(undefined);
  const isAtStart = base > 0 && rows[0]?.index === 0;
  const isAtEnd = base < lastBase(file.count) && rows.at(-1)?.index === count - 1;
  useEffect(() => {
    const [row] = virtual.getVirtualItems();
    // On the way to a line the rows are not yet where they will be.
    if (row === undefined || (!isAtStart && !isAtEnd) || (goTo !== undefined && !reached.has(goTo))) return;
    kept.current = { line: base + row.index, below: (virtual.scrollOffset ?? 0) - row.start };
    setFrom(baseFor(base + row.index, file.count));
  }, [isAtStart, isAtEnd, base, file.count, goTo, reached, virtual]);
  useLayoutEffect(() => {
    const { line, below } = kept.current ?? {};
    kept.current = undefined;
    const row = line === undefined ? undefined : virtual.measurementsCache[line - base];
    if (row !== undefined) virtual.scrollToOffset(row.start + (below ?? 0));
  }, [base, virtual]);

  // The last line may not be known of yet: it is gone to again as the file grows.
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
    virtual.scrollToIndex(line - base, { align: 'center' });
  }, [goTo, file, base, count, reached, virtual, onReach]);

  const text = useMemo(() => (isColoured ? wholeText(file) : undefined), [file, isColoured]);
  const tokens = useLatest(useHighlight(text ?? '', text === undefined ? undefined : languageOf(name)));
  if (file.isWhole && (file.count === 0 || (file.count === 1 && lineAt(file, 0) === '')))
    return <EmptyState>{t('files.emptyFile')}</EmptyState>;
  const digits = Math.max(3, String(file.count).length);

  return (
    <div
      ref={scroller}
      role="document"
      aria-label={t('files.content', { name })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="selectable h-full overflow-auto bg-sunken -outline-offset-2"
    >
      <div
        className={cx('relative font-mono text-code', wrap ? 'w-full' : 'w-max min-w-full')}
        style={{ height: virtual.getTotalSize() + 16 }}
      >
        {/* Rows in the flow below one offset: their own widths make the box as wide as the longest line on screen. */}
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
  /** In pixels; a wrapped line is as high as it needs, and is measured. */
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

/** Where the last rows of a file begin. */
const lastBase = (lines: number): number => Math.max(0, lines - SPAN);

/** Where rows begin that have a line in their middle. */
const baseFor = (line: number, lines: number): number =>
  Math.max(0, Math.min(lastBase(lines), line - SPAN / 2));

/** Who brought a line; said where it is another than of the line above. */
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
  // Tokens of the text before a change may be here for a moment: only those that say the same text are used.
  if (tokens && line.length <= LINE_CUT && tokens.map((token) => token.text).join('') === line)
    return <Tokens line={tokens} />;
  return line.length > LINE_CUT ? `${line.slice(0, LINE_CUT)}…` : line || '\n';
};

/** The last value that was there, so that colours do not blink while a changed file is coloured again. */
function useLatest<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  useEffect(() => {
    if (value !== undefined) last.current = value;
  }, [value]);
  return value ?? last.current;
}

/** A line cut at what is searched for, whatever its case. */
function piecesOf(line: string, query: string): { at: number; text: string; isFound: boolean }[] {
  const pieces: { at: number; text: string; isFound: boolean }[] = [];
  const [text, wanted] = [line.toLowerCase(), query.toLowerCase()];
  let from = 0;
  // Where the lower case is of another length, places in it are none of the line's.
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
