import { type PDFDocumentProxy, TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { useT } from '../../../../i18n';
import { limitedScale, limitedSharpness, type PageSize } from './pdf-limits';
import { type PagePlace, type PageText, pageText, rangeOf } from './pdf-text';

/** The highlights of a search; null if the browser cannot highlight without changing the document. */
export type Marks = Record<'all' | 'current', Highlight> | null;

interface PdfPageProps {
  pdf: PDFDocumentProxy;
  /** 1-based. */
  number: number;
  scale: number;
  /** Used until the page has been read. */
  guess: PageSize;
  /** Called with the size of a page (0-based `index`) once it has been read. */
  onSize(index: number, size: PageSize): void;
  /** The search matches on this page. */
  places: readonly PagePlace[];
  current: PagePlace | undefined;
  marks: Marks;
  /** Called when the current match is drawn. */
  onCurrent(range: Range): void;
}

interface Drawn {
  text: PageText;
  pieces: readonly HTMLElement[];
}

/** The variables that pdf.js sizes its text layer by. */
const sizes = (scale: number): CSSProperties & Record<`--${string}`, string | number> => ({
  '--total-scale-factor': scale,
  '--scale-round-x': '1px',
  '--scale-round-y': '1px',
});

/** One page: its image, and over it an invisible text layer for selection, search and screen readers. */
export const PdfPage = (props: PdfPageProps) => {
  const { pdf, number, scale, guess, onSize, places, current, marks, onCurrent } = props;
  const t = useT();
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<Drawn>();
  /** The fraction of the requested scale that a too large page gets. */
  const [share, setShare] = useState(1);
  useEffect(() => {
    const stops: (() => void)[] = [];
    let isOver = false;
    const draw = async () => {
      const page = await pdf.getPage(number);
      const [target, words] = [canvas.current, layer.current];
      if (isOver || target === null || words === null) return;
      const size = page.getViewport({ scale: 1 });
      onSize(number - 1, { width: size.width, height: size.height });
      const shown = limitedScale(size, scale);
      setShare(shown / scale);
      const sharp = limitedSharpness(size, shown, Math.min(window.devicePixelRatio || 1, 2));
      const viewport = page.getViewport({ scale: shown * sharp });
      target.width = Math.floor(viewport.width);
      target.height = Math.floor(viewport.height);
      target.style.width = `${viewport.width / sharp}px`;
      target.style.height = `${viewport.height / sharp}px`;
      const task = page.render({ canvas: target, viewport });
      stops.push(() => task.cancel());
      await task.promise;
      const content = await page.getTextContent();
      if (isOver) return;
      words.replaceChildren();
      const text = new TextLayer({
        textContentSource: content,
        container: words,
        viewport: page.getViewport({ scale: shown }),
      });
      stops.push(() => text.cancel());
      await text.render();
      if (!isOver) setDrawn({ text: pageText(content), pieces: text.textDivs });
    };
    // A page that cannot be drawn stays white; the others are still shown.
    draw().catch(() => undefined);
    return () => {
      isOver = true;
      for (const stop of stops) stop();
    };
  }, [pdf, number, scale, onSize]);

  useEffect(() => {
    if (drawn === undefined || marks === null) return;
    const { text, pieces } = drawn;
    const ranges = places.flatMap((place) => rangeOf(place, text, pieces) ?? []);
    for (const range of ranges) marks.all.add(range);
    return () => {
      for (const range of ranges) marks.all.delete(range);
    };
  }, [drawn, places, marks]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once per match, not on each render of the list
  useEffect(() => {
    const range = drawn && current ? rangeOf(current, drawn.text, drawn.pieces) : null;
    if (range === null) return;
    marks?.current.add(range);
    onCurrent(range);
    return () => {
      marks?.current.delete(range);
    };
  }, [drawn, current, marks]);

  const guessedScale = limitedScale(guess, scale);
  return (
    <div className="relative bg-white shadow-float" style={sizes(scale * share)}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={t('files.page', { page: number })}
        className="block"
        style={{ width: guess.width * guessedScale, height: guess.height * guessedScale }}
      />
      <div ref={layer} className="pdf-words selectable" />
    </div>
  );
};
