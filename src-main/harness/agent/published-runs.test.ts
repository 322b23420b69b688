// Programs about interrupts, hooks and streams, run on the published package and on ours.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { Command, interrupt, MemorySaver } from '@langchain/langgraph';
import Database from 'better-sqlite3';
import { createAgent, createMiddleware } from 'langchain';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteSaver } from '../entries/sqlite';
import {
  both,
  calling,
  given,
  go,
  helper,
  named,
  resultsIn,
  type State,
  steps,
  task,
  thread,
} from './testing/published';
import { ScriptedModel, type ScriptedStep } from './testing/scripted-model';

describe.each(both)('interrupts of %s', (_name, library) => {
  const send = named('send', async ({ to }: { to: string }) => `sent to ${to}`);

  it('in a sub-agent are resumed with an edit by another process, from SQLite', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'same-sqlite-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const open = (...script: ScriptedStep[]) => {
      const nativeBinding = process.env.DEEPDESK_SQLITE_BINDING;
      const database = new Database(join(folder, 'a.sqlite'), nativeBinding ? { nativeBinding } : {});
      const worker = new ScriptedModel((messages) =>
        messages.some((message) => ToolMessage.isInstance(message))
          ? { text: `It was ${messages.at(-1)?.text}.` }
          : calling(['send', { to: 'a' }]),
      );
      const agent = library.createDeepAgent({
        model: steps(...script),
        tools: [send],
        checkpointer: new SqliteSaver(database),
        interruptOn: { send: true },
        subagents: [helper(worker)],
      });
      return { agent, close: () => database.close() };
    };
    const before = open(calling(['write_file', { file_path: '/f', content: 'F' }]), calling(task('helper')));
    const asked = (await before.agent.invoke(go, thread)) as unknown as State;
    expect(asked.__interrupt__).toHaveLength(1);
    before.close();
    const after = open();
    const editedAction = { name: 'send', args: { to: 'b' } };
    const resume = { decisions: [{ type: 'edit', editedAction }] };
    const state = await after.agent.invoke(new Command({ resume }) as never, thread);
    after.close();
    expect(resultsIn(state).at(-1)).toBe('It was sent to b.');
    expect(Object.keys((state as unknown as { files: object }).files)).toEqual(['/f']);
  });

  it('of a sub-agent follow its own settings', async () => {
    for (const [own, count] of [
      [{ send: false }, 0],
      [{}, 0],
      [undefined, 1],
    ] as const) {
      const worker = helper(steps(calling(['send', { to: 'a' }])), own && { interruptOn: own });
      const agent = library.createDeepAgent({
        model: steps(calling(task('helper'))),
        tools: [send],
        checkpointer: new MemorySaver(),
        interruptOn: { send: true },
        subagents: [worker],
      });
      const { __interrupt__: asked = [] } = (await agent.invoke(go, thread)) as unknown as State;
      expect(asked, JSON.stringify(own)).toHaveLength(count);
    }
  });

  it('of tools in several sub-agents are answered by their ids', async () => {
    const ask = named('ask', async () => `got ${interrupt('which?')}`);
    const worker = () =>
      new ScriptedModel((messages) => {
        const result = messages.find((message) => ToolMessage.isInstance(message));
        return result ? { text: result.text } : calling(['ask']);
      });
    const agent = library.createDeepAgent({
      model: steps(calling(task('helper'), task('other'))),
      tools: [ask],
      checkpointer: new MemorySaver(),
      subagents: [helper(worker()), { ...helper(worker()), name: 'other' }],
    });
    const { __interrupt__: asked = [] } = (await agent.invoke(go, thread)) as unknown as State;
    const resume = Object.fromEntries(asked.map(({ id }, index) => [id, index + 1]));
    expect(resultsIn(await agent.invoke(new Command({ resume }) as never, thread))).toEqual([
      'got 1',
      'got 2',
    ]);
  });
});

it('calls that a person decided about run in the order of the answer, not after the others', async () => {
  const send = named('send', async () => 'sent');
  const look = named('look', async () => 'seen');
  const orders = await Promise.all(
    both.map(async ([, library]) => {
      const agent = library.createDeepAgent({
        model: steps(calling(['send'], ['look'])),
        tools: [send, look],
        checkpointer: new MemorySaver(),
        interruptOn: { send: true },
      });
      await agent.invoke(go, thread);
      const resume = { decisions: [{ type: 'approve' }] };
      return resultsIn(await agent.invoke(new Command({ resume }) as never, thread));
    }),
  );
  expect(Object.fromEntries(both.map(([name], index) => [name, orders[index]]))).toEqual({
    'the published package': ['seen', 'sent'],
    ours: ['sent', 'seen'],
  });
});

