import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useFault } from './use-fault';

afterEach(cleanup);

it('makes a fault of a field that is not shown one of the whole form, once', () => {
  const { result } = renderHook(() => useFault<'name'>({ current: null }));
  act(() => result.current.setFault({ field: 'name', message: 'Enter a name.' }));
  expect(result.current.fault).toEqual({ field: null, message: 'Enter a name.' });
  expect(result.current.at('name')).toBeUndefined();
});
