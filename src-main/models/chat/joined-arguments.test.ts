import { AIMessageChunk } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { tool } from '@langchain/core/tools';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Step } from '../../../e2e/providers/script';
import { modelAt, startProvider, WIRES } from '../testing/provider-servers';
import { joinedArguments } from './joined-arguments';

const chunk = (content: string, ...calls: { name?: string; args: string; index: number }[]) =>
  new ChatGenerationChunk({
    text: content,
    message: new AIMessageChunk({
      content,
      tool_call_chunks: calls.map((call) => ({ type: 'tool_call_chunk', ...call })),
    }),
  });

async function* streamOf(chunks: readonly ChatGenerationChunk[]) {
  yield* chunks;
}

it('passes on the pieces of arguments as one, in the order in which they came', async () => {
  const chunks = [
    chunk('I write.'),
    chunk('', { name: 'write_file', args: '{"a":', index: 0 }),
    ...Array.from('"1234567"}', (args) => chunk('', { args, index: 0 })),
    chunk('', { name: 'ls', args: '', index: 1 }),
    chunk('', { args: '{', index: 1 }, { args: ' ', index: 0 }),
    chunk('', { args: '}', index: 1 }),
    chunk(' Done.'),
  ];
  const shown: unknown[] = [];
  for await (const { message } of joinedArguments(streamOf(chunks))) {
    const { text, tool_call_chunks: calls = [] } = message as AIMessageChunk;
    shown.push([text, calls.map(({ name, args }) => `${name ?? ''} ${args}`)]);
  }
  expect(shown).toEqual([
    ['I write.', []],
    ['', ['write_file {"a":']],
    ['', [' "1234567"}']],
    ['', ['ls ']],
    ['', [' {}', '  ']],
    [' Done.', []],
  ]);
});

const write = tool(() => 'ok', {
  name: 'write_file',
  description: 'Writes a file.',
  schema: z.object({ content: z.string() }),
});

it.each(WIRES)('adds few chunks to an answer of %j, however long the file is that it writes', async (ref) => {
  const args = { content: 'const one = "1";\n'.repeat(300) };
  const step: Step = { text: 'I write.', calls: [{ name: 'write_file', args }] };
  const server = await startProvider(ref.provider, () => step);
  try {
    const made = await modelAt(ref, server);
    let answer: AIMessageChunk | undefined;
    let calls = 0;
    for await (const next of await (made.bindTools?.([write]) ?? made).stream('Hi')) {
      if ((next as AIMessageChunk).tool_call_chunks?.length) calls += 1;
      answer = answer?.concat(next as AIMessageChunk) ?? (next as AIMessageChunk);
    }
    expect(calls).toBeLessThanOrEqual(3);
    expect(answer?.tool_calls?.map((call) => call.args)).toEqual([args]);
  } finally {
    await server.close();
  }
});