describe.each(both)('hooks and streams of %s', (_name, library) => {
  it('let a hook end the run, and a tool call be answered or changed', async () => {
    const guard = createMiddleware({
      name: 'guard',
      beforeModel: {
        canJumpTo: ['end'],
        hook: ({ messages }) =>
          messages.length > 2 ? { jumpTo: 'end', messages: [new AIMessage('Enough.')] } : undefined,
      },
      wrapToolCall: (request, handler) => {
        const { id, name, args } = request.toolCall;
        return name === 'ls'
          ? new ToolMessage({ content: 'cached', tool_call_id: id ?? '' })
          : handler({ ...request, toolCall: { ...request.toolCall, args: { ...args, content: 'changed' } } });
      },
    });
    const model = steps(calling(['ls'], ['write_file', { file_path: '/a', content: 'x' }]));
    const state = await library.createDeepAgent({ model, middleware: [guard] }).invoke(go);
    expect(resultsIn(state)).toEqual(['cached', "Successfully wrote to '/a'"]);
    expect((state as unknown as State).messages.at(-1)?.text).toBe('Enough.');
    expect(state).toMatchObject({ files: { '/a': { content: 'changed' } } });
  });

  const streaming = () => {
    const worker = named('worker', async (_input, runtime) => {
      runtime.writer?.('half done');
      return 'worked';
    });
    return library.createDeepAgent({
      model: steps(calling(task('helper'))),
      subagents: [helper(steps(calling(['worker'])), { tools: [worker] })],
    });
  };

  it('stream updates and what tools report, with the place of a sub-agent', async () => {
    const options = given({ streamMode: ['updates', 'custom'], subgraphs: true });
    const seen: string[] = [];
    for await (const chunk of await streaming().stream(go, options)) {
      const [place, mode, data] = chunk as unknown as [string[], string, unknown];
      const what = mode === 'custom' ? String(data) : Object.keys(data as object).join();
      if (!what.includes('before_agent')) seen.push(`${place.map((at) => at.split(':')[0]).join()} ${what}`);
    }
    expect(seen).toEqual([
      ' model_request',
      'tools model_request',
      'tools half done',
      'tools tools',
      'tools model_request',
      ' tools',
      ' model_request',
    ]);
  });

  it('stream sub-agents and calls as events of version 3', async () => {
    const agent = streaming() as unknown as {
      streamEvents(
        input: never,
        options: object,
      ): Promise<{
        subagents: AsyncIterable<{ name: string; output: Promise<State> }>;
        toolCalls: AsyncIterable<{ name: string; status: Promise<string> }>;
        output: Promise<State>;
      }>;
    };
    const run = await agent.streamEvents(go, { version: 'v3' });
    const seen: string[] = [];
    await Promise.all([
      (async () => {
        for await (const { name, output } of run.subagents)
          seen.push(`${name}: ${(await output).messages.at(-1)?.text}`);
      })(),
      (async () => {
        for await (const { name, status } of run.toolCalls) seen.push(`${name}: ${await status}`);
      })(),
    ]);
    expect(seen.sort()).toEqual(['helper: Done.', 'task: finished']);
    expect((await run.output).messages.at(-1)?.text).toBe('Done.');
  });

  it('work as a part of another agent, as a tool', async () => {
    const inner = library.createDeepAgent({ model: steps(calling(['ls'])) });
    const outer = createAgent({
      model: steps(calling(['ask'])),
      tools: [
        named('ask', async () => {
          const { messages } = (await inner.invoke(go)) as unknown as State;
          return `inner said ${messages.at(-1)?.text}`;
        }),
      ],
    });
    expect(resultsIn(await outer.invoke(go))).toEqual(['inner said Done.']);
  });
});

describe.each(both)('limits of %s', (_name, library) => {
  it('on steps apply to sub-agents, too', async () => {
    let requests = 0;
    const endless = new ScriptedModel(() => {
      requests++;
      return calling(['ls', { path: '/' }]);
    });
    const agent = library.createDeepAgent({
      model: steps(calling(task('helper'))),
      subagents: [helper(endless)],
    });
    await expect(agent.invoke(go, { recursionLimit: 20 })).rejects.toMatchObject({
      name: 'GraphRecursionError',
    });
    expect(requests).toBeLessThan(20);
  });

  it('on the time of commands are those of the backend', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'same-limit-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const shell = new library.LocalShellBackend({ rootDir: folder, inheritEnv: true, timeout: 0.1 });
    const routes = { '/memories/': new library.StateBackend() };
    for (const backend of [shell, new library.CompositeBackend(shell, routes)]) {
      const model = steps(calling(['execute', { command: 'exec sleep 600' }]));
      const [result] = resultsIn(await library.createDeepAgent({ model, backend }).invoke(go));
      expect(result).toContain('exit code 124');
    }
  });
});
