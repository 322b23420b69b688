import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';
import { ScriptedModel, type ScriptedStep } from '../../harness/agent/testing/scripted-model';
import { StateBackend } from '../../harness/backends';
import type { FileData } from '../../harness/backends/protocol';
import { SqliteSaver } from '../../harness/storage/sqlite/checkpointer/checkpointer';
import { temporaryDatabase } from '../../storage/testing/fixtures';
import type { StoredResult } from '../threads/journal';
import type { AgentObserver } from './agent-observer';
import type { ApprovalInterrupt } from './middleware/ask-person';
import { createThreadAgent } from './run/thread-agent';

type Calls = NonNullable<ScriptedStep['calls']>;

const write = (path: string, content: string) => ({ name: 'write_file', args: { file_path: path, content } });
const edit = (path: string, from: string, to: string) => ({
  name: 'edit_file',
  args: { file_path: path, old_string: from, new_string: to },
});
const remove = (path: string) => ({ name: 'delete', args: { file_path: path } });
const task = (work: string) => ({
  id: work,
  name: 'task',
  args: { description: work, subagent_type: 'general-purpose' },
});

/**
 * A thread with initial files. `parent` has its agent's answers, `works` the actions of each sub-agent by the name of its
 * work; a turn of a work may wait for others.
 */
function thread(options: {
  saver?: BaseCheckpointSaver;
  files: Record<string, string>;
  parent: Calls[];
  works: Record<string, (Calls | (() => Promise<Calls>))[]>;
  asks?: (path: string) => boolean;
  /** Text of each turn of a work, if it matters. */
  says?: Record<string, string[]>;
}) {
  const started: string[] = [];
  /** Type and call of the agent that started each call. */
  const startedBy: string[] = [];
  const results = new Map<string, StoredResult>();
  const ends = new Map<string, { told: Promise<void>; tell: () => void }>();
  const endOf = (callId: string) => {
    let tell = () => {};
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const end = ends.get(callId) ?? { told, tell };
    ends.set(callId, end);
    return end;
  };
  const config = { configurable: { thread_id: 't' } };
  const observer: AgentObserver = {
    modelStarted: () => undefined,
    modelDelta: () => undefined,
    modelEnded: () => undefined,
    modelFailed: () => undefined,
    approvalRequested: () => undefined,
    toolStarted: (agent, callId) => {
      started.push(callId);
      startedBy.push(`${agent?.name ?? ''} ${agent?.callId ?? ''}: ${callId}`);
    },
    toolEnded: (_agent, callId) => endOf(callId).tell(),
    todosChanged: () => undefined,
  };
  const checkpointer = options.saver ?? new MemorySaver();
  class Model extends ScriptedModel {
    override async _generate(messages: BaseMessage[]) {
      const work = messages.find((m) => HumanMessage.isInstance(m))?.text ?? '';
      const turn = options.works[work]?.[answersIn(messages)];
      if (typeof turn === 'function') this.ready.set(work, await turn());
      return super._generate(messages);
    }
    readonly ready = new Map<string, Calls>();
  }
  const model: Model = new Model((messages) => {
    const work = messages.find((m) => HumanMessage.isInstance(m))?.text ?? '';
    const script = options.works[work] ?? options.parent;
    const turn = script[answersIn(messages)];
    const calls = typeof turn === 'function' ? (model.ready.get(work) ?? []) : turn;
    const said = options.says?.[work]?.[answersIn(messages)];
    return calls === undefined ? { text: `${work} done.` } : { text: said ?? '', calls };
  });
  const agent = () =>
    createThreadAgent({
      model,
      systemPrompt: 'You are under test.',
      backend: new StateBackend(),
      gate: {
        judge: async ({ args }) =>
          options.asks?.(String(args.file_path)) === true
            ? {
                verdict: 'ask',
                question: {
                  preview: { kind: 'arguments', json: '' },
                  reason: [],
                  risk: 'low',
                  allowed: ['approve'],
                  digest: 'd',
                },
              }
            : { verdict: 'allow', reason: [], outside: false },
      },
      journal: {
        begin: () => undefined,
        finish: (callId, result) => void results.set(callId, result),
        forget: () => undefined,
        isUnfinished: () => false,
        resultOf: (callId) => results.get(callId),
      },
      observer,
      isIncomplete: () => false,
      threadId: 't',
      checkpointer,
    });
  const time = '2026-01-01T00:00:00.000Z';
  const files = Object.fromEntries(
    Object.entries(options.files).map(([path, content]): [string, FileData] => [
      path,
      { content, mimeType: 'text/plain', created_at: time, modified_at: time },
    ]),
  );
  const seen = async () => {
    const state = await agent().graph.getState(config);
    const { files = {}, messages = [] } = state.values as {
      files?: Record<string, FileData>;
      messages?: BaseMessage[];
    };
    return {
      files: Object.fromEntries(Object.entries(files).map(([path, { content }]) => [path, content])),
      told: messages.filter((m) => ToolMessage.isInstance(m)).map((m) => `${m.tool_call_id}: ${m.text}`),
      waiting: state.tasks.flatMap(({ interrupts }) =>
        interrupts.map((one) => ({ id: one.id ?? '', call: (one.value as ApprovalInterrupt).callId })),
      ),
    };
  };
  return {
    started,
    startedBy,
    /** Resolves when a call has finished. */
    ended: (callId: string) => endOf(callId).told,
    seen,
    run: () => {
      const input = { messages: [new HumanMessage('go')], files };
      return agent().graph.invoke(input, config);
    },
    approve: async () => {
      const { waiting } = await seen();
      const resume = Object.fromEntries(waiting.map(({ id }) => [id, { decision: { type: 'approve' } }]));
      return agent().graph.invoke(new Command({ resume }), config);
    },
  };
}

