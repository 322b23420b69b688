import { useVirtualizer } from '@tanstack/react-virtual';
import { ZoomIn, ZoomOut } from 'lucide-react';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useT } from '../../../i18n';
import { IconButton, Skeleton } from '../../../ui';
import { useChanged } from '../use-changed';
import { type OpenPdf, openPdf } from './pdf-document';
import { nameOf, type Place } from './place';
import { Failed } from './waiting';

/** Pixels between two pages. */
const GAP = 12;
const STEP = 1.25;
const LARGEST = 8;

interface PageSize {
  width: number;
  height: number;
}

/** The pages of a PDF file, drawn as they come into view. */
const PdfView = ({ place }: { place: Place }) => {
  const { projectId, threadId, path } = place;
  const [open, setOpen] = useState<{ pdf: PDFDocumentProxy; first: PageSize }>();
  const [error, setError] = useState<string>();
  const [version, setVersion] = useState(0);
  useChanged(
    projectId,
    threadId,
    path,
    useCallback(() => setVersion((n) => n + 1), []),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened again when the file changed
  useEffect(() => {
    let opened: OpenPdf | undefined;
    let isOver = false;
    const fail = (thrown: unknown) => {
      if (!isOver) setError(thrown instanceof Error ? thrown.message : String(thrown));
    };
    openPdf({ projectId, threadId, path }, fail).then(async (document) => {
      opened = document;
      if (isOver) return document.close();
      const { width, height } = (await document.pdf.getPage(1)).getViewport({ scale: 1 });
      if (isOver) return;
      setError(undefined);
      setOpen({ pdf: document.pdf, first: { width, height } });
    }, fail);
    return () => {
      isOver = true;
      opened?.close();
    };
  }, [projectId, threadId, path, version]);

  if (error !== undefined) return <Broken detail={error} />;
  if (open === undefined) return <Skeleton lines={8} />;
  return <Pages key={version} pdf={open.pdf} first={open.first} name={nameOf(path)} />;
};

const Broken = ({ detail }: { detail: string }) => {
  const t = useT();
  return <Failed error={{ message: t('files.pdfBroken'), detail }} />;
};

const Pages = ({ pdf, first, name }: { pdf: PDFDocumentProxy; first: PageSize; name: string }) => {
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(400);
  const [zoom, setZoom] = useState(1);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const watch = new ResizeObserver(() => setRoom(element.clientWidth));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const scale = Math.max(0.1, ((room - 24) / first.width) * zoom);
  const virtual = useVirtualizer({
    count: pdf.numPages,
    getScrollElement: () => scroller.current,
    estimateSize: () => first.height * scale + GAP,
    overscan: 1,
    initialRect: { width: 400, height: 800 },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights go by the scale
  useEffect(() => virtual.measure(), [scale, virtual]);
  const rows = virtual.getVirtualItems();
  const current = rows.find((row) => row.end > (virtual.scrollOffset ?? 0) + 40)?.index ?? 0;
  const zoomBy = (factor: number) => setZoom(Math.max(0.2, Math.min(LARGEST, zoom * factor)));
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-8 shrink-0 items-center gap-0.5 border-b border-line px-1.5">
        <span className="grow px-1.5 text-small text-fg-3 tabular-nums">
          {t('files.pageOf', { page: current + 1, pages: pdf.numPages })}
        </span>
        <IconButton
          size="sm"
          label={t('files.smaller')}
          icon={<ZoomOut size={16} />}
          onClick={() => zoomBy(1 / STEP)}
        />
        <IconButton
          size="sm"
          label={t('files.larger')}
          icon={<ZoomIn size={16} />}
          onClick={() => zoomBy(STEP)}
        />
      </div>
      <div
        ref={scroller}
        role="document"
        aria-label={name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="min-h-0 grow overflow-auto bg-sunken -outline-offset-2"
      >
        <div
          className="relative mx-auto"
          style={{ height: virtual.getTotalSize(), width: first.width * scale }}
        >
          {rows.map(({ index, start }) => (
            <div key={index} className="absolute left-0 pt-3" style={{ top: start }}>
              <Page pdf={pdf} number={index + 1} scale={scale} guess={first} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
};

const Page = (props: { pdf: PDFDocumentProxy; number: number; scale: number; guess: PageSize }) => {
  const { pdf, number, scale, guess } = props;
  const t = useT();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    let stop = () => {};
    let isOver = false;
    const draw = async () => {
      const page = await pdf.getPage(number);
      const target = canvas.current;
      if (isOver || target === null) return;
      const sharp = Math.min(window.devicePixelRatio || 1, 2);
      const viewport = page.getViewport({ scale: scale * sharp });
      target.width = Math.floor(viewport.width);
      target.height = Math.floor(viewport.height);
      target.style.width = `${viewport.width / sharp}px`;
      target.style.height = `${viewport.height / sharp}px`;
      const task = page.render({ canvas: target, viewport });
      stop = () => task.cancel();
      await task.promise;
      const { items } = await page.getTextContent();
      if (!isOver) setText(items.map((item) => ('str' in item ? item.str : '')).join(' '));
    };
    // A page that cannot be drawn stays white; the others are shown.
    draw().catch(() => undefined);
    return () => {
      isOver = true;
      stop();
    };
  }, [pdf, number, scale]);
  return (
    <>
      <canvas
        ref={canvas}
        role="img"
        aria-label={t('files.page', { page: number })}
        className="bg-white shadow-float"
        style={{ width: guess.width * scale, height: guess.height * scale }}
      />
      <p className="sr-only">{text}</p>
    </>
  );
};

// Loaded when the first PDF file is opened.
export default PdfView;
