import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Conflict } from './conflict';

afterEach(cleanup);
const CUT = /^Showing the first 2,000 lines of the diff\./;
const nothing = () => undefined;
const show = (mine: string, theirs: string) =>
  render(
    <Conflict mine={mine} theirs={theirs} onKeepMine={nothing} onTakeTheirs={nothing} onBack={nothing} />,
  );

it('says that it shows part of a long difference, and that the choice applies to all of it', async () => {
  show(Array.from({ length: 2_001 }, (_, at) => `mine ${at}\n`).join(''), '');
  expect((await screen.findByText(CUT)).textContent).toContain('Your choice applies to the whole file.');
});

it('shows a short difference whole without that note', async () => {
  show('mine\n', 'theirs\n');
  expect((await screen.findByText('mine')).textContent).toBe('mine');
  expect(screen.queryByText(CUT)).toBeNull();
});
