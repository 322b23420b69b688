import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useEntered } from './use-entered';

afterEach(cleanup);

it('keeps what is entered before effects have run, until something else is applied', () => {
  const { result, rerender } = renderHook(({ known }) => useEntered(known), { initialProps: { known: 'a' } });
  act(() => result.current[1]('typed'));
  expect(result.current[0]).toBe('typed');
  rerender({ known: 'a' });
  expect(result.current[0]).toBe('typed');
  rerender({ known: 'undone' });
  expect(result.current[0]).toBe('undone');
  // What was entered before does not come back.
  rerender({ known: 'a' });
  expect(result.current[0]).toBe('a');
});
