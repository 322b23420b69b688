import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { results, setUp } from './testing/thread-agent';

describe('questions of the agent', () => {
  const WHICH = { question: 'Which database?', choices: ['PostgreSQL', 'SQLite'] };

  it('asks the person, and passes on the answer as data', async () => {
    const t = setUp((_m, request) =>
      request === 0
        ? { calls: [{ id: 'a', name: 'ask_user', args: { questions: [WHICH] } }] }
        : { text: 'Done.' },
    );
    await t.say('go');
    expect((await t.waiting()).map(({ value }) => value.question)).toMatchObject([
      { preview: { kind: 'questions', questions: [WHICH] }, allowed: ['respond', 'reject'], risk: 'low' },
    ]);
    const state = await t.resume({ a: { type: 'respond', text: '2' } });
    const answer = { answers: [{ question: 'Which database?', choices: ['SQLite'] }] };
    expect(results(state.messages)).toEqual([`a success: ${JSON.stringify(answer)}`]);
  });

  it('tells the model that the person declined to answer', async () => {
    const t = setUp((_m, request) =>
      request === 0
        ? { calls: [{ id: 'a', name: 'ask_user', args: { questions: [WHICH] } }] }
        : { text: 'Done.' },
    );
    await t.say('go');
    const state = await t.resume({ a: { type: 'reject', message: 'you choose' } });
    expect(results(state.messages)).toEqual([
      'a error: The person declined to answer. The person said: you choose',
    ]);
  });

  it('asks nobody if the questions break a limit, and tells the model which', async () => {
    const choices = Array.from({ length: 10 }, (_, index) => `Choice ${index}`);
    const t = setUp((_m, request) =>
      request === 0
        ? { calls: [{ id: 'a', name: 'ask_user', args: { questions: [{ ...WHICH, choices }] } }] }
        : { text: 'Done.' },
    );
    const state = await t.say('go');
    expect(await t.waiting()).toEqual([]);
    expect(results(state.messages)).toEqual([
      'a error: Error: ask_user was not run: its arguments do not match the schema (questions.0.choices: a question has at most 9 choices).',
    ]);
  });

  it('shows the person a question of a sub-agent under its name', async () => {
    const t = setUp((messages) => {
      const last = messages.at(-1);
      const isSub = messages.some((m) => HumanMessage.isInstance(m) && m.text === 'sub work');
      if (ToolMessage.isInstance(last)) return { text: `Report: ${last.text}` };
      return isSub
        ? { calls: [{ id: 'inner', name: 'ask_user', args: { questions: [WHICH] } }] }
        : {
            calls: [
              { id: 't1', name: 'task', args: { description: 'sub work', subagent_type: 'general-purpose' } },
            ],
          };
    });
    await t.say('go');
    expect((await t.waiting()).map(({ value }) => [value.callId, value.agent])).toEqual([
      ['inner', 'general-purpose'],
    ]);
    const state = await t.resume({ inner: { type: 'respond', text: 'MySQL' } });
    const answer = { answers: [{ question: 'Which database?', choices: [], text: 'MySQL' }] };
    expect(results(state.messages)).toEqual([`t1 success: Report: ${JSON.stringify(answer)}`]);
  });
});
