import type { Virtualizer } from '@tanstack/react-virtual';
import { ZoomIn, ZoomOut } from 'lucide-react';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useT } from '../../../../i18n';
import { IconButton, Skeleton } from '../../../../ui';
import { FindBar } from '../../find-bar';
import { useChanged } from '../../use-changed';
import { nameOf, type Place } from '../place';
import { readingAt } from '../reading-at';
import { Failed, Kept } from '../waiting';
import { type OpenPdf, openPdf } from './pdf-document';
import { limitedScale, MAX_PAGES, type PageSize } from './pdf-limits';
import { type Marks, PdfPage } from './pdf-page';
import { usePageRows } from './use-page-rows';
import { type PdfPlace, usePdfSearch } from './use-pdf-search';

const STEP = 1.25;
const LARGEST = 8;
/** Maximum pixels per point of a fitted page: in a wide panel its text would be poster-sized. */
const FITTED = 1.5;
/** Width of a page in the narrowest panel, in pixels. */
const SMALLEST_PAGE = 60;

/** Pixels kept free above and below a match. */
const MARGIN = 48;
const NO_PLACES: readonly PdfPlace[] = [];

interface PdfViewProps {
  place: Place;
  find: boolean;
  onCloseFind(): void;
}

/** What a reader keeps when the file changes, such as a paper that is typeset again. */
interface Reading {
  /** The first visible page (0-based), and the part of it above the view, from 0 to 1. */
  page: number;
  above: number;
}

/** The pages of a PDF file, drawn as they come into view. Their text can be selected and searched. */
const PdfView = ({ place, find, onCloseFind }: PdfViewProps) => {
  const t = useT();
  const { projectId, threadId, path } = place;
  const [open, setOpen] = useState<{ version: number; pdf: PDFDocumentProxy; first: PageSize }>();
  const reading = useRef<Reading>({ page: 0, above: 0 });
  /** The document on the screen: it stays until the next one is open. */
  const shown = useRef<OpenPdf>(undefined);
  useEffect(() => () => shown.current?.close(), []);
  const [error, setError] = useState<string>();
  const [version, setVersion] = useState(0);
  const again = useCallback(() => setVersion((n) => n + 1), []);
  useChanged(projectId, threadId, path, again);
  useEffect(() => {
    let isOver = false;
    const fail = (thrown: unknown) => {
      if (!isOver) setError(thrown instanceof Error ? thrown.message : String(thrown));
    };
    openPdf({ projectId, threadId, path }, fail).then(async (document) => {
      const page = await document.pdf.getPage(1).catch((thrown: unknown) => {
        document.close();
        throw thrown;
      });
      if (isOver) return document.close();
      const { width, height } = page.getViewport({ scale: 1 });
      shown.current?.close();
      shown.current = document;
      setError(undefined);
      setOpen({ version, pdf: document.pdf, first: { width, height } });
    }, fail);
    return () => {
      isOver = true;
    };
  }, [projectId, threadId, path, version]);

  const found = usePdfSearch(open?.pdf);
  const failed =
    error === undefined
      ? undefined
      : { error: { message: t('files.pdfBroken'), detail: error }, onRetry: again };
  return (
    <div className="flex h-full flex-col">
      {find && (
        <FindBar
          search={found.search}
          onQuery={found.setQuery}
          onStep={found.step}
          onClose={() => {
            found.setQuery('');
            onCloseFind();
          }}
        />
      )}
      <div className="min-h-0 grow">
        {open !== undefined ? (
          <Kept failed={failed}>
            <Pages
              version={open.version}
              pdf={open.pdf}
              first={open.first}
              reading={reading}
              name={nameOf(path)}
              found={find ? found : undefined}
            />
          </Kept>
        ) : failed === undefined ? (
          <Skeleton lines={8} />
        ) : (
          <Failed {...failed} />
        )}
      </div>
    </div>
  );
};

interface ToolbarProps {
  /** 1-based. */
  page: number;
  pages: number;
  /** Pages that the view has. */
  shown: number;
  onZoom(factor: number): void;
}

const Toolbar = ({ page, pages, shown, onZoom }: ToolbarProps) => {
  const t = useT();
  return (
    <div className="flex h-8 shrink-0 items-center gap-0.5 border-b border-line px-1.5">
      <span className="grow px-1.5 text-small text-fg-3 tabular-nums">
        {t('files.pageOf', { page, pages })}
        {shown < pages && ` · ${t('files.pagesCut', { count: shown })}`}
      </span>
      <IconButton
        size="sm"
        label={t('files.smaller')}
        icon={<ZoomOut size={16} />}
        onClick={() => onZoom(1 / STEP)}
      />
      <IconButton
        size="sm"
        label={t('files.larger')}
        icon={<ZoomIn size={16} />}
        onClick={() => onZoom(STEP)}
      />
    </div>
  );
};

interface PagesProps {
  /** Counts the documents of this file. */
  version: number;
  pdf: PDFDocumentProxy;
  first: PageSize;
  reading: RefObject<Reading>;
  name: string;
  /** Undefined: nothing is searched. */
  found: Pick<ReturnType<typeof usePdfSearch>, 'places' | 'current' | 'isFollowed'> | undefined;
}

