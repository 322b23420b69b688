import { RoutineInfo } from '@contract/routines';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { LanguageProvider } from '../../i18n';
import { MissedOffer } from './missed-offer';

afterEach(cleanup);

const offered = (missed: { dueAt: number; times: number }) => {
  const routine = RoutineInfo.parse({
    ...{ id: 'r1', name: 'Report', projectId: 'p1', prompt: 'go', schedule: 'every day at 9', createdAt: 1 },
    ...{ timeZone: 'UTC', model: 'offline:guide', mode: null, isOn: true, nextAt: null, missed },
    ...{ budget: { microDollars: null, tokens: null }, record: null, runs: [] },
  });
  return <MissedOffer routine={routine} missed={missed} named />;
};

it('says that it did not count all of very many missed runs', () => {
  const dueAt = Date.parse('2025-03-03T09:00:00Z');
  const { rerender } = render(offered({ dueAt, times: 999 }));
  expect(screen.getByRole('status').textContent).toContain('Missed 999 times');
  rerender(offered({ dueAt, times: 1_000 }));
  expect(screen.getByRole('status').textContent).toContain('Missed at least 1,000 times');
});

it('writes times in the new language when the person switches it', () => {
  const offer = offered({ dueAt: Date.parse('2025-03-03T09:00:00Z'), times: 1 });
  const { rerender } = render(<LanguageProvider language="en">{offer}</LanguageProvider>);
  expect(screen.getByRole('status').textContent).toContain('Mar 3');
  rerender(<LanguageProvider language="zh">{offer}</LanguageProvider>);
  expect(screen.getByRole('status').textContent).toContain('3月3日');
  expect(screen.getByRole('status').textContent).not.toContain('Mar');
});
