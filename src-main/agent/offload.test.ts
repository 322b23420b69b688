import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { createFilesystemMiddleware } from './middleware/filesystem';
import { offloadLarge } from './offload';
import { memoryBackend } from './testing/memory-backend';
import { ScriptedModel } from './testing/scripted-model';

const LIMIT = 80_000;
const backend = (files = new Map<string, string>(), output = '') =>
  memoryBackend(files, async () => ({ output, exitCode: 0, truncated: false }));

describe('a large result', () => {
  it('H28 is one above 80,000 characters, not one of exactly that', async () => {
    const message = (size: number) => new ToolMessage({ content: 'x'.repeat(size), tool_call_id: 'c' });
    const exact = message(LIMIT);
    expect(await offloadLarge(exact, backend())).toBe(exact);
    const files = new Map<string, string>();
    await offloadLarge(message(LIMIT + 1), backend(files));
    expect([...files.values()].map((text) => text.length)).toEqual([LIMIT + 1]);
  });

  it('H30 keeps its artifact, status, id and name', async () => {
    const large = new ToolMessage({
      content: 'x\n'.repeat(LIMIT),
      tool_call_id: 'c',
      id: 'm',
      name: 'execute',
      status: 'error',
      artifact: { exitCode: 3 },
    });
    const { id, name, status, artifact, tool_call_id } = await offloadLarge(large, backend());
    expect({ id, name, status, artifact, tool_call_id }).toEqual({
      id: 'm',
      name: 'execute',
      status: 'error',
      artifact: { exitCode: 3 },
      tool_call_id: 'c',
    });
  });

  const play = async (
    limit: number | null | undefined,
    call: { name: string; args: Record<string, unknown> },
  ) => {
    const text = Array.from({ length: 3_000 }, (_, n) => `${n} ${'y'.repeat(60)}`).join('\n');
    const files = new Map([['/big.txt', text]]);
    const agent = createAgent({
      model: new ScriptedModel((_m, request) => (request === 0 ? { calls: [call] } : { text: 'Done.' })),
      middleware: [
        createFilesystemMiddleware({
          backend: backend(files, text),
          ...(limit === undefined ? {} : { toolTokenLimitBeforeEvict: limit }),
        }),
      ],
    });
    const { messages } = await agent.invoke({ messages: [new HumanMessage('go')] });
    const result = messages.find((m) => ToolMessage.isInstance(m));
    return { isOffloaded: result?.text.includes('was saved at') ?? false, files: files.size };
  };
  const run = { name: 'execute', args: { command: 'print' } };

  it('H29 of a command is moved to a file, that of read_file is cut instead', async () => {
    expect(await play(undefined, run)).toEqual({ isOffloaded: true, files: 2 });
    const read = { name: 'read_file', args: { file_path: '/big.txt', limit: 3_000 } };
    expect(await play(undefined, read)).toEqual({ isOffloaded: false, files: 1 });
  });

  it('H59 stays where it is when the limit is null', async () => {
    expect(await play(null, run)).toEqual({ isOffloaded: false, files: 1 });
  });
});
