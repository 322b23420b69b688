import { cleanup, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { reportSizes } from '../../testing/layout';
import { Tabs } from '../tabs';
import { useSelectedInView } from './use-selected-in-view';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const List = ({ selected }: { selected: string }) => {
  const list = useRef<HTMLDivElement>(null);
  useSelectedInView(list, selected);
  return (
    <div ref={list} role="tablist">
      {['a', 'b'].map((one) => (
        <button key={one} type="button" role="tab" aria-selected={one === selected}>
          {one}
        </button>
      ))}
    </div>
  );
};
const Row = ({ selected }: { selected: string }) => (
  <Tabs
    label="Panels"
    value={selected}
    onChange={() => undefined}
    tabs={['a', 'b'].map((id) => ({ id, label: id, content: id }))}
  />
);

it.each([
  ['a list', List],
  ['a row of panels', Row],
])('shows the selected tab of %s, also after the size changes', (_name, Shown) => {
  const shown: (string | null)[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    shown.push(this.textContent);
  });
  const resize = reportSizes();
  const { rerender } = render(<Shown selected="a" />);
  expect(shown).toEqual(['a']);
  rerender(<Shown selected="b" />);
  expect(shown).toEqual(['a', 'b']);
  resize();
  expect(shown).toEqual(['a', 'b', 'b']);
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('b');
});
