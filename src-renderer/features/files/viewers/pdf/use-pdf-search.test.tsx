import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterEach, expect, it } from 'vitest';
import { usePdfSearch } from './use-pdf-search';

afterEach(cleanup);

/** A document with a text on each page. */
const documentOf = (...pages: string[]) =>
  ({
    numPages: pages.length,
    getPage: async (number: number) => ({
      getTextContent: async () => ({ items: [{ str: pages[number - 1], hasEOL: false }] }),
    }),
  }) as unknown as PDFDocumentProxy;

async function searched(query: string, ...pages: string[]) {
  const hook = renderHook(({ pdf }) => usePdfSearch(pdf), { initialProps: { pdf: documentOf(...pages) } });
  act(() => hook.result.current.setQuery(query));
  await settled(hook);
  return hook;
}
const settled = ({ result }: { result: { current: ReturnType<typeof usePdfSearch> } }) =>
  waitFor(() => expect(result.current.search).toMatchObject({ isSearching: false, cut: false }));

it('goes to the first match of a query, and to the next one', async () => {
  const { result } = await searched('word', 'a word', 'no', 'word word');
  expect(result.current).toMatchObject({ current: { page: 0 }, isFollowed: true });
  expect(result.current.places).toHaveLength(3);
  act(() => result.current.step(1));
  expect(result.current).toMatchObject({ current: { page: 2, begin: 0 }, isFollowed: true });
});

it.each([1, -1] as const)(
  'goes to the first match if it is asked for another one (%i) too early',
  async (by) => {
    const { result } = await searched('a', 'a word, a word, a word');
    act(() => result.current.setQuery('word'));
    act(() => result.current.step(by));
    await waitFor(() =>
      expect(result.current.search).toMatchObject({ query: 'word', isSearching: false, cut: false }),
    );
    expect(result.current.search.at).toBe(0);
  },
);

it('keeps its query and its match when the file changes, without moving the view', async () => {
  const hook = await searched('word', 'a word', 'no', 'word word');
  act(() => hook.result.current.step(-1));
  expect(hook.result.current.current).toMatchObject({ page: 2, begin: 5 });
  hook.rerender({ pdf: documentOf('a word and a word', 'no', 'word, word') });
  await waitFor(() => expect(hook.result.current.places).toHaveLength(4));
  await settled(hook);
  expect(hook.result.current).toMatchObject({ current: { page: 2, begin: 6 }, isFollowed: false });
  expect(hook.result.current.search).toMatchObject({ query: 'word', at: 3 });
  act(() => hook.result.current.step(1));
  expect(hook.result.current).toMatchObject({ current: { page: 0, begin: 2 }, isFollowed: true });
});

it('finds nothing in a text that is gone, and all of it once it is back', async () => {
  const hook = await searched('word', 'a word', 'a word');
  hook.rerender({ pdf: documentOf('nothing') });
  await waitFor(() => expect(hook.result.current.search).toMatchObject({ at: -1, lines: [] }));
  await settled(hook);
  hook.rerender({ pdf: documentOf('a word') });
  await waitFor(() => expect(hook.result.current.search).toMatchObject({ at: 0, lines: [0] }));
});
