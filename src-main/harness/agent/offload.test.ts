import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Command, MemorySaver, REMOVE_ALL_MESSAGES } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { optional } from '../../contract/shared/optional';
import type { FileData } from '../backends/protocol';
import { createDeepAgent } from './create-deep-agent';
import { resultLimitFor } from './limits';
import { createFilesystemMiddleware } from './middleware/filesystem';
import { offloadCall, offloadLarge } from './offload';
import { memoryBackend } from './testing/memory-backend';
import { ScriptedModel } from './testing/scripted-model';

const LIMIT = 80_000;
const backend = (files = new Map<string, string>(), output = '') =>
  memoryBackend(files, async () => ({ output, exitCode: 0, truncated: false }));

describe('a large result', () => {
  it('has more than 80,000 characters, not exactly as many [H28]', async () => {
    const message = (size: number) => new ToolMessage({ content: 'x'.repeat(size), tool_call_id: 'c' });
    const exact = message(LIMIT);
    expect(await offloadLarge(exact, { backend: backend() })).toBe(exact);
    const files = new Map<string, string>();
    await offloadLarge(message(LIMIT + 1), { backend: backend(files) });
    expect([...files.values()].map((text) => text.length)).toEqual([LIMIT + 1]);
  });

  it('keeps its artifact, status, id and name [H30]', async () => {
    const large = new ToolMessage({
      content: 'x\n'.repeat(LIMIT),
      tool_call_id: 'c',
      id: 'm',
      name: 'execute',
      status: 'error',
      artifact: { exitCode: 3 },
    });
    const { id, name, status, artifact, tool_call_id } = await offloadLarge(large, { backend: backend() });
    expect({ id, name, status, artifact, tool_call_id }).toEqual({
      id: 'm',
      name: 'execute',
      status: 'error',
      artifact: { exitCode: 3 },
      tool_call_id: 'c',
    });
  });

  it('stays in its file if a sub-agent, whose server numbers its calls too, has a large result', async () => {
    const asks = (name: string, args: object) => ({ calls: [{ id: 'call_0', name, args: { ...args } }] });
    const large = tool(async ({ letter }: { letter: string }) => letter.repeat(LIMIT + 1), {
      name: 'large',
      description: 'd',
      schema: z.object({ letter: z.string() }),
    });
    const parent = [
      asks('large', { letter: 'p' }),
      asks('task', { description: 'd', subagent_type: 'helper' }),
    ];
    const helper = {
      name: 'helper',
      description: 'd',
      model: new ScriptedModel((_m, at) => (at === 0 ? asks('large', { letter: 's' }) : { text: 'Done.' })),
    };
    const model = new ScriptedModel((_messages, at) => parent[at] ?? { text: 'Done.' });
    const agent = createDeepAgent({ model, tools: [large], subagents: [helper] });
    const state = await agent.invoke({ messages: [new HumanMessage('go')] });
    const saved = Object.values((state as unknown as { files: Record<string, FileData> }).files);
    expect(saved.map(({ content }) => content[0]).sort()).toEqual(['p', 's']);
  });

  const played = async (
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
          ...optional({ toolTokenLimitBeforeEvict: limit }),
        }),
      ],
    });
    const { messages } = await agent.invoke({ messages: [new HumanMessage('go')] });
    return { text: messages.find((m) => ToolMessage.isInstance(m))?.text ?? '', files: files.size };
  };
  const play = async (...of: Parameters<typeof played>) => {
    const { text, files } = await played(...of);
    return { isOffloaded: text.includes('was saved at'), files };
  };
  const playResult = async (...of: Parameters<typeof played>) => (await played(...of)).text;
  const run = { name: 'execute', args: { command: 'print' } };

  it('moves to a file if it is from a command; one from read_file is truncated instead [H29]', async () => {
    expect(await play(undefined, run)).toEqual({ isOffloaded: true, files: 2 });
    const read = { name: 'read_file', args: { file_path: '/big.txt', limit: 3_000 } };
    expect(await play(undefined, read)).toEqual({ isOffloaded: false, files: 1 });
  });

  it('stays in the message when the limit is null [H59]', async () => {
    expect(await play(null, run)).toEqual({ isOffloaded: false, files: 1 });
    const read = { name: 'read_file', args: { file_path: '/big.txt', limit: 3_000 } };
    expect((await playResult(null, read)).split('\n')).toHaveLength(3_000);
    expect((await playResult(undefined, read)).split('\n').length).toBeLessThan(1_500);
  });

  it('moves out of a Command and out of a list of messages, and only its text if it has media [H30]', async () => {
    const files = new Map<string, string>();
    const image = { type: 'image', source_type: 'base64', mime_type: 'image/png', data: 'AAAA' };
    const large = new ToolMessage({
      content: [{ type: 'text', text: 'y'.repeat(LIMIT + 1) }, image],
      tool_call_id: 'c',
      artifact: { exitCode: 0 },
    });
    const other = new HumanMessage('stays');
    const made = await offloadCall(
      new Command({ update: { messages: [other, large], files: { '/a': null } } }),
      { id: 'c', name: 'task', args: {} },
      { backend: backend(files), limit: 20_000 },
    );
    const { messages, files: kept } = (made as Command).update as { messages: ToolMessage[]; files: object };
    expect(kept).toEqual({ '/a': null });
    expect(messages[0]).toBe(other);
    const [text, media] = (messages[1]?.content ?? []) as [{ text: string }, object];
    expect(media).toEqual(image);
    expect(text.text).toContain('was saved at /large_tool_results/c-');
    expect(messages[1]?.artifact).toEqual({ exitCode: 0 });
    expect([...files.values()]).toEqual(['y'.repeat(LIMIT + 1)]);
  });

  it('moves out of a Command with a single message in place of a list', async () => {
    const large = new ToolMessage({ content: 'y'.repeat(LIMIT + 1), tool_call_id: 'c' });
    const call = { id: 'c', name: 'fetch', args: {} };
    const files = new Map<string, string>();
    const options = { backend: backend(files), limit: 20_000 };
    const made = await offloadCall(new Command({ update: { messages: large } }), call, options);
    const { messages } = (made as Command).update as { messages: ToolMessage };
    expect(messages.text).toContain('was saved at /large_tool_results/c-');
    expect([...files.values()]).toEqual(['y'.repeat(LIMIT + 1)]);
  });

  it('leaves everything else in a Command unchanged [H33]', async () => {
    const all = new RemoveMessage({ id: REMOVE_ALL_MESSAGES });
    const large = new ToolMessage({ content: 'y'.repeat(LIMIT + 1), tool_call_id: 'c' });
    const made = await offloadCall(
      new Command({ update: [['messages', [all, large]]], goto: 'next' }),
      { id: 'c', name: 'tidy', args: {} },
      { backend: backend(), limit: 20_000 },
    );
    const [[, messages] = []] = (made as Command).update as [string, unknown[]][];
    expect(messages?.[0]).toBe(all);
    expect((made as Command).goto).toEqual(['next']);
  });
});

