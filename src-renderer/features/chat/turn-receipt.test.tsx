import type { TurnFile } from '@contract/changes';
import type { Output } from '@contract/commands';
import { Message } from '@contract/conversation';
import { ProjectId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onIntent, start } from '../../link';
import { type FakeHost, fakeHost } from '../../testing/fake-host';
import { sampleApp, sampleThread } from '../../testing/samples';
import { FolderGone } from './folder-gone';
import { type Segment, segmentsOf } from './segments';
import { TurnReceipt } from './turn-receipt';

const threadId = sampleThread().thread.id;
let count = 0;
const user = (text: string, more: object = {}) =>
  Message.parse({ role: 'user', id: `u${count++}`, at: 1, text, ...more });
const agent = (calls: object[], more: object = {}) =>
  Message.parse({
    role: 'agent',
    id: `a${count++}`,
    at: 1,
    text: '',
    reasoning: '',
    phase: 'done',
    calls: calls.map((call) => ({ callId: `c${count++}`, name: 'x', args: {}, status: 'done', ...call })),
    ...more,
  });
const command = (text: string, exitCode: number) => ({
  display: 'command',
  args: { command: text },
  exitCode,
  startedAt: 1,
  status: exitCode === 0 ? 'done' : 'failed',
});
const file = (path: string, more: Partial<TurnFile> = {}): TurnFile => ({
  path,
  change: 'changed',
  added: 3,
  removed: 1,
  lost: false,
  undone: null,
  ...more,
});

const receiptsOf = (messages: Message[], active = false) =>
  segmentsOf(messages, undefined, 0, active).segments.filter(
    (one): one is Extract<Segment, { kind: 'receipt' }> => one.kind === 'receipt',
  );

describe('where a turn ends', () => {
  beforeEach(() => {
    count = 0;
  });

  it('is before the next turn and at the end, but not at a message during a turn or while one is active', () => {
    const messages = [
      user('a'),
      user('b'),
      agent([{}]),
      user('c', { duringTurn: true }),
      agent([]),
      user('d'),
      agent([]),
    ];
    const asked = (active: boolean) => receiptsOf(messages, active).map(({ turn }) => turn.asked);
    expect(asked(false)).toEqual([['u0', 'u1', 'u4'], ['u6']]);
    expect(asked(true)).toEqual([['u0', 'u1', 'u4']]);
    expect(receiptsOf([agent([]), user('x')])).toEqual([]);
  });
});

