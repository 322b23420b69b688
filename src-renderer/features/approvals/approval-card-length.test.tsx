import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { asks, card, decided, decision, host, press, show, start, stop } from './testing/card';

beforeEach(start);
afterEach(stop);

const isHeading = (element: HTMLElement) => [...element.children].some(({ tagName }) => tagName === 'H3');

/** Gives elements heights, which happy-dom does not. */
const giveHeights = (
  heights: Partial<Record<'scrollHeight' | 'clientHeight', number>>,
  to: (element: HTMLElement) => boolean,
) =>
  Object.entries(heights).map(([name, value]) =>
    vi.spyOn(HTMLElement.prototype, name as 'scrollHeight', 'get').mockImplementation(function (
      this: HTMLElement,
    ) {
      return to(this) ? value : 0;
    }),
  );

describe('a long approval card', () => {
  it('shows the end of a long command, and allows it only after scrolling there [S161]', async () => {
    const heights = { scrollHeight: 900, clientHeight: 200 };
    const spies = giveHeights(heights, (element) => !isHeading(element));
    asks({ command: `${'true\n'.repeat(90)}rm -rf payload` });
    await show();
    expect(screen.getByText(/^true\ntrue\nrm -rf payload$/, { normalizer: (text) => text })).toBeTruthy();
    await press(/Allow once/);
    fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true });
    expect(decided(host)).toEqual([]);
    expect(screen.getByText('Scroll to the end first.')).toBeTruthy();
    const region = screen.getByRole('region', { name: 'Exact command' });
    region.scrollTop = 700;
    fireEvent.scroll(region);
    await press(/Allow once/);
    expect(decided(host)).toEqual([]);
    const body = screen.getByRole('group', { name: 'What it does' });
    body.scrollTop = 700;
    fireEvent.scroll(body);
    await press(/Allow once/);
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
    for (const spy of spies) spy.mockRestore();
  });

  it('is allowed only after scrolling to the end of a heading that names a very long path', async () => {
    const spies = giveHeights({ scrollHeight: 300, clientHeight: 80 }, isHeading);
    asks({ command: 'touch a' });
    await show();
    await press(/Allow once/);
    fireEvent.keyDown(card(), { key: 'Enter' });
    expect(decided(host)).toEqual([]);
    expect(screen.getByText('Scroll to the end first.')).toBeTruthy();
    const heading = screen.getByRole('heading', { level: 3 }).parentElement as HTMLElement;
    expect(heading.tabIndex).toBe(0);
    fireEvent.keyDown(card(), { key: 'End' });
    expect(heading.scrollTop).toBe(300);
    fireEvent.scroll(heading);
    await press(/Allow once/);
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
    for (const spy of spies) spy.mockRestore();
  });

  it('is allowed only after scrolling to the end of the card where the whole card scrolls', async () => {
    asks({ command: 'touch a' });
    // Like an element without overflow of its own in one that scrolls.
    const spy = vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(function (
      this: HTMLElement,
    ) {
      return this.hasAttribute('data-approval') ? 900 : 0;
    });
    await show();
    await press(/Allow once/);
    fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true });
    expect(decided(host)).toEqual([]);
    fireEvent.keyDown(card(), { key: 'End' });
    expect(card().scrollTop).toBe(900);
    fireEvent.scroll(card());
    await press(/Allow once/);
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
    spy.mockRestore();
  });

  it('scrolls a long command with the keys of the card, first on the way to the end and last on the way back', async () => {
    const heights = { scrollHeight: 900, clientHeight: 240 };
    const spies = giveHeights(heights, (element) => !isHeading(element));
    asks({ command: 'true\n'.repeat(90) });
    await show();
    const command = screen.getByRole('region', { name: 'Exact command' });
    const body = screen.getByRole('group', { name: 'What it does' });
    const scrolled = (...keys: string[]) => {
      for (const key of keys) fireEvent.keyDown(card(), { key });
      return [command.scrollTop, body.scrollTop];
    };
    expect(scrolled('PageDown')).toEqual([200, 0]);
    expect(scrolled(' ', 'PageDown', 'PageDown')).toEqual([800, 0]);
    expect(scrolled('PageDown')).toEqual([800, 200]);
    expect(scrolled('PageUp')).toEqual([800, 0]);
    expect(scrolled('PageUp')).toEqual([600, 0]);
    command.scrollTop = 0;
    expect(scrolled('End')).toEqual([900, 900]);
    for (const spy of spies) spy.mockRestore();
  });
});
