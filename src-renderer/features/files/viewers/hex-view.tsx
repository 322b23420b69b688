import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useFormats, useT } from '../../../i18n';
import { cx, useFontScale } from '../../../ui';
import { useChanged } from '../use-changed';
import { type Place, readBytes } from './place';
import { Failed, Kept } from './waiting';

/** Bytes per row, and per row in a narrow panel. */
const WIDE = 16;
const NARROW = 8;
/** Bytes per read. */
const PAGE = 64 * 1024;
/** Pixels of a row besides its characters: the margins and the gaps between its three columns. */
const BETWEEN = 56;
/** Height in pixels, at the default text size. */
const HEIGHT = 20;
/** Maximum number of rows in the list, at the default text size: browsers stop at some 16 million pixels. */
const MAX_ROWS = 700_000;
/** Maximum number of cached pages. */
const KEPT = 64;

/**
 * The bytes of a file by page, of which only the last read ones are kept. After a change of the file they stay until they are read
 * again; `version` says when.
 */
function useBytePages(place: Place, size: number | null) {
  const { projectId, threadId, path } = place;
  const [version, setVersion] = useState(0);
  const [pages, setPages] = useState<ReadonlyMap<number, Uint8Array>>(new Map());
  const [total, setTotal] = useState(size);
  const [error, setError] = useState<string>();
  const asked = useRef(new Set<number>());
  const read = useCallback(
    (page: number) => {
      if (asked.current.has(page)) return;
      asked.current.add(page);
      readBytes(place, page * PAGE, PAGE).then(
        (read) => {
          setTotal(read.size);
          setPages((before) => {
            const next = new Map(before).set(page, read.bytes);
            for (const oldest of next.keys()) {
              if (next.size <= KEPT) break;
              next.delete(oldest);
              asked.current.delete(oldest);
            }
            return next;
          });
        },
        (failed: unknown) => setError(failed instanceof Error ? failed.message : String(failed)),
      );
    },
    [place],
  );
  const again = useCallback(() => {
    asked.current.clear();
    setError(undefined);
    setVersion((before) => before + 1);
  }, []);
  useChanged(projectId, threadId, path, again);
  return { pages, total, error, version, read, again };
}

/** The bytes of a file as numbers and characters, read as they are viewed. */
export const HexView = ({ place, size }: { place: Place; size: number | null }) => {
  const t = useT();
  const { bytes } = useFormats();
  const scroller = useRef<HTMLDivElement>(null);
  const { pages, total, error, version, read, again } = useBytePages(place, size);
  const scale = useFontScale();
  const height = HEIGHT * scale;
  const maxRows = Math.floor(MAX_ROWS / Math.max(1, scale));
  const digits = Math.max(6, (total ?? 0).toString(16).length);
  const sign = useRef<HTMLSpanElement>(null);
  const inRow = useBytesInRow(scroller, sign, digits, scale);
  const rowCount = Math.min(maxRows, Math.ceil((total ?? PAGE) / inRow));
  const virtual = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 10,
    initialRect: { width: 400, height: 800 },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row height depends on the text size
  useLayoutEffect(() => virtual.measure(), [scale]);
  const rows = virtual.getVirtualItems();
  const first = Math.floor(((rows[0]?.index ?? 0) * inRow) / PAGE);
  const last = Math.floor(((rows.at(-1)?.index ?? 0) * inRow) / PAGE);

  // When the row length changes, the visible bytes stay in place.
  const before = useRef(inRow);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null && before.current !== inRow) element.scrollTop *= before.current / inRow;
    before.current = inRow;
  }, [inRow]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: reads again after a change of the file
  useEffect(() => {
    for (let page = first; page <= last; page++) read(page);
  }, [first, last, read, version]);

  const failed = error === undefined ? undefined : { error: { message: error }, onRetry: again };
  if (failed !== undefined && pages.size === 0) return <Failed {...failed} />;
  return (
    <Kept failed={failed}>
      <div className="flex h-full flex-col">
        <p className="shrink-0 border-b border-line px-3 py-1.5 text-small text-fg-3">
          {total === null ? t('files.binary') : t('files.binarySized', { size: bytes(total) })}
          {total !== null &&
            total > maxRows * inRow &&
            ` ${t('files.hexCut', { size: bytes(maxRows * inRow) })}`}
        </p>
        <div
          ref={scroller}
          role="document"
          aria-label={t('files.hex')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
          tabIndex={0}
          className="selectable min-h-0 grow overflow-auto bg-sunken font-mono text-code -outline-offset-2"
        >
          <span ref={sign} aria-hidden className="invisible absolute">
            0
          </span>
          <div className="relative w-max min-w-full" style={{ height: virtual.getTotalSize() }}>
            <div style={{ transform: `translateY(${rows[0]?.start ?? 0}px)` }}>
              {rows.map(({ index, key }) => {
                const at = index * inRow;
                const page = pages.get(Math.floor(at / PAGE));
                const bytesHere = page?.subarray(at % PAGE, (at % PAGE) + inRow);
                return (
                  <div
                    key={key}
                    className={cx('flex px-3 leading-5 whitespace-pre', inRow === WIDE ? 'gap-4' : 'gap-2')}
                    style={{ height }}
                  >
                    <span className="text-fg-3 select-none">{at.toString(16).padStart(digits, '0')}</span>
                    <span>{hexOf(bytesHere, inRow)}</span>
                    <span className="text-fg-2">{printable(bytesHere)}</span>
                  </div>
                );
              })}
            </div>
          </div>
        </div>
      </div>
    </Kept>
  );
};

/** As many bytes as fit, with their characters. */
function useBytesInRow(
  scroller: RefObject<HTMLElement | null>,
  sign: RefObject<HTMLElement | null>,
  digits: number,
  scale: number,
): number {
  const [inRow, setInRow] = useState(WIDE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the character width depends on the text size
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => {
      const width = sign.current?.getBoundingClientRect().width ?? 0;
      // Two digits, a space and a character for each byte, and one more space in the middle.
      const wanted = (digits + WIDE * 4) * width + BETWEEN;
      setInRow(wanted <= element.clientWidth ? WIDE : NARROW);
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [scroller, sign, digits, scale]);
  return inRow;
}

function hexOf(bytes: Uint8Array | undefined, inRow: number): string {
  const pairs = Array.from({ length: inRow }, (_, n) => bytes?.[n]?.toString(16).padStart(2, '0') ?? '  ');
  const halves = [pairs.slice(0, NARROW), pairs.slice(NARROW)].filter((half) => half.length > 0);
  return halves.map((half) => half.join(' ')).join('  ');
}

const printable = (bytes: Uint8Array | undefined): string =>
  bytes === undefined
    ? ''
    : Array.from(bytes, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join('');
