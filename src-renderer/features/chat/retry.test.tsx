import { AgentMessage, type Notice } from '@contract/conversation';
import { ProjectId, ThreadId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { onIntent, usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { NoticeNote } from './notice-note';
import { RetryLine } from './retry-line';
import { StepCost } from './step-cost';

const threadId = ThreadId.parse('t1');
let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const Waiting = ({ inMs }: { inMs: number }) =>
  usePort().phase === 'ready' ? (
    <RetryLine
      threadId={threadId}
      retry={{
        attempt: 1,
        until: Date.now() + inMs,
        error: fail('rate_limited', 'external', { text: 'Too many.' }).error,
      }}
    />
  ) : null;

describe('a request that is retried', () => {
  it('says when and why, and can be stopped', async () => {
    const host = panelHost({}, { 'thread.stop': () => ok({}) });
    stop = host.stop;
    render(<Waiting inMs={11_900} />);
    expect(await screen.findByText('Retrying in 12 s (rate limited)')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    await waitFor(() => expect(host.asked('thread.stop')).toEqual([{ threadId }]));
  });

  it('does not count below zero', async () => {
    stop = panelHost({}, {}).stop;
    render(<Waiting inMs={-500} />);
    expect((await screen.findAllByText('Retrying (rate limited)')).length).toBe(2);
  });
});

describe('a notice', () => {
  const note = (actions: Notice['actions']) =>
    render(
      <NoticeNote
        threadId={threadId}
        error={fail('spending_limit', 'external', { text: 'Enough.' }).error}
        actions={actions}
        current
      />,
    );

  it.each([
    ['ceiling', 'Raise limit…'],
    ['price', 'Enter price…'],
  ] as const)('links to the place where the %s is set', (action, label) => {
    const sections: string[] = [];
    const undo = onIntent((intent) => intent.type === 'openSettings' && sections.push(intent.section));
    note([action, 'retry']);
    fireEvent.click(screen.getByRole('button', { name: label }));
    undo();
    expect(sections).toEqual(['spending']);
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });

  it.each([
    ['hooks_waiting', 'Review hooks…', 'hooks'],
    ['instructions_name_unknown_tool', 'Edit instructions…', 'instructions'],
  ] as const)('links to the settings that it names: %s', (code, label, section) => {
    const sections: string[] = [];
    const undo = onIntent((intent) => intent.type === 'openSettings' && sections.push(intent.section));
    const { error } = fail('denied', code);
    render(<NoticeNote threadId={threadId} error={error} actions={[]} current={false} />);
    fireEvent.click(screen.getByRole('button', { name: label }));
    undo();
    expect(sections).toEqual([section]);
  });

  it('links to the routine whose budget is used up', () => {
    const intents: unknown[] = [];
    const undo = onIntent((intent) => intents.push(intent));
    note(['budget', 'retry']);
    fireEvent.click(screen.getByRole('button', { name: 'Raise budget…' }));
    undo();
    expect(intents).toEqual([{ type: 'openRoutine', routineId: null, field: 'budget' }]);
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });

  it('offers no way to continue while the folder is missing, says why, and offers to select its new location', async () => {
    const host = panelHost({}, { 'project.reattach': () => ok({ project: null }) });
    stop = host.stop;
    render(
      <NoticeNote
        threadId={threadId}
        error={fail('cancelled', 'interrupted').error}
        actions={['continue']}
        current
        missing={ProjectId.parse('p')}
      />,
    );
    const goOn = screen.getByRole<HTMLButtonElement>('button', { name: 'Continue' });
    expect(goOn.disabled).toBe(true);
    expect(screen.getByRole('alert').textContent).toContain('put the folder back');
    fireEvent.click(screen.getByRole('button', { name: 'Choose new location…' }));
    await waitFor(() => expect(host.asked('project.reattach')).toEqual([{ projectId: 'p' }]));
  });

  it('has no buttons if it only informs', () => {
    note([]);
    expect(screen.queryAllByRole('button')).toEqual([]);
  });
});

describe('an answer', () => {
  const answer = (change: object): AgentMessage =>
    AgentMessage.parse({
      role: 'agent',
      id: 'm1',
      at: 1,
      text: 'Done.',
      reasoning: '',
      calls: [],
      phase: 'done',
      model: 'anthropic:claude',
      usage: { input: 200, output: 30, cacheRead: 1_000, cacheWrite: 0, reasoning: 0 },
      ...change,
    });

  it('shows what its request cost, or that the cost is unknown', () => {
    const { container, rerender } = render(<StepCost message={answer({ costMicroDollars: 4_200 })} />);
    const [cost] = container.children;
    expect([cost?.textContent, cost?.getAttribute('title')]).toEqual([
      '$0.0042',
      '1,200 in, 30 out · 1,000 of the input from cache · anthropic:claude',
    ]);
    rerender(<StepCost message={answer({ costMicroDollars: null })} />);
    expect(container.textContent).toBe('price unknown');
    rerender(<StepCost message={answer({ usage: undefined })} />);
    expect(container.textContent).toBe('');
  });
});
