import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ThreadId } from '../../contract/ids';
import type { SentRequest } from '../../models/model-call';
import { Inspector } from './inspector';
import { partsOfRequest } from './request-parts';

const request = (messages: BaseMessage[], more: Partial<SentRequest> = {}): SentRequest => ({
  model: 'offline:guide',
  system: null,
  messages,
  tools: [],
  isSummary: false,
  ...more,
});
const threadOf = (number: number) => ThreadId.parse(`thread-${number}`);
const usage = { input: 7, output: 1, cacheRead: 2, cacheWrite: 1, reasoning: 0 };

describe('the parts of a request', () => {
  it('are the sections of the prompt, the tools and the messages, all as text', () => {
    const look = tool(() => '', {
      name: 'look',
      description: 'Looks.',
      schema: z.object({ at: z.string() }),
    });
    const parts = partsOfRequest(
      request(
        [
          new HumanMessage({
            content: [
              { type: 'text', text: 'what is this' },
              { type: 'image', mimeType: 'image/png', data: 'AAAA' },
            ],
          }),
          new AIMessage({
            content: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }],
            tool_calls: [{ id: 'c1', name: 'look', args: { at: '/a' } }],
          }),
          new ToolMessage({ content: 'a picture', tool_call_id: 'c1', name: 'look' }),
        ],
        {
          system: new SystemMessage({
            content: [
              { type: 'text', text: '# Who you are\nAn agent.' },
              { type: 'text', text: '\n\n<memory>\nNothing.' },
            ],
          }),
          tools: [look],
        },
      ),
    );
    expect(parts.map(({ kind, title }) => [kind, title])).toEqual([
      ['system', 'Who you are'],
      ['system', 'memory'],
      ['tool', 'look'],
      ['message', 'user'],
      ['message', 'assistant'],
      ['message', 'tool look'],
    ]);
    expect(parts[3]?.text).toBe('what is this\n\n[image, image/png, 4 characters of base64]');
    expect(parts[4]?.text).toBe('Hm.\n\nlook {\n  "at": "/a"\n}  (c1)');
    expect(JSON.parse(parts[2]?.text ?? '')).toMatchObject({
      function: { name: 'look', description: 'Looks.' },
    });
    expect(parts.every(({ tokens }) => tokens > 0)).toBe(true);
  });

  it('are truncated with a notice if they are too long', () => {
    const [first, second] = partsOfRequest(
      request([new HumanMessage('x'.repeat(8_000_000)), new HumanMessage('y'.repeat(3_000))]),
    );
    expect([first?.text.length, first?.cut, second?.text.length, second?.cut]).toEqual([
      8_000_000,
      undefined,
      2_000,
      1_000,
    ]);
  });
});

describe('the inspector', () => {
  const agent = (number: number) => ({ callId: `call-${number}`, name: `worker-${number}` });

  it("keeps the last request of each agent, the thread's own first, with the provider's token count", async () => {
    const inspector = new Inspector(() => 100);
    const thread = threadOf(1);
    inspector.sent(thread, null, request([new HumanMessage('old')]));
    inspector.sent(thread, null, request([new HumanMessage('new')]));
    inspector.sent(thread, agent(1), request([]));
    inspector.answered(thread, null, { model: 'm', usage, cost: null, isSummary: false });
    inspector.sent(thread, null, request([], { isSummary: true }));
    expect(
      (await inspector.read(thread)).map(({ agent: name, isSummary, counted, parts }) => [
        name,
        isSummary,
        counted,
        parts.map(({ text }) => text),
      ]),
    ).toEqual([
      [null, false, 10, ['new']],
      [null, true, null, []],
      ['worker-1', false, null, []],
    ]);
  });

  it("keeps a limited number of agents and threads, always including the thread's own agent", async () => {
    const inspector = new Inspector(() => null);
    inspector.sent(threadOf(0), null, request([]));
    for (let number = 0; number < 20; number++) inspector.sent(threadOf(0), agent(number), request([]));
    const names = (await inspector.read(threadOf(0))).map(({ agent: name }) => name);
    expect([names.length, names[0], names[1]]).toEqual([8, null, 'worker-19']);
    for (let number = 1; number < 20; number++) inspector.sent(threadOf(number), null, request([]));
    expect([await inspector.read(threadOf(0)), (await inspector.read(threadOf(19))).length]).toEqual([[], 1]);
    inspector.forget(threadOf(19));
    expect(await inspector.read(threadOf(19))).toEqual([]);
  });
});
