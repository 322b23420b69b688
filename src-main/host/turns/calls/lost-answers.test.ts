import { describe, expect, it } from 'vitest';
import type { AgentMessage, Message } from '../../../contract/conversation';
import { CallId, MessageId } from '../../../contract/ids';
import { lostAnswers } from './lost-answers';

const said = (graphId: string, more: Partial<AgentMessage> = {}): AgentMessage => ({
  role: 'agent',
  id: MessageId.parse(`shown-${graphId}`),
  graphId,
  at: 0,
  text: graphId,
  reasoning: '',
  calls: [],
  phase: 'done',
  ...more,
});
const person: Message = { role: 'user', id: MessageId.parse('u'), at: 0, text: 'go' };
const inTask = { parentCallId: CallId.parse('task') };
const ran = [
  { callId: CallId.parse('c'), name: 'ls', args: {}, status: 'done' as const, startedAt: 1, durationMs: 1 },
];

describe('answers lost from the history by a kill', () => {
  it('are those after the last one in the history', () => {
    const shown = [person, said('a'), said('b'), said('c')];
    expect(lostAnswers(shown, null, [{ id: 'a' }])).toEqual(['shown-c', 'shown-b']);
    expect(lostAnswers(shown, null, [{ id: 'a' }, { id: 'b' }, { id: 'c' }])).toEqual([]);
  });

  it('are separated by agent, and never from an earlier turn', () => {
    const shown = [said('old'), person, said('a'), said('p', inTask)];
    expect(lostAnswers(shown, null, [{ id: 'a' }])).toEqual([]);
    expect(lostAnswers(shown, 'task', [])).toEqual(['shown-p']);
    expect(lostAnswers(shown, null, [])).toEqual(['shown-a']);
  });

  it('exclude interrupted ones and those whose calls have run', () => {
    expect(lostAnswers([person, said('a', { phase: 'cut' })], null, [])).toEqual([]);
    expect(lostAnswers([person, said('a', { calls: ran })], null, [])).toEqual([]);
  });
});
