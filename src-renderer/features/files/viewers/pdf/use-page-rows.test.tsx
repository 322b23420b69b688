import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { usePageRows } from './use-page-rows';

afterEach(cleanup);

const first = { width: 600, height: 800 };
const scroller = document.createElement('div');
const rowsAt = (scale: number) =>
  renderHook((props: { scale: number }) => usePageRows({ pages: 3, first, scroller, ...props }), {
    initialProps: { scale },
  });
const tops = ({ virtual }: ReturnType<typeof usePageRows>) => {
  virtual.getVirtualItems();
  return virtual.measurementsCache.map(({ start }) => start);
};

it('assumes the height of the first page for pages that have not been read', () => {
  const { result } = rowsAt(1);
  expect(tops(result.current)).toEqual([0, 812, 1_624]);
  expect(result.current.sizeOf(2)).toEqual(first);
});

it('gives a page its own height once it is read, at every scale', () => {
  const { result, rerender } = rowsAt(1);
  act(() => result.current.setSize(1, { width: 800, height: 300 }));
  rerender({ scale: 1 });
  expect(tops(result.current)).toEqual([0, 812, 1_124]);
  expect(result.current.total).toBe(1_936);
  rerender({ scale: 2 });
  expect(tops(result.current)).toEqual([0, 1_612, 2_224]);
});

it('never lays a page out larger than the limit', () => {
  const { result, rerender } = rowsAt(2);
  act(() => result.current.setSize(0, { width: 10, height: 1_000_000 }));
  rerender({ scale: 2 });
  expect(tops(result.current)[1]).toBe(20_012);
});