describe('large inputs', () => {
  /** Runs the script with a small limit, and returns what the model got last. */
  const play = async (
    calls: { name: string; args: Record<string, unknown> }[],
    files = new Map<string, string>(),
  ) => {
    const take = tool(async (_: { text: string }) => 'taken', {
      name: 'take',
      description: 'takes',
      schema: z.object({ text: z.string() }),
    });
    const model = new ScriptedModel((_m, request) => {
      const call = calls[request];
      return call === undefined ? { text: 'Done.' } : { calls: [{ id: `call-${request}`, ...call }] };
    });
    const agent = createAgent({
      model,
      tools: [take],
      middleware: [createFilesystemMiddleware({ backend: backend(files), toolTokenLimitBeforeEvict: 100 })],
    });
    const { messages } = await agent.invoke({ messages: [new HumanMessage('go')] });
    const args = (all: BaseMessage[]) =>
      all.flatMap((m) => (AIMessage.isInstance(m) ? (m.tool_calls ?? []).map((call) => call.args) : []));
    return { sent: args(model.requests.at(-1) ?? []), kept: args(messages), files };
  };
  const long = 'line\n'.repeat(200);

  it('are replaced in later requests by their file name, and stay whole in the state', async () => {
    const call = { name: 'write_file', args: { file_path: '/a.txt', content: long } };
    const { sent, kept } = await play([call]);
    expect(sent).toEqual([{ file_path: '/a.txt', content: '[1000 characters, now in /a.txt]' }]);
    expect(kept).toEqual([call.args]);
  });

  it('are saved to separate files for any other tool', async () => {
    const { sent, files } = await play([{ name: 'take', args: { text: long } }]);
    const [[path, text] = []] = [...files];
    expect(text).toBe(long);
    expect(path).toMatch(/^\/large_tool_results\//);
    expect(sent).toEqual([{ text: `[1000 characters, now in ${path}]` }]);
  });

  it('are saved separately for a failed write, since its file does not have them', async () => {
    const files = new Map([['/a.txt', 'other']]);
    const call = { name: 'edit_file', args: { file_path: '/a.txt', old_string: 'none', new_string: long } };
    const { sent } = await play([call], files);
    expect(sent[0]?.new_string).toMatch(/^\[1000 characters, now in \/large_tool_results\//);
  });
});

describe("a person's large message", () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
  const play = async (...texts: string[]) => {
    const files = new Map<string, string>();
    const written: string[] = [];
    const over = backend(files);
    const { write } = over;
    over.write = async (path, content, options) => {
      written.push(path);
      return write(path, content, options);
    };
    const model = new ScriptedModel(() => ({ text: 'ok' }));
    const agent = createAgent({
      model,
      checkpointer: new MemorySaver(),
      middleware: [createFilesystemMiddleware({ backend: over, humanMessageTokenLimitBeforeEvict: 100 })],
    });
    const config = { configurable: { thread_id: 't' } };
    for (const [index, text] of texts.entries())
      await agent.invoke(
        { messages: [new HumanMessage({ id: `m${index}`, content: [{ type: 'text', text }, image] })] },
        config,
      );
    const { messages } = (await agent.graph.getState(config)).values as { messages: BaseMessage[] };
    return { sent: model.requests.at(-1) ?? [], messages, files, written };
  };
  const long = 'word '.repeat(200);

  it('is shown as a file name with its images, keeps its id, and only the last one is checked [H31]', async () => {
    const { sent, messages, files } = await play(long);
    const [path = ''] = files.keys();
    expect(path).toMatch(/^\/conversation_history\/[0-9a-f]{12}\.md$/);
    expect(files.get(path)).toBe(long);
    expect(messages[0]?.id).toBe('m0');
    expect(messages[0]?.additional_kwargs).toEqual({ lc_evicted_to: path });
    expect(messages[0]?.text).toBe(long);
    const [text, media] = (sent[0]?.content ?? []) as [{ text: string }, object];
    expect(text.text).toContain(`was saved at ${path}`);
    expect(media).toEqual(image);
    const second = await play('short', long);
    expect(second.messages[0]?.additional_kwargs).toEqual({});
  });

  it('is written once, however often it is sent [H32]', async () => {
    const { written, sent } = await play(long, 'and now?');
    expect(written).toHaveLength(1);
    expect(sent[0]?.text).toContain(`was saved at ${written[0]}`);
  });
});

describe('a small window', () => {
  it('limits results to a fifth of it', () => {
    expect([undefined, 1_000_000, 50_000, 8_000, 100].map(resultLimitFor)).toEqual([
      20_000, 20_000, 10_000, 1_600, 400,
    ]);
  });
});
