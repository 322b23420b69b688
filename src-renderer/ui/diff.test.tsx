import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Diff } from './diff';

const hunkAt = (line: number) => ({ oldStart: line, newStart: line, lines: ['-a', '+b'] });

it.each([
  [2, '1 unchanged line'],
  [4, '3 unchanged lines'],
])('says how many lines before line %d are unchanged', (line, text) => {
  render(<Diff label="Changes" hunks={[hunkAt(line)]} />);
  expect(screen.getByText(text)).toBeTruthy();
});

it('counts unchanged lines from the end of the hunk above, where each hunk has a diff of its own', () => {
  render(<Diff label="Changes" hunks={[hunkAt(12)]} above={hunkAt(9)} />);
  expect(screen.getByText('2 unchanged lines')).toBeTruthy();
});
