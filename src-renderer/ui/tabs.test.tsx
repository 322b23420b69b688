// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { Tabs } from './tabs';

afterEach(cleanup);

describe('tabs', () => {
  const tabs = ['One', 'Two'].map((label) => ({
    id: label,
    label,
    content: <button type="button">{label}!</button>,
  }));
  const drawn = (value: string) => <Tabs label="Parts" tabs={tabs} value={value} onChange={() => {}} />;
  const focused = () => document.activeElement?.textContent;

  it('move the focus along if a shortcut selects another tab', () => {
    const { rerender } = render(drawn('One'));
    screen.getByRole('tab', { name: 'One' }).focus();
    rerender(drawn('Two'));
    expect(focused()).toBe('Two');
  });

  it('leave the focus alone that is elsewhere', () => {
    const { rerender } = render(drawn('One'));
    rerender(drawn('Two'));
    expect(document.activeElement).toBe(document.body);
  });
});
