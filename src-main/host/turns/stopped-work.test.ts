import { expect, it } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { ThreadState } from '../../contract/conversation';
import { TerminalId } from '../../contract/ids';
import { COMMAND_STOPPED, STOPPED_BY_PERSON } from '../../harness/agent/stopped';
import { type Part, SlowModel } from '../testing/slow-model';
import { isIdle, isWaiting, setUp } from '../testing/window';

/** Milliseconds for whole threads on a busy machine. */
const SLOW = 30_000;

const TOKEN = 'ghp_kJ82hs91ksOq02nsLa91MspZk38Q1aPq92mX';

const named = (state: ThreadState, name: string) =>
  state.messages.flatMap((one) => (one.role === 'agent' ? one.calls : [])).filter((one) => one.name === name);

const task = (description: string) => ({
  name: 'task',
  args: { description, subagent_type: 'general-purpose' },
});

it(
  'returns the output of a command that the person stopped when the thread continues',
  async () => {
    const t = await setUp();
    const model = SlowModel.into(t.host, [
      // In two parts, because the call is the model's own text: only its output is redacted.
      [
        {
          name: 'execute',
          args: { command: `touch began; echo token ghp_\${X}${TOKEN.slice(4)}; printf %s half; sleep 300` },
        },
      ],
      ['Fine.'],
    ]);
    await t.say('work');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until((state) => named(state, 'execute')[0]?.terminalId !== undefined);
    const terminalId = TerminalId.parse(t.window.calls[0]?.terminalId);
    const printing = async () => {
      const shown = await t.window.client.call('terminal.attach', { terminalId });
      return shown.ok ? shown.value.data : inEnglish(shown.error);
    };
    await expect.poll(printing).toContain('half');
    await t.window.must('thread.stop', { threadId: t.threadId });
    await t.window.until(isIdle);
    const printed = `token [secret redacted: GitHub token, #1]\nhalf\n${COMMAND_STOPPED}`;
    expect(t.window.calls.map(({ status, result }) => [status, result])).toEqual([['cancelled', printed]]);
    await t.say('what now');
    await t.window.until((state) => isIdle(state) && model.requests.length === 2);
    const results = model.requests[1]?.filter((one) => one.type === 'tool');
    expect(results?.map((one) => one.text)).toEqual([printed]);
  },
  SLOW,
);

const filesOf = async (t: Awaited<ReturnType<typeof setUp>>) => {
  const saved = await t.host.storage.checkpointer.getTuple({ configurable: { thread_id: t.threadId } });
  return saved?.checkpoint.channel_values.files as Record<string, { content: string }> | undefined;
};

it(
  'keeps the scratch files of a sub-agent that is stopped while it works',
  async () => {
    const t = await setUp();
    SlowModel.into(t.host, [
      [task('look around')],
      [{ name: 'write_file', args: { file_path: '/findings.md', content: 'so far' } }],
      ['hang'],
      ['It was stopped.'],
    ]);
    await t.say('work');
    await t.window.until((state) => named(state, 'write_file')[0]?.status === 'done');
    const [asked] = t.window.calls;
    await t.window.must('thread.stopCall', { threadId: t.threadId, callId: asked?.callId });
    await t.window.until(isIdle);
    expect(named(await t.window.until(isIdle), 'task').map(({ result }) => result)).toEqual([
      STOPPED_BY_PERSON,
    ]);
    await t.host.turns.settled(t.threadId);
    expect((await filesOf(t))?.['/findings.md']?.content).toBe('so far');
  },
  SLOW,
);

it(
  'keeps the scratch files of a sub-agent that is stopped while it waits for the person',
  async () => {
    const t = await setUp();
    SlowModel.into(t.host, [
      [task('look around')],
      [{ name: 'write_file', args: { file_path: '/findings.md', content: 'so far' } }],
      [{ name: 'execute', args: { command: 'touch never' } }],
      ['It was stopped.'],
    ]);
    await t.say('work');
    await t.window.until(isWaiting(1));
    await t.window.must('thread.stopCall', { threadId: t.threadId, callId: t.window.calls[0]?.callId });
    await t.window.until(isIdle);
    await t.host.turns.settled(t.threadId);
    expect((await filesOf(t))?.['/findings.md']?.content).toBe('so far');
    expect(t.reports).toEqual([]);
  },
  SLOW,
);

it.each<[string, Part[][], number, number]>([
  ['before any text', [['hang']], 1, 1],
  ['after a step, before the next', [[{ name: 'ls', args: { path: '/' } }], ['hang']], 2, 1],
  ['in the middle of an answer, which is marked as cut off', [['Half', 'hang']], 1, 0],
])(
  'marks in the conversation where the person stopped the agent: %s',
  async (_when, script, requests, marks) => {
    const t = await setUp();
    const model = SlowModel.into(t.host, script);
    await t.say('work');
    await expect.poll(() => model.requests.length).toBe(requests);
    const hasText = (state: ThreadState) =>
      state.messages.some((one) => one.role === 'agent' && one.text !== '');
    if (marks === 0) await t.window.until(hasText);
    await t.window.must('thread.stop', { threadId: t.threadId });
    const { messages } = await t.window.until(isIdle);
    const notices = messages.flatMap((one) => (one.role === 'notice' ? [inEnglish(one.error)] : []));
    expect(notices).toEqual(Array(marks).fill('You stopped the agent here.'));
    expect(messages.some((one) => one.role === 'agent' && one.phase === 'cut')).toBe(marks === 0);
  },
);
