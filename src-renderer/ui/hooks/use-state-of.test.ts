import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useStateOf } from './use-state-of';

it('forgets the state of an owner that is no longer shown', () => {
  const { result, rerender } = renderHook(({ owner }) => useStateOf(owner, false), {
    initialProps: { owner: 'a' },
  });
  act(() => result.current[1](true));
  expect(result.current[0]).toBe(true);
  rerender({ owner: 'b' });
  expect(result.current[0]).toBe(false);
  rerender({ owner: 'a' });
  expect(result.current[0]).toBe(false);
});

it('ignores what a former owner sets late', () => {
  const { result, rerender } = renderHook(({ owner }) => useStateOf(owner, 0), {
    initialProps: { owner: 'a' },
  });
  const [, setOfA] = result.current;
  rerender({ owner: 'b' });
  act(() => result.current[1](1));
  act(() => setOfA(2));
  expect(result.current[0]).toBe(1);
});
