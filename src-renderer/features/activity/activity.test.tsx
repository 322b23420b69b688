import { ActivityEntry } from '@contract/activity';
import { Rule } from '@contract/control';
import { ProjectId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { usePort } from '../../link';
import { giveElementsSize } from '../../testing/layout';
import { type Answers, panelHost } from '../../testing/panel-host';
import { sampleApp } from '../../testing/samples';
import { ActivityDialog } from './activity-dialog';

const npm = Rule.parse({
  id: 'r1',
  createdAt: 1,
  effect: 'allow',
  match: { kind: 'command', words: ['npm', 'test'], exact: false },
  scope: { kind: 'project', projectId: 'p1' },
});
const entry = (change: Record<string, unknown> = {}): ActivityEntry =>
  ActivityEntry.parse({
    id: 3,
    projectId: 'p1',
    threadId: 't1',
    title: 'Fix the failing test',
    callId: 'c1',
    at: Date.now() - 120_000,
    tool: 'execute',
    display: 'command',
    about: 'npm test',
    reason: 'Allowed by your rule "npm test …".',
    ruleId: 'r1',
    mode: 'ask-risky',
    outside: true,
    status: 'done',
    exitCode: 1,
    durationMs: 2_100,
    result: 'not ok 1',
    stepCostMicroDollars: 12_000,
    files: 2,
    undone: false,
    ...change,
  });
const read = entry({
  id: 2,
  callId: 'c2',
  tool: 'read_file',
  display: 'read',
  about: '/home/me/my-api/a.ts',
  reason: 'Reading changes nothing.',
  ruleId: undefined,
  outside: false,
  exitCode: undefined,
  files: 0,
});

let stop = () => {};
beforeEach(giveElementsSize);
afterEach(() => {
  cleanup();
  stop();
});

function open(entries: ActivityEntry[], answers: Answers = {}) {
  const host = panelHost(
    { ...sampleApp(), rules: [npm] },
    {
      'activity.list': ({ before }) =>
        ok(before === null ? { entries, next: null } : { entries: [], next: null }),
      ...answers,
    },
  );
  stop = host.stop;
  const onUndo = vi.fn(async () => undefined);
  const onClose = vi.fn();
  const place = { projectId: ProjectId.parse('p1'), threadId: null, ruleId: null };
  const Gate = () =>
    usePort().phase === 'ready' ? <ActivityDialog place={place} onClose={onClose} onUndo={onUndo} /> : null;
  render(<Gate />);
  return { ...host, onUndo, onClose };
}
const row = async (text: string) => {
  const found = (await screen.findByText(text)).closest('li');
  if (!found) throw new Error(`no row with ${text}`);
  return found;
};

describe('the activity dialog', () => {
  it('shows what allowed each call and its result, and more when expanded', async () => {
    open([entry(), read]);
    const ran = await row('npm test');
    expect(ran.textContent).toContain('Allowed by your rule "npm test …".');
    expect(ran.textContent).toContain('exit 1');
    expect(ran.textContent).toContain('2 files changed');
    fireEvent.click(within(ran).getByRole('button', { expanded: false }));
    expect(ran.textContent).toContain('not ok 1');
    expect(ran.textContent).toContain('Mode: Ask before changes');
    expect(ran.textContent).toContain('its step cost $0.01');
    expect((await row('a.ts')).textContent).toContain('Reading changes nothing.');
  });

  it("undoes a call's changes with one click", async () => {
    const host = open([entry(), read]);
    fireEvent.click(within(await row('npm test')).getByRole('button', { name: 'Undo changes' }));
    expect(host.onUndo).toHaveBeenCalledWith(expect.objectContaining({ threadId: 't1', callId: 'c1' }));
    await waitFor(() => expect(host.asked('activity.list')).toHaveLength(2));
    const none = within(await row('a.ts')).getByRole('button', { name: /^No files changed/ });
    expect(none.hasAttribute('disabled')).toBe(true);
  });

  it('offers no undo of files whose folder is missing, and says so', async () => {
    const { onUndo } = open([entry({ projectId: 'p3' })]);
    const gone = within(await row('npm test')).getByRole('button', { name: 'The folder is missing.' });
    expect(gone.hasAttribute('disabled')).toBe(true);
    fireEvent.click(gone);
    expect(onUndo).not.toHaveBeenCalled();
  });

  it('undoes a memory as a memory', async () => {
    const memory = { path: '/memories/a.md', change: 'created', undone: false };
    const host = open(
      [entry({ tool: 'write_file', display: 'write', about: '/memories/a.md', memory, files: 0 })],
      {
        'memories.undo': () => ok({}),
      },
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Undo the change to /memories/a.md' }));
    await waitFor(() => expect(host.asked('memories.undo')).toEqual([{ threadId: 't1', callId: 'c1' }]));
    expect(host.onUndo).not.toHaveBeenCalled();
  });

  it('revokes the rule with one click, and the row says so', async () => {
    const host = open([entry()], { 'rules.remove': () => ok({}) });
    const ran = await row('npm test');
    fireEvent.click(within(ran).getByRole('button', { name: 'Revoke the rule npm test …' }));
    await waitFor(() => expect(host.asked('rules.remove')).toEqual([{ id: 'r1' }]));
    host.emit({ type: 'rules.changed', rules: [] });
    await waitFor(() => expect(within(ran).queryByRole('button', { name: /^Revoke/ })).toBe(null));
    fireEvent.click(within(ran).getByRole('button', { expanded: false }));
    expect(ran.textContent).toContain('This rule has been revoked.');
  });

  it('filters by words, place and rule, and can include read-only calls', async () => {
    const host = open([]);
    await screen.findByText('Nothing has run without asking here.');
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search activity' }), {
      target: { value: 'npm' },
    });
    await screen.findByText('No matching calls.');
    fireEvent.change(screen.getByRole('combobox', { name: 'Scope' }), { target: { value: '' } });
    fireEvent.change(screen.getByRole('combobox', { name: 'Allowed by' }), { target: { value: 'r1' } });
    fireEvent.click(screen.getByRole('checkbox', { name: 'Include read-only' }));
    await waitFor(() =>
      expect(host.asked('activity.list').at(-1)).toEqual({
        projectId: null,
        threadId: null,
        ruleId: 'r1',
        query: 'npm',
        looks: true,
        before: null,
      }),
    );
  });

  it('loads older calls page by page', async () => {
    open([entry()], {
      'activity.list': ({ before }) =>
        ok(before === null ? { entries: [entry()], next: 3 } : { entries: [read], next: null }),
    });
    await row('npm test');
    fireEvent.click(screen.getByRole('button', { name: 'Show earlier' }));
    await row('a.ts');
    expect(screen.queryByRole('button', { name: 'Show earlier' })).toBe(null);
  });
});
