import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { type Looks, useTheme } from './theme';

const Themed = (looks: Looks) => {
  useTheme(looks);
  return null;
};
const root = document.documentElement;
afterEach(cleanup);

it('applies the chosen appearance to the document, and removes it', () => {
  const { rerender } = render(<Themed theme="dark" contrast="more" motion="less" fontSize={125} />);
  expect([
    root.dataset.theme,
    root.hasAttribute('data-high-contrast'),
    root.hasAttribute('data-less-motion'),
    root.style.getPropertyValue('--font-scale'),
  ]).toEqual(['dark', true, true, '1.25']);
  rerender(<Themed theme="light" contrast="system" motion="system" />);
  expect([
    root.dataset.theme,
    root.hasAttribute('data-high-contrast'),
    root.hasAttribute('data-less-motion'),
    root.style.getPropertyValue('--font-scale'),
  ]).toEqual(['light', false, false, '1']);
});