const answersIn = (messages: BaseMessage[]) => messages.filter((m) => m.type === 'ai').length;

describe.each([
  ['MemorySaver', () => new MemorySaver()],
  ['SqliteSaver', () => new SqliteSaver(temporaryDatabase())],
] as const)('sub-agents side by side, saved by %s', (_name, saver) => {
  it("keep each other's files, whether written, edited or deleted", async () => {
    const t = thread({
      saver: saver(),
      files: { '/a': 'a', '/b': 'b', '/gone': 'x', '/left': 'untouched' },
      parent: [[task('one'), task('two')]],
      works: {
        one: [[write('/new-1', '1'), edit('/a', 'a', 'A')]],
        two: [[write('/new-2', '2'), edit('/b', 'b', 'B'), remove('/gone')]],
      },
    });
    await t.run();
    expect(await t.seen()).toEqual({
      files: { '/a': 'A', '/b': 'B', '/left': 'untouched', '/new-1': '1', '/new-2': '2' },
      told: ['one: one done.', 'two: two done.'],
      waiting: [],
    });
  });

  it.each(['one', 'two'])(
    "keep the later call's version of a file that both changed, and report it (%s ends first)",
    async (first) => {
      const other = first === 'one' ? 'two' : 'one';
      const changes = (mine: string): Calls => [edit('/a', 'text', mine), write('/same', mine)];
      const t = thread({
        saver: saver(),
        files: { '/a': 'text' },
        parent: [[task('one'), task('two')]],
        works: {
          [first]: [changes(first)],
          [other]: [
            async () => {
              await t.ended(first);
              return [...changes(other), ...(other === 'two' ? [write('/more', '')] : [])];
            },
          ],
        },
      });
      await t.run();
      const { files, told } = await t.seen();
      expect(files).toEqual({ '/a': 'two', '/same': 'two', ...(first === 'one' ? { '/more': '' } : {}) });
      const [by, said] =
        first === 'one'
          ? [
              'two',
              /\[An earlier call in the same answer also changed these; the changes of this one were kept: (.*)\]$/,
            ]
          : ['one', /\[Discarded, because a later call in the same answer also changed these: (.*)\]$/];
      const match = said.exec(told.find((text) => text.startsWith(`${by}:`)) ?? '');
      expect(match?.[1]?.split(', ').sort()).toEqual(['/a', '/same']);
    },
  );

  it('wait for the person separately: a finished sibling does not run again', async () => {
    const t = thread({
      saver: saver(),
      files: {},
      parent: [[task('one'), task('two')]],
      works: {
        one: [[{ id: 'w1', ...write('/ask/1', '1') }]],
        two: [[{ id: 'w2', ...write('/2', '2') }]],
      },
      asks: (path) => path.startsWith('/ask/'),
    });
    await t.run();
    expect((await t.seen()).waiting.map(({ call }) => call)).toEqual(['w1']);
    await t.approve();
    expect(await t.seen()).toEqual({
      files: { '/ask/1': '1', '/2': '2' },
      told: ['one: one done.', 'two: two done.'],
      waiting: [],
    });
    expect(t.started.filter((callId) => callId.startsWith('w')).sort()).toEqual(['w1', 'w2']);
  });

  it("start without the parent's conversation, and return files and one report [H46]", async () => {
    const t = thread({
      saver: saver(),
      files: { '/a': 'a' },
      parent: [
        [{ name: 'write_todos', args: { todos: [{ content: 'x', status: 'pending' }] } }],
        [task('one')],
      ],
      works: { one: [[{ name: 'write_todos', args: { todos: [{ content: 'sub', status: 'pending' }] } }]] },
    });
    const state = await t.run();
    expect('todos' in state && state.todos).toEqual([{ content: 'x', status: 'pending' }]);
    expect(state.messages.map((m) => m.type)).toEqual(['human', 'ai', 'tool', 'ai', 'tool', 'ai']);
  });
});

describe('a sub-agent', () => {
  it('reports its last message, even if an empty answer follows it [H48]', async () => {
    const t = thread({
      files: {},
      parent: [[task('one')]],
      works: { one: [[{ name: 'ls', args: { path: '/' } }], []] },
      says: { one: ['Found it.', ''] },
    });
    await t.run();
    expect((await t.seen()).told).toEqual(['one: Found it.']);
  });

  it('is distinguished from a sibling of the same type everywhere [H49]', async () => {
    const t = thread({
      files: {},
      parent: [[task('one'), task('two')]],
      works: {
        one: [[{ id: 'c1', ...write('/1', '1') }]],
        two: [[{ id: 'c2', ...write('/2', '2') }]],
      },
    });
    await t.run();
    expect(t.startedBy.filter((line) => line.startsWith('general-purpose')).sort()).toEqual([
      'general-purpose one: c1',
      'general-purpose two: c2',
    ]);
  });
});

describe('calls of one answer', () => {
  it("see each other's files, and lose no edit of the same scratch file", async () => {
    const t = thread({
      files: { '/a': 'a b c' },
      parent: [['a', 'b', 'c'].map((word) => edit('/a', word, word.toUpperCase()))],
      works: {},
    });
    await t.run();
    expect((await t.seen()).files).toEqual({ '/a': 'A B C' });
  });
});
