import type { Approval } from '@contract/approvals';
import { ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { start } from '../../../link';
import { type FakeHost, fakeHost } from '../../../testing/fake-host';
import { questionApproval } from '../../../testing/sample-approvals';
import { sampleApp } from '../../../testing/samples';
import { ApprovalCard } from '../approval-card';
import type { ApprovalCardProps } from '../approval-card-props';
import { ARM_AFTER } from '../use-armed';

describe('a card with questions', () => {
  let host: FakeHost;
  let stop: () => void;
  beforeEach(() => {
    vi.useFakeTimers();
    host = fakeHost(sampleApp(), [], { 'thread.decide': () => ok({}) });
    stop = start(host.port);
  });
  afterEach(() => {
    cleanup();
    stop();
    vi.useRealTimers();
  });

  const show = async (approval: Approval = questionApproval(), more: Partial<ApprovalCardProps> = {}) => {
    render(<ApprovalCard approval={approval} mount="/home/me/my-api" mac={false} {...more} />);
    await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
    card().focus();
  };
  const card = () => screen.getByRole('dialog');
  const key = async (name: string, more: object = {}) => {
    fireEvent.keyDown(document.activeElement ?? card(), { key: name, ...more });
    await act(() => vi.advanceTimersByTimeAsync(0));
  };
  const press = async (name: string) => {
    fireEvent.click(screen.getByRole('button', { name }));
    await act(() => vi.advanceTimersByTimeAsync(0));
  };
  const sent = () =>
    host.calls
      .filter((one) => one.command === 'thread.decide')
      .map(({ input }) => (input as { decision: { type: string; text?: string } }).decision)
      .map(({ type, text, ...rest }) => [type, text === undefined ? rest : JSON.parse(text)]);

  it('says how many questions there are, and which agent asks', async () => {
    await show();
    expect(screen.getByRole('dialog', { name: 'The agent has 2 questions' })).toBe(card());
    cleanup();
    const questions = [{ question: 'What is it called?' }];
    await show(questionApproval({ agent: 'explorer', preview: { kind: 'questions', questions } }));
    expect(screen.getByRole('dialog', { name: 'explorer has a question' })).toBe(card());
    expect(screen.getByRole('textbox', { name: 'Your answer' })).toBeTruthy();
  });

  it('is answered by digits and Enter alone', async () => {
    await show();
    await key('2');
    expect(screen.getByRole('radio', { name: 'SQLite' })).toHaveProperty('checked', true);
    await key('Enter');
    expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Home' }));
    await key('1');
    await key('3');
    expect(sent()).toEqual([]);
    await key('Enter');
    expect(sent()).toEqual([['respond', [{ choices: ['SQLite'] }, { choices: ['Home', 'Blog'] }]]]);
  });

  it('shows the text of the question whose answer gets the focus', async () => {
    await show(questionApproval({ digest: 'scrolled' }));
    const [first, second] = [...card().querySelectorAll<HTMLElement>('[data-question]')];
    const area = second?.parentElement as HTMLElement;
    Object.defineProperties(area, { scrollHeight: { value: 400 }, clientHeight: { value: 100 } });
    vi.spyOn(area, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 50, 300, 100));
    vi.spyOn(first as HTMLElement, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 58, 300, 200));
    vi.spyOn(second as HTMLElement, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 250, 300, 200));
    await key('2');
    expect(area.scrollTop).toBe(0);
    await key('Enter');
    expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Home' }));
    expect(area.scrollTop).toBe(192);
  });

  it('is answered by arrows and Enter, which chooses where nothing is chosen', async () => {
    await show();
    await key('ArrowDown');
    await key('ArrowDown');
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'SQLite' }));
    await key('Enter');
    expect(screen.getByRole('radio', { name: 'SQLite' })).toHaveProperty('checked', true);
    await key('Enter');
    await key('Enter');
    expect(sent()).toEqual([]);
    await key('Enter');
    expect(sent()).toEqual([['respond', [{ choices: ['SQLite'] }, { choices: ['Home'] }]]]);
  });

  it('accepts free text, in which digits are text and Shift+Enter is a new line', async () => {
    await show();
    const [field, second] = screen.getAllByRole('textbox', { name: 'Your own words (optional)' });
    field?.focus();
    await key('1');
    await key('Enter', { shiftKey: true });
    expect(sent()).toEqual([]);
    expect(screen.getByRole('radio', { name: 'PostgreSQL' })).toHaveProperty('checked', false);
    fireEvent.change(field ?? card(), { target: { value: ' MySQL ' } });
    fireEvent.change(second ?? card(), { target: { value: 'none' } });
    await key('Enter');
    expect(sent()).toEqual([
      [
        'respond',
        [
          { choices: [], text: 'MySQL' },
          { choices: [], text: 'none' },
        ],
      ],
    ]);
  });

  it('changes a single choice, and removes one of several', async () => {
    await show();
    await key('1');
    await key('2');
    await key('Enter');
    await key('1');
    await key('2');
    await key('1');
    await press('Send 2 answers');
    expect(sent()).toEqual([['respond', [{ choices: ['SQLite'] }, { choices: ['About'] }]]]);
  });

  it('sends nothing while a question is open or the card has just appeared', async () => {
    render(<ApprovalCard approval={questionApproval()} mount="" mac={false} />);
    fireEvent.click(screen.getByRole('radio', { name: 'SQLite' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Home' }));
    await press('Send 2 answers');
    expect(sent()).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Home' }));
    await press('Send 2 answers');
    expect(sent()).toEqual([]);
  });

  it('declines with a message on Esc, and goes back on a second one', async () => {
    await show();
    await key('Escape');
    expect(screen.getByRole('textbox', { name: 'Message for the agent (optional)' })).toBe(
      document.activeElement,
    );
    await key('Escape');
    expect(document.activeElement).toBe(card());
    await key('Escape');
    fireEvent.change(document.activeElement ?? card(), { target: { value: 'you choose' } });
    await key('Enter');
    expect(sent()).toEqual([['reject', { message: 'you choose' }]]);
  });

  it('keeps half-given answers and a message while another thread is shown, until they are sent', async () => {
    const approval = questionApproval({ id: 'half' });
    await show(approval);
    await key('2');
    const [field] = screen.getAllByRole('textbox', { name: 'Your own words (optional)' });
    fireEvent.change(field ?? card(), { target: { value: 'or MySQL' } });
    cleanup();
    await show(approval);
    expect(screen.getByRole('radio', { name: 'SQLite' })).toHaveProperty('checked', true);
    expect(screen.getByDisplayValue('or MySQL')).toBeTruthy();
    await key('Escape');
    fireEvent.change(document.activeElement ?? card(), { target: { value: 'not now' } });
    cleanup();
    await show(approval);
    await key('Escape');
    await key('Enter');
    expect(sent()).toEqual([['reject', { message: 'not now' }]]);
    cleanup();
    await show(approval);
    expect(screen.getByRole('radio', { name: 'SQLite' })).toHaveProperty('checked', false);
  });

  it('leaves Esc to a container that needs it', async () => {
    await show(questionApproval(), { keepsEscape: true });
    await key('Escape');
    expect(screen.queryByRole('button', { name: 'Decline' })).toBeNull();
    await press('Decline…');
    await press('Decline');
    expect(sent()).toEqual([['reject', {}]]);
  });

  it('moves to another pending call on N and P, but not while typing', async () => {
    const onStep = vi.fn();
    await show(questionApproval(), { onStep });
    await key('n');
    await key('p');
    screen.getAllByRole('textbox')[0]?.focus();
    await key('n');
    expect(onStep.mock.calls).toEqual([[1], [-1]]);
  });
});