describe('the receipt of a turn', () => {
  let host: FakeHost;
  let stop: () => void;
  let files: TurnFile[];
  let more: number;
  let undo: Output<'changes.turn'>['undo'];
  const intents: unknown[] = [];
  let unlisten: () => void;
  beforeEach(() => {
    count = 0;
    intents.length = 0;
    files = [file('src/orders.ts')];
    more = 0;
    undo = { done: 0, reverts: [], possible: true };
    host = fakeHost(sampleApp(), [], {
      'changes.turn': () => ok({ files, more, undo }),
      'memories.used': () => ok({ turns: [], choices: {} }),
    });
    stop = start(host.port);
    unlisten = onIntent((intent) => intents.push(intent));
  });
  afterEach(() => {
    cleanup();
    unlisten();
    stop();
  });
  const draw = (messages: Message[], gone = false) => {
    const { nested } = segmentsOf(messages);
    const [receipt] = receiptsOf(messages);
    if (!receipt) throw new Error('There is no receipt.');
    render(
      <FolderGone value={gone}>
        <TurnReceipt threadId={threadId} mount="/home/me/my-api" turn={receipt.turn} nested={nested} />
      </FolderGone>,
    );
  };
  const section = () => screen.findByRole('group', { name: 'What this turn did' });

  it('does not show a command as failed that the person stopped', async () => {
    const stopped = { ...command('npm test', 0), exitCode: undefined, status: 'cancelled' };
    const lost = { ...command('npm run lint', 0), exitCode: undefined, status: 'failed' };
    draw([user('a'), agent([stopped, lost])]);
    const inSection = within(await section());
    expect((await inSection.findByText('canceled')).className).not.toContain('text-deny');
    expect(inSection.getByText('failed').className).toContain('text-deny');
  });

  it('names files with lines, commands with exit codes, memories, and cost, of sub-agents too', async () => {
    const task = agent([{ callId: 't', display: 'delegate', name: 'task' }], { costMicroDollars: 10_000 });
    draw([
      user('go'),
      task,
      agent([command('npm test', 1)], { parentCallId: 't', costMicroDollars: 20_000 }),
      agent([
        command('npm run lint', 0),
        { memory: { path: '/memories/a.md', change: 'created', undone: false } },
      ]),
    ]);
    await within(await section()).findByText('orders.ts');
    const line = within(await section()).getByRole('button', { expanded: false });
    expect(line.textContent).toBe(
      'orders.ts +33 lines added−11 line removed · npm test exit 1 · npm run lint exit 0 · 1 memory changed · $0.03',
    );
    fireEvent.click(line);
    fireEvent.click(screen.getByRole('button', { name: 'src/orders.ts' }));
    expect(intents).toEqual([{ type: 'openFile', path: '/home/me/my-api/src/orders.ts' }]);
  });

  it('counts what it does not name, and says how many commands failed', async () => {
    files = [file('a'), file('b'), file('c')];
    draw([user('go'), agent([command('a', 0), command('b', 1), command('c', 2)])]);
    await within(await section()).findByText(/3 files changed/);
    expect((await section()).textContent).toContain('3 commands · 2 failed');
  });

  it('counts the files that it does not list as undone, too, and no lines without theirs', async () => {
    files = [file('a', { undone: 'r1' }), file('b', { undone: 'r1' }), file('c', { undone: 'r1' })];
    more = 97;
    undo = { done: 99, reverts: ['r1', 'r2'], possible: true };
    draw([user('go'), agent([{ display: 'edit' }])]);
    const of = within(await section());
    expect((await of.findByRole('button', { expanded: false })).textContent).toBe('100 files changed');
    expect(of.getByRole('status').textContent).toBe('99 of 100 undone');
    fireEvent.click(of.getByRole('button', { name: 'Restore' }));
    expect(intents).toHaveLength(2);
  });

  it('offers review and undo, and after an undo the way back until the files change again', async () => {
    draw([user('go'), agent([{ display: 'edit' }])]);
    const of = within(await section());
    fireEvent.click(await of.findByRole('button', { name: 'Review' }));
    fireEvent.click(of.getByRole('button', { name: 'Undo the file changes of this turn' }));
    files = [file('src/orders.ts', { undone: 'r1' })];
    undo = { done: 1, reverts: ['r1'], possible: false };
    host.emitApp({ type: 'changes.recorded', projectId: ProjectId.parse('p1'), threadId });
    fireEvent.click(await of.findByRole('button', { name: 'Restore' }));
    expect(of.getByRole('status').textContent).toBe('Undone');
    expect(of.queryByRole('button', { name: /^Undo/ })).toBeNull();
    expect(intents).toEqual([
      { type: 'showChanges', threadId, since: 'u0' },
      { type: 'revert', threadId, scope: { kind: 'turn', messageId: 'u0' }, shownInPlace: true },
      { type: 'revert', threadId, scope: { kind: 'revert', revertId: 'r1' }, shownInPlace: true },
    ]);
  });

  it('says that the folder is missing instead of offering what needs it', async () => {
    draw([user('go'), agent([{ display: 'edit' }])], true);
    const of = within(await section());
    await of.findByText('The folder is missing.');
    expect(of.queryByRole('button', { name: /^(Undo|Review|Restore)/ })).toBeNull();
    fireEvent.click(of.getByRole('button', { expanded: false }));
    expect(of.queryByRole('button', { name: 'src/orders.ts' })).toBeNull();
    of.getByText('src/orders.ts');
  });

  it('is empty for a turn that only looked, and asks for no files then', () => {
    const { container } = render(<div />);
    draw([user('go'), agent([{ display: 'read' }]), agent([], { text: 'Done.' })]);
    expect(container.ownerDocument.querySelector('[role=group]')).toBeNull();
    expect(host.calls.map(({ command }) => command)).not.toContain('changes.turn');
  });
});
