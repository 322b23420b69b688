import { describe, expect, it } from 'vitest';
import type { Approval } from './approvals';
import type { AgentMessage, ThreadState } from './conversation';
import type { NewThreadEvent, ThreadEvent } from './events';
import { ApprovalId, CallId, MessageId, ProjectId, ThreadId, TurnId } from './ids';
import { because } from './shared/reasons';
import { reduce } from './thread';

const threadId = ThreadId.parse('t');
const turnId = TurnId.parse('turn');
const callId = CallId.parse('c');
const messageId = MessageId.parse('m');

const empty: ThreadState = {
  thread: {
    id: threadId,
    projectId: ProjectId.parse('p'),
    title: '',
    model: 'offline:guide',
    createdAt: 0,
    updatedAt: 0,
  },
  messages: [],
  approvals: [],
  todos: [],
  queue: [],
  usage: { inputTokens: 0, outputTokens: 0, contextTokens: 0 },
  turn: { phase: 'idle' },
  seq: 0,
};

const answer = (change: Partial<AgentMessage> = {}): AgentMessage => ({
  role: 'agent',
  id: messageId,
  at: 1,
  text: '',
  reasoning: '',
  calls: [],
  phase: 'streaming',
  ...change,
});

const approval: Approval = {
  id: ApprovalId.parse('a'),
  threadId,
  callId,
  tool: 'execute',
  args: { command: 'ls' },
  preview: { kind: 'command', command: 'ls', cwd: '/', timeoutSeconds: 120 },
  reason: [because('changes_anything')],
  risk: 'medium',
  allowed: ['approve'],
  digest: 'd',
  at: 1,
};

const play = (events: NewThreadEvent[], from = empty) =>
  events.reduce(
    (state, event) => reduce(state, { ...event, threadId, seq: state.seq + 1 } as ThreadEvent),
    from,
  );

const call = { callId, name: 'execute', args: {}, status: 'pending' as const };

describe('the thread reducer', () => {
  it('joins streamed parts and replaces them with the finished message', () => {
    const streaming = play([
      { type: 'message.added', message: answer({ text: 'Hel' }) },
      { type: 'message.delta', messageId, text: 'lo', reasoning: 'hm' },
    ]);
    expect(streaming.messages).toEqual([answer({ text: 'Hello', reasoning: 'hm' })]);
    const ended = play(
      [{ type: 'message.ended', message: answer({ text: 'Hello.', phase: 'done' }) }],
      streaming,
    );
    expect(ended.messages).toEqual([answer({ text: 'Hello.', phase: 'done' })]);
  });

  it('ignores an event that it has already applied', () => {
    const event: ThreadEvent = { type: 'message.added', message: answer(), threadId, seq: 1 };
    const once = reduce(empty, event);
    expect(reduce(once, event)).toBe(once);
  });

  it('follows a call from pending to waiting to done', () => {
    const states = play([
      { type: 'message.added', message: answer({ phase: 'done', calls: [call] }) },
      { type: 'approval.requested', approval },
      { type: 'approval.decided', approvalId: approval.id, callId, decision: { type: 'approve' } },
      { type: 'tool.started', callId, at: 5 },
      { type: 'tool.ended', callId, status: 'done', result: 'ok', durationMs: 3, exitCode: 0 },
    ]);
    expect(states.approvals).toEqual([]);
    expect(states.messages).toEqual([
      answer({
        phase: 'done',
        calls: [{ ...call, status: 'done', startedAt: 5, result: 'ok', durationMs: 3, exitCode: 0 }],
      }),
    ]);
  });

  it('keeps pending approvals in call order, in whatever order they were requested', () => {
    const calls = ['c1', 'c2', 'c3'].map((id) => ({ ...call, callId: CallId.parse(id) }));
    const requested = (id: string): NewThreadEvent => ({
      type: 'approval.requested',
      approval: { ...approval, id: ApprovalId.parse(`of-${id}`), callId: CallId.parse(id) },
    });
    const asked = play([
      { type: 'message.added', message: answer({ phase: 'done', calls }) },
      requested('c3'),
      requested('c1'),
      requested('c2'),
    ]);
    expect(asked.approvals.map(({ callId }) => callId)).toEqual(['c1', 'c2', 'c3']);
  });

  it('leaves nothing open after a turn', () => {
    const ended = play([
      { type: 'turn.started', turnId, at: 1 },
      { type: 'message.added', message: answer({ phase: 'done', calls: [call] }) },
      { type: 'approval.requested', approval },
      { type: 'message.added', message: answer({ id: MessageId.parse('m2'), text: 'half' }) },
      { type: 'turn.ended', turnId, at: 2, reason: 'stopped' },
    ]);
    expect(ended.turn).toEqual({ phase: 'idle' });
    expect(ended.approvals).toEqual([]);
    expect(ended.messages).toEqual([
      answer({ phase: 'done', calls: [{ ...call, status: 'cancelled' }] }),
      answer({ id: MessageId.parse('m2'), text: 'half', phase: 'cut' }),
    ]);
  });
});
