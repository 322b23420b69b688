import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Search } from '../use-search';
import { MAX_PAGES } from './pdf-limits';
import { type PagePlace, type PageText, pageText, placesIn } from './pdf-text';

/** A match on a page (0-based). */
export interface PdfPlace extends PagePlace {
  page: number;
}

/** Maximum number of matches. */
const MAX_MATCHES = 5_000;
/** Milliseconds without typing before the pages are searched. */
const AFTER = 120;

interface Found {
  query: string;
  places: readonly PdfPlace[];
  at: number;
  cut: boolean;
  isSearching: boolean;
}
const NONE: Found = { query: '', places: [], at: -1, cut: false, isSearching: false };

/** Searches all pages from the first, visible or not, and shows matches as it finds them. */
export function usePdfSearch(pdf: PDFDocumentProxy) {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState(NONE);
  const texts = useRef(new Map<number, PageText>());
  useEffect(() => {
    if (query.trim() === '') {
      setFound(NONE);
      return;
    }
    let isOver = false;
    const search = async () => {
      const places: PdfPlace[] = [];
      for (let page = 0; page < Math.min(pdf.numPages, MAX_PAGES) && places.length < MAX_MATCHES; page += 1) {
        const known = texts.current.get(page);
        const text = known ?? pageText(await (await pdf.getPage(page + 1)).getTextContent());
        if (isOver) return;
        texts.current.set(page, text);
        const more = placesIn(text.text, query);
        if (more.length === 0) continue;
        places.push(...more.map((place) => ({ ...place, page })));
        const shown = [...places];
        setFound((before) => ({
          query,
          places: shown,
          at: Math.max(0, before.at),
          cut: true,
          isSearching: false,
        }));
      }
      setFound(({ at }) => ({
        query,
        places,
        at: places.length === 0 ? -1 : Math.max(0, at),
        cut: places.length >= MAX_MATCHES || pdf.numPages > MAX_PAGES,
        isSearching: false,
      }));
    };
    setFound((before) => ({ ...before, query, at: -1, isSearching: true }));
    const timer = setTimeout(() => {
      // A page that cannot be read stops the search; earlier matches stay.
      search().catch(() => setFound((before) => ({ ...before, isSearching: false, cut: true })));
    }, AFTER);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [query, pdf]);
  const step = useCallback(
    (by: 1 | -1) =>
      setFound((before) => {
        const { length } = before.places;
        return length === 0 ? before : { ...before, at: (before.at + by + length) % length };
      }),
    [],
  );
  const search = useMemo((): Search => {
    const { places, ...rest } = found;
    return { ...rest, lines: places.map(({ page }) => page) };
  }, [found]);
  return { search, places: found.places, current: found.places[found.at], setQuery, step };
}
