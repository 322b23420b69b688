import { fireEvent, render, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { giveElementsSize } from '../../../testing/layout';
import { field, Held, startComposer, stopComposer, type } from './testing/composer-with-host';

giveElementsSize();
beforeEach(startComposer);
afterEach(stopComposer);

describe('message history', () => {
  it('is browsed with the arrow keys in an empty composer, and leaves edited text alone', async () => {
    render(<Held />);
    for (const text of ['one', 'two']) {
      const area = await type(text);
      fireEvent.keyDown(area, { key: 'Enter' });
      await waitFor(() => expect(area.value).toBe(''));
    }
    const area = await field();
    const press = (key: string) => {
      fireEvent.keyDown(area, { key });
      return area.value;
    };
    expect([press('ArrowUp'), press('ArrowUp'), press('ArrowUp')]).toEqual(['two', 'one', 'one']);
    expect([press('ArrowDown'), press('ArrowDown'), press('ArrowDown')]).toEqual(['two', '', '']);
    await type('mine');
    expect(press('ArrowUp')).toBe('mine');
  });
});