/** The toolbar and the view stay when the document is replaced, and keep the focus. */
const Pages = ({ version, pdf, first, reading, name, found }: PagesProps) => {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const [room, setRoom] = useState(400);
  const [zoom, setZoom] = useState(1);
  const [page, setPage] = useState(0);
  useEffect(() => {
    if (scroller === null) return;
    const watch = new ResizeObserver(() => setRoom(scroller.clientWidth));
    watch.observe(scroller);
    return () => watch.disconnect();
  }, [scroller]);
  const pages = Math.min(pdf.numPages, MAX_PAGES);
  const fitted = Math.min(FITTED, Math.max(SMALLEST_PAGE, room - 24) / first.width);
  return (
    <div className="flex h-full flex-col">
      <Toolbar
        page={page + 1}
        pages={pdf.numPages}
        shown={pages}
        onZoom={(factor) => setZoom(Math.max(0.2, Math.min(LARGEST, zoom * factor)))}
      />
      <div
        ref={setScroller}
        role="document"
        aria-label={name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
        tabIndex={0}
        className="min-h-0 grow overflow-auto bg-sunken -outline-offset-2"
      >
        {scroller !== null && (
          <PageRows
            key={version}
            {...{ pdf, pages, first, reading, scroller, found }}
            scale={limitedScale(first, fitted * zoom)}
            onPage={setPage}
          />
        )}
      </div>
    </div>
  );
};

interface PageRowsProps extends Pick<PagesProps, 'pdf' | 'first' | 'reading' | 'found'> {
  pages: number;
  scale: number;
  scroller: HTMLDivElement;
  /** Called with the page that is read (0-based). */
  onPage(page: number): void;
}

/** The pages of one document. */
const PageRows = ({ pdf, pages, first, reading, found, scale, scroller, onPage }: PageRowsProps) => {
  const { virtual, total, sizeOf, setSize } = usePageRows({ pages, first, scale, scroller });
  useReading(reading, virtual, scroller);
  const rows = virtual.getVirtualItems();
  const middle = readingAt(virtual.scrollOffset ?? 0, virtual.scrollRect?.height ?? 0, total);
  const current = (rows.find((row) => row.end > middle) ?? rows.at(-1))?.index ?? 0;
  useEffect(() => onPage(current), [onPage, current]);
  const places = found?.places ?? NO_PLACES;
  const foundAt = found?.current;
  const isFollowed = found?.isFollowed === true;
  const marks = useMarks();
  const byPage = useMemo(() => {
    const pages = new Map<number, PdfPlace[]>();
    for (const place of places) {
      const known = pages.get(place.page);
      if (known === undefined) pages.set(place.page, [place]);
      else known.push(place);
    }
    return pages;
  }, [places]);
  // A drawn page scrolls to the match itself, as soon as its text is there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once per match
  useEffect(() => {
    if (foundAt !== undefined && isFollowed && !rows.some(({ index }) => index === foundAt.page))
      virtual.scrollToIndex(foundAt.page, { align: 'start' });
  }, [foundAt]);
  const show = (range: Range) => {
    if (!isFollowed) return;
    const { top, bottom, left, right } = range.getBoundingClientRect();
    const view = scroller.getBoundingClientRect();
    if (top < view.top + MARGIN || bottom > view.bottom - MARGIN)
      scroller.scrollTop += top - view.top - view.height / 2;
    if (left < view.left || right > view.right) scroller.scrollLeft += left - view.left - view.width / 2;
  };
  return (
    <div className="relative mx-auto" style={{ height: total, width: first.width * scale }}>
      {rows.map(({ index, start }) => (
        <div key={index} className="absolute left-0 pt-3" style={{ top: start }}>
          <PdfPage
            pdf={pdf}
            number={index + 1}
            scale={scale}
            guess={sizeOf(index)}
            onSize={setSize}
            places={byPage.get(index) ?? NO_PLACES}
            current={foundAt?.page === index ? foundAt : undefined}
            marks={marks}
            onCurrent={show}
          />
        </div>
      ))}
    </div>
  );
};

/** Starts where the reader was, and notes where they are. */
function useReading(
  reading: RefObject<Reading>,
  virtual: Virtualizer<HTMLDivElement, Element>,
  scroller: HTMLDivElement,
) {
  useLayoutEffect(() => {
    const { page, above } = reading.current;
    const at = virtual.measurementsCache[page] ?? virtual.measurementsCache.at(-1);
    if (at !== undefined) scroller.scrollTop = at.start + above * at.size;
    const note = () => {
      const top = scroller.scrollTop;
      const row = virtual.getVirtualItemForOffset(top);
      if (row !== undefined) reading.current = { page: row.index, above: (top - row.start) / row.size };
    };
    scroller.addEventListener('scroll', note, { passive: true });
    return () => scroller.removeEventListener('scroll', note);
  }, [reading, virtual, scroller]);
}

/** The search highlights of this view; styles.css colors both names. */
function useMarks(): Marks {
  const [marks] = useState(
    (): Marks => ('highlights' in CSS ? { all: new Highlight(), current: new Highlight() } : null),
  );
  useEffect(() => {
    if (marks === null) return;
    CSS.highlights.set('found-on-page', marks.all);
    CSS.highlights.set('found-on-page-current', marks.current);
    return () => {
      CSS.highlights.delete('found-on-page');
      CSS.highlights.delete('found-on-page-current');
    };
  }, [marks]);
  return marks;
}

// Loaded when the first PDF file is opened.
export default PdfView;
