// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { moveAmong } from './move-among';

afterEach(cleanup);

describe('a list of rows', () => {
  it('moves with the arrows, Home and End, and leaves keys within a row alone', () => {
    render(
      <ul onKeyDown={(event) => moveAmong(event, 'button')}>
        {['one', 'two', 'three'].map((name) => (
          <li key={name}>
            <button type="button">{name}</button>
            <input aria-label={`note of ${name}`} />
          </li>
        ))}
      </ul>,
    );
    const focused = () => document.activeElement?.textContent;
    // False if the key was handled.
    const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
    screen.getByText('one').focus();
    expect([press('ArrowDown'), focused()]).toEqual([false, 'two']);
    expect([press('End'), focused()]).toEqual([false, 'three']);
    expect([press('ArrowDown'), focused()]).toEqual([false, 'three']);
    expect([press('Home'), focused()]).toEqual([false, 'one']);
    expect([press('x'), focused()]).toEqual([true, 'one']);
    screen.getByLabelText('note of two').focus();
    expect(press('ArrowDown')).toBe(true);
    expect(document.activeElement).toBe(screen.getByLabelText('note of two'));
  });
});
