import { RoutineInfo } from '@contract/routines';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { LanguageProvider } from '../../i18n';
import { MissedOffer } from './missed-offer';

afterEach(cleanup);

it('writes times in the new language when the person switches it', () => {
  const missed = { dueAt: Date.parse('2025-03-03T09:00:00Z'), times: 1 };
  const routine = RoutineInfo.parse({
    ...{ id: 'r1', name: 'Report', projectId: 'p1', prompt: 'go', schedule: 'every day at 9', createdAt: 1 },
    ...{ timeZone: 'UTC', model: 'offline:guide', mode: null, isOn: true, nextAt: null, missed },
    ...{ budget: { microDollars: null, tokens: null }, record: null, runs: [] },
  });
  const offer = <MissedOffer routine={routine} missed={missed} named />;
  const { rerender } = render(<LanguageProvider language="en">{offer}</LanguageProvider>);
  expect(screen.getByRole('status').textContent).toContain('Mar 3');
  rerender(<LanguageProvider language="zh">{offer}</LanguageProvider>);
  expect(screen.getByRole('status').textContent).toContain('3月3日');
  expect(screen.getByRole('status').textContent).not.toContain('Mar');
});
