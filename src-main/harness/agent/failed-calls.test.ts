import { tool } from '@langchain/core/tools';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createDeepAgent } from './create-deep-agent';
import { calling, go, resultsIn, steps } from './testing/published';

const agentWith = (thrown: unknown) =>
  createDeepAgent({
    model: steps(calling(['fail'])),
    tools: [
      tool(
        async () => {
          throw thrown;
        },
        { name: 'fail', description: 'Fails.', schema: z.object({}) },
      ),
    ],
  });

it.each([
  ['a text', 'no connection', 'no connection'],
  ['undefined', undefined, 'it gave no reason.'],
  ['null', null, 'it gave no reason.'],
  ['a number', 5, '5'],
  ['an object with a message', { message: 'no connection', code: 3 }, 'no connection'],
  ['another object', { code: 3 }, '{"code":3}'],
])('tells the model about a tool that throws %s, and continues', async (_what, thrown, said) => {
  const state = await agentWith(thrown).invoke(go);
  expect(resultsIn(state)).toEqual([`Error: fail failed: ${said}`]);
  expect(state.messages.at(-1)?.text).toBe('Done.');
});

it('fails with an error that a tool throws', async () => {
  const error = new TypeError('a bug');
  await expect(agentWith(error).invoke(go)).rejects.toBe(error);
});
