import { Rule } from '@contract/control';
import { fail, ok } from '@contract/result';
import { because } from '@contract/shared/reasons';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { card, decided, decision, host, press, show, start, stop } from './testing/card';

beforeEach(start);
afterEach(stop);

describe('rules on an approval card', () => {
  it('shows what a rule would have allowed before it is saved, and then allows the call', async () => {
    const match = { kind: 'command' as const, words: ['npm', 'test'], exact: false };
    host.answers['rules.suggest'] = () => ok({ matches: [{ ...match, exact: true }, match], refused: null });
    host.answers['rules.preview'] = (draft) =>
      ok({
        refused: null,
        checked: 7,
        covered: [],
        coveredCalls: draft.match.kind === 'command' && draft.match.exact ? 0 : 2,
        nearMiss: { text: 'npm i', reason: because('runs_scripts'), risk: 'medium', happened: true },
      });
    host.answers['rules.save'] = ({ draft }) => ok(Rule.parse({ ...draft, id: 'r1', createdAt: 1 }));
    await show();
    await press('Always…');
    expect(within(card()).getByText(/none of the last 7 calls/)).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: 'npm test …' }));
    fireEvent.change(screen.getByRole('combobox', { name: 'Scope' }), { target: { value: 'project' } });
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(
      within(card()).getByText('It would have allowed 2 of the last 7 calls without asking:'),
    ).toBeTruthy();
    expect(card().textContent).toContain(
      'The riskiest similar calls that still need approval: npm i: it runs scripts',
    );
    await press('Save rule and allow');
    const saved = host.calls.filter((one) => one.command === 'rules.save').map((one) => one.input);
    expect(saved).toEqual([
      { draft: { effect: 'allow', match, scope: { kind: 'project', projectId: 'p1' } } },
    ]);
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
  });

  it('shows an error about a rule only until another one is chosen', async () => {
    const match = { kind: 'command' as const, words: ['npm', 'test'], exact: false };
    host.answers['rules.suggest'] = () => ok({ matches: [{ ...match, exact: true }, match], refused: null });
    host.answers['rules.preview'] = (draft) =>
      draft.match.kind === 'command' && draft.match.exact
        ? fail('storage', 'external', { text: 'The database is locked.' })
        : ok({ refused: null, checked: 7, covered: [], coveredCalls: 0, nearMiss: null });
    await show();
    await press('Always…');
    expect(within(card()).getByText('The database is locked.')).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: 'npm test …' }));
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(within(card()).getByText(/none of the last 7 calls/)).toBeTruthy();
    expect(within(card()).queryByText('The database is locked.')).toBeNull();
  });

  it('says why no rule is possible', async () => {
    host.answers['rules.suggest'] = () => ok({ matches: [], refused: because('rule_deletes') });
    await show();
    await press('Always…');
    expect(within(card()).getByText(/^Every deletion needs approval/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Save rule and allow' })).toBeNull();
  });
});
