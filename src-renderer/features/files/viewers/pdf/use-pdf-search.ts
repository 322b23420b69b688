import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Search } from '../../use-search';
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
  /** The view goes to the current match. It stays where it is when only the file changed. */
  isFollowed: boolean;
}
const NONE: Found = { query: '', places: [], at: -1, cut: false, isSearching: false, isFollowed: true };

/** The match that is nearest to the one before the file changed: on its page, if possible. */
function nearestPlace(places: readonly PdfPlace[], before: PdfPlace | undefined): number {
  if (before === undefined) return places.length === 0 ? -1 : 0;
  const away = ({ page, begin }: PdfPlace) => [Math.abs(page - before.page), Math.abs(begin - before.begin)];
  const order = places.map((place, index) => ({ index, away: away(place) }));
  order.sort((one, other) => {
    const [page = 0, start = 0] = one.away;
    const [otherPage = 0, otherStart = 0] = other.away;
    return page - otherPage || start - otherStart;
  });
  return order[0]?.index ?? -1;
}

/**
 * Searches all pages from the first, visible or not, and shows matches as it finds them. A changed file is searched again
 * and keeps the current match. Undefined: no document is open yet.
 */
export function usePdfSearch(pdf: PDFDocumentProxy | undefined) {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState(NONE);
  const texts = useRef<{ of: PDFDocumentProxy | undefined; pages: Map<number, PageText> }>(undefined);
  /** The query of the last search, and its current match. */
  const last = useRef<{ query: string; place: PdfPlace | undefined }>({ query: '', place: undefined });
  const place = found.places[found.at];
  if (place !== undefined) last.current.place = place;
  useEffect(() => {
    if (pdf === undefined || query.trim() === '') {
      last.current = { query: '', place: undefined };
      setFound(NONE);
      return;
    }
    const isSame = last.current.query === query;
    const before = isSame ? last.current.place : undefined;
    last.current = { query, place: before };
    if (texts.current?.of !== pdf) texts.current = { of: pdf, pages: new Map() };
    const { pages } = texts.current;
    let isOver = false;
    const search = async () => {
      const places: PdfPlace[] = [];
      for (let page = 0; page < Math.min(pdf.numPages, MAX_PAGES) && places.length < MAX_MATCHES; page += 1) {
        const known = pages.get(page);
        const text = known ?? pageText(await (await pdf.getPage(page + 1)).getTextContent());
        if (isOver) return;
        pages.set(page, text);
        const more = placesIn(text.text, query);
        if (more.length === 0) continue;
        places.push(...more.map((place) => ({ ...place, page })));
        const shown = [...places];
        setFound((now) => ({
          ...now,
          places: shown,
          at: before === undefined ? Math.max(0, now.at) : now.at,
          cut: true,
          isSearching: false,
        }));
      }
      setFound((now) => ({
        ...now,
        places,
        at: now.at < 0 ? nearestPlace(places, before) : now.at,
        cut: places.length >= MAX_MATCHES || pdf.numPages > MAX_PAGES,
        isSearching: false,
      }));
    };
    setFound((now) => ({
      ...now,
      query,
      // The marks of another document would be in the wrong places.
      places: isSame ? [] : now.places,
      at: -1,
      isSearching: true,
      isFollowed: !isSame,
    }));
    const timer = setTimeout(() => {
      // A page that cannot be read stops the search; earlier matches stay.
      search().catch(() => {
        if (!isOver) setFound((now) => ({ ...now, isSearching: false, cut: true }));
      });
    }, AFTER);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [query, pdf]);
  const step = useCallback(
    (by: 1 | -1) =>
      setFound((now) => {
        const { length } = now.places;
        // Until a page has answered, the matches are those of the query before.
        return now.at < 0 ? now : { ...now, at: (now.at + by + length) % length, isFollowed: true };
      }),
    [],
  );
  const search = useMemo((): Search => {
    const { places, isFollowed: _, ...rest } = found;
    return { ...rest, lines: places.map(({ page }) => page) };
  }, [found]);
  return {
    search,
    places: found.places,
    current: found.places[found.at],
    isFollowed: found.isFollowed,
    setQuery,
    step,
  };
}
