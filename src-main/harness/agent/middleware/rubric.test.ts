import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Command, interrupt, MemorySaver } from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createDeepAgent } from '../create-deep-agent';
import { ScriptedModel } from '../testing/scripted-model';
import { createRubricMiddleware, type RubricEvaluation, type RubricOptions } from './rubric';

const grade = (args: Record<string, unknown>) => ({ calls: [{ name: 'GraderResponse', args }] });
const SATISFIED = grade({
  result: 'satisfied',
  explanation: 'Good.',
  criteria: [{ name: 'A', passed: true }],
});
const REVISE = grade({
  result: 'needs_revision',
  explanation: 'Not yet.',
  criteria: [{ name: 'Has a title', passed: false, gap: 'There is no title.' }],
});

async function run(
  grades: ReturnType<typeof grade>[],
  { input = {}, ...more }: Partial<RubricOptions> & { input?: object } = {},
) {
  const evaluations: RubricEvaluation[] = [];
  const model = new ScriptedModel((_, request) => ({ text: `Try ${request + 1}` }));
  const grader = new ScriptedModel((_, request) => grades[Math.min(request, grades.length - 1)] ?? SATISFIED);
  const rubric = createRubricMiddleware({
    model: grader,
    onEvaluation: (evaluation) => evaluations.push(evaluation),
    ...more,
  });
  const agent = createDeepAgent({ model, middleware: [rubric], checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: 't' } };
  const ask = async () => {
    const messages = [new HumanMessage('Write it.')];
    const state = await agent.invoke({ messages, ...input } as never, config);
    return state.messages.at(-1)?.text;
  };
  return { answer: await ask(), ask, evaluations, model, grader };
}

const input = { rubric: 'It has a title.' };

describe('a rubric', () => {
  it('sends a result back with the reasons until the grader is satisfied', async () => {
    const { answer, evaluations, model, grader } = await run([REVISE, SATISFIED], { input });
    expect(answer).toBe('Try 2');
    expect(evaluations.map(({ iteration, result }) => [iteration, result])).toEqual([
      [0, 'needs_revision'],
      [1, 'satisfied'],
    ]);
    expect(model.requests[1]?.at(-1)?.text).toContain('Has a title: There is no title.');
    const seen = grader.requests[1]?.at(-1)?.text ?? '';
    expect(seen).toMatch(/<rubric-(\w+)>\nIt has a title\.\n<\/rubric-\1>/);
    expect(seen).toContain('[assistant] Try 2');
  });

  it('keeps the last answer when the tries run out', async () => {
    const { answer, evaluations } = await run([REVISE], { input, maxIterations: 2 });
    expect(answer).toBe('Try 2');
    expect(evaluations.at(-1)?.result).toBe('max_iterations_reached');
  });

  it('starts over with the next message', async () => {
    const { ask, evaluations } = await run([SATISFIED, REVISE, SATISFIED], { rubric: 'It has a title.' });
    expect(await ask()).toBe('Try 3');
    expect(evaluations.map(({ iteration }) => iteration)).toEqual([0, 0, 1]);
    expect(new Set(evaluations.map(({ gradingRunId }) => gradingRunId)).size).toBe(2);
  });

  it('ends with the answer if the grader contradicts itself or says nothing', async () => {
    const wrong = grade({
      result: 'satisfied',
      explanation: '',
      criteria: [{ name: 'A', passed: false, gap: 'x' }],
    });
    for (const said of [wrong, grade({ result: 'maybe' })]) {
      const { answer, evaluations } = await run([said], { input });
      expect([answer, evaluations.at(-1)?.result]).toEqual(['Try 1', 'grader_error']);
    }
  });

  it('waits for the person if a tool of the grader asks', async () => {
    const question = 'May I run the tests?';
    const check = tool(async () => `The person said ${interrupt(question)}.`, {
      name: 'check',
      description: 'check',
      schema: z.object({}),
    });
    const model = new ScriptedModel((_, request) =>
      request === 0 ? { calls: [{ name: 'check', args: {} }] } : SATISFIED,
    );
    const evaluations: RubricEvaluation[] = [];
    const rubric = createRubricMiddleware({
      model,
      rubric: 'The tests pass.',
      tools: [check],
      onEvaluation: (evaluation) => evaluations.push(evaluation),
    });
    const agent = createDeepAgent({
      model: new ScriptedModel(() => ({ text: 'Done.' })),
      middleware: [rubric],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: 't' } };
    const asked = await agent.invoke({ messages: [new HumanMessage('Write it.')] }, config);
    expect(asked).toMatchObject({ __interrupt__: [{ value: question }] });
    expect(evaluations).toEqual([]);
    await agent.invoke(new Command({ resume: 'yes' }), config);
    expect(evaluations.map(({ result }) => result)).toEqual(['satisfied']);
    expect(model.requests[1]?.at(-1)?.text).toBe('The person said yes.');
  });

  it('is for the result of the agent, not for the part that a fork does', async () => {
    const results: (string | undefined)[] = [];
    const grader = new ScriptedModel((messages) => {
      results.push(/\[assistant\] (\w+)\s*<\/transcript/.exec(messages.at(-1)?.text ?? '')?.[1]);
      return SATISFIED;
    });
    const model = new ScriptedModel((messages, request) =>
      request === 0
        ? { calls: [{ name: 'task', args: { description: 'a part', subagent_type: 'fork' } }] }
        : { text: messages.at(-1)?.text.includes('a part') ? 'Part' : 'Whole' },
    );
    const agent = createDeepAgent({
      model,
      middleware: [createRubricMiddleware({ model: grader, rubric: 'It is whole.' })],
      subagents: [{ name: 'fork', description: 'd', mode: 'fork' }],
    });
    await agent.invoke({ messages: [new HumanMessage('Write it.')] });
    expect(results).toEqual(['Whole']);
  });

  it('grades nothing without a rubric, and needs at least one try', async () => {
    const { grader } = await run([REVISE]);
    expect(grader.requests).toEqual([]);
    expect(() => createRubricMiddleware({ model: grader, maxIterations: 0 })).toThrow('positive');
  });
});
