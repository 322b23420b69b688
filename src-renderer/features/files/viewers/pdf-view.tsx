import type { Virtualizer } from '@tanstack/react-virtual';
import { ZoomIn, ZoomOut } from 'lucide-react';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useT } from '../../../i18n';
import { IconButton, Skeleton } from '../../../ui';
import { FindBar } from '../find-bar';
import { useChanged } from '../use-changed';
import { type OpenPdf, openPdf } from './pdf-document';
import { limitedScale, MAX_PAGES, type PageSize } from './pdf-limits';
import { type Marks, PdfPage } from './pdf-page';
import { nameOf, type Place } from './place';
import { readingAt } from './reading-at';
import { usePageRows } from './use-page-rows';
import { type PdfPlace, usePdfSearch } from './use-pdf-search';
import { Failed } from './waiting';

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
  zoom: number;
  /** The first visible page (0-based), and the part of it above the view, from 0 to 1. */
  page: number;
  above: number;
}

/** The pages of a PDF file, drawn as they come into view. Their text can be selected and searched. */
const PdfView = ({ place, find, onCloseFind }: PdfViewProps) => {
  const { projectId, threadId, path } = place;
  const [open, setOpen] = useState<{ version: number; pdf: PDFDocumentProxy; first: PageSize }>();
  const reading = useRef<Reading>({ zoom: 1, page: 0, above: 0 });
  /** The document on the screen: it stays until the next one is open. */
  const shown = useRef<OpenPdf>(undefined);
  useEffect(() => () => shown.current?.close(), []);
  const [error, setError] = useState<string>();
  const [version, setVersion] = useState(0);
  useChanged(
    projectId,
    threadId,
    path,
    useCallback(() => setVersion((n) => n + 1), []),
  );
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
        {error !== undefined ? (
          <Broken detail={error} />
        ) : open === undefined ? (
          <Skeleton lines={8} />
        ) : (
          <Pages
            key={open.version}
            pdf={open.pdf}
            first={open.first}
            reading={reading}
            name={nameOf(path)}
            found={find ? found : undefined}
          />
        )}
      </div>
    </div>
  );
};

const Broken = ({ detail }: { detail: string }) => {
  const t = useT();
  return <Failed error={{ message: t('files.pdfBroken'), detail }} />;
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
  pdf: PDFDocumentProxy;
  first: PageSize;
  reading: RefObject<Reading>;
  name: string;
  /** Undefined: nothing is searched. */
  found: Pick<ReturnType<typeof usePdfSearch>, 'places' | 'current' | 'isFollowed'> | undefined;
}

const Pages = ({ pdf, first, reading, name, found }: PagesProps) => {
  const scroller = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(400);
  const [zoom, setZoom] = useState(reading.current.zoom);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const watch = new ResizeObserver(() => setRoom(element.clientWidth));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const pages = Math.min(pdf.numPages, MAX_PAGES);
  const fitted = Math.min(FITTED, Math.max(SMALLEST_PAGE, room - 24) / first.width);
  const scale = limitedScale(first, fitted * zoom);
  const { virtual, total, sizeOf, setSize } = usePageRows({ pages, first, scale, scroller });
  const { onScroll } = useReading(reading, virtual, scroller);
  const rows = virtual.getVirtualItems();
  const middle = readingAt(virtual.scrollOffset ?? 0, virtual.scrollRect?.height ?? 0, total);
  const current = (rows.find((row) => row.end > middle) ?? rows.at(-1))?.index ?? 0;
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
    const element = scroller.current;
    if (element === null || !isFollowed) return;
    const { top, bottom, left, right } = range.getBoundingClientRect();
    const view = element.getBoundingClientRect();
    if (top < view.top + MARGIN || bottom > view.bottom - MARGIN)
      element.scrollTop += top - view.top - view.height / 2;
    if (left < view.left || right > view.right) element.scrollLeft += left - view.left - view.width / 2;
  };
  const zoomBy = (factor: number) => {
    reading.current.zoom = Math.max(0.2, Math.min(LARGEST, zoom * factor));
    setZoom(reading.current.zoom);
  };
  return (
    <div className="flex h-full flex-col">
      <Toolbar page={current + 1} pages={pdf.numPages} shown={pages} onZoom={zoomBy} />
      <div
        ref={scroller}
        role="document"
        aria-label={name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
        tabIndex={0}
        className="min-h-0 grow overflow-auto bg-sunken -outline-offset-2"
        onScroll={onScroll}
      >
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
      </div>
    </div>
  );
};

/** Starts where the reader was, and notes where they are. */
function useReading(
  reading: RefObject<Reading>,
  virtual: Virtualizer<HTMLDivElement, Element>,
  scroller: RefObject<HTMLDivElement | null>,
) {
  useLayoutEffect(() => {
    const { page, above } = reading.current;
    const row = virtual.measurementsCache[page] ?? virtual.measurementsCache.at(-1);
    if (scroller.current !== null && row !== undefined)
      scroller.current.scrollTop = row.start + above * row.size;
  }, [reading, virtual, scroller]);
  const onScroll = () => {
    const top = scroller.current?.scrollTop ?? 0;
    const row = virtual.getVirtualItemForOffset(top);
    if (row === undefined) return;
    reading.current.page = row.index;
    reading.current.above = (top - row.start) / row.size;
  };
  return { onScroll };
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
