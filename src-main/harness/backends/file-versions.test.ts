import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { AgentObserver } from '../../host/turns/agent-observer';
import type { ApprovalResume } from '../../host/turns/middleware/ask-person';
import { createThreadAgent, type ThreadAgentOptions } from '../../host/turns/run/thread-agent';
import { ScriptedModel, type ScriptedStep } from '../agent/testing/scripted-model';
import { CompositeBackend, StateBackend } from '.';
import { FilesystemBackend } from './filesystem';
import { FILE_VERSIONS, versionsReducer } from './seen-versions';

const observer: AgentObserver = {
  modelStarted: () => undefined,
  modelDelta: () => undefined,
  modelEnded: () => undefined,
  modelFailed: () => undefined,
  approvalRequested: () => undefined,
  toolStarted: () => undefined,
  toolEnded: () => undefined,
  todosChanged: () => undefined,
};

type Calls = NonNullable<ScriptedStep['calls']>;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deepdesk-versions-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});
const onDisk = (name: string, text?: string) => {
  if (text !== undefined) writeFileSync(join(folder, name), text);
  return readFileSync(join(folder, name), 'utf8');
};

const read = (path: string) => ({ name: 'read_file', args: { file_path: path } });
const edit = (path: string, from: string, to: string) => ({
  name: 'edit_file',
  args: { file_path: path, old_string: from, new_string: to },
});
const write = (path: string, content: string) => ({ name: 'write_file', args: { file_path: path, content } });

/** One thread whose agent is created for each turn. Each turn plays answers, and runs what comes before each. */
function thread(more: Partial<ThreadAgentOptions> = {}) {
  const checkpointer = new MemorySaver();
  const config = { configurable: { thread_id: 't' } };
  const agentOf = (answers: Calls[], before: (request: number) => void = () => undefined) =>
    createThreadAgent({
      model: new ScriptedModel((_messages, request) => {
        before(request);
        const calls = answers[request];
        return calls === undefined ? { text: 'Done.' } : { calls };
      }),
      systemPrompt: 'You are under test.',
      backend: new CompositeBackend(new StateBackend(), {
        '/work/': new FilesystemBackend({ rootDir: folder }),
      }),
      gate: { judge: async () => ({ verdict: 'allow', reason: [], outside: false }) },
      journal: {
        begin: () => undefined,
        finish: () => undefined,
        forget: () => undefined,
        isUnfinished: () => false,
        resultOf: () => undefined,
      },
      observer,
      isIncomplete: () => false,
      threadId: 't',
      requireRead: true,
      checkpointer,
      ...more,
    });
  const run = async (agent: ReturnType<typeof agentOf>, input: Parameters<typeof agent.graph.invoke>[0]) => {
    const state = await agent.graph.invoke(input, config);
    expect(Object.keys(state)).not.toContain(FILE_VERSIONS);
    return results(state.messages);
  };
  const play: (...given: Parameters<typeof agentOf>) => Promise<string[]> = (...given) =>
    run(agentOf(...given), { messages: [new HumanMessage('go')] });
  /** Goes on after the person has decided about the only open call. */
  const resume = (decided: ApprovalResume) => run(agentOf([]), new Command({ resume: decided }));
  return { play, resume };
}

/** The results of the last turn. */
const results = (messages: BaseMessage[]) =>
  messages
    .slice(messages.findLastIndex((m) => HumanMessage.isInstance(m)))
    .filter((m) => ToolMessage.isInstance(m))
    .map((m) => `${m.status ?? 'success'}: ${m.text}`);

const STALE = (path: string) =>
  `error: Error: '${path}' has changed since it was read. Read it again, then repeat the change.`;
const UNREAD = (path: string) =>
  `error: Error: Read it first: '${path}' was not read in this conversation. Then repeat the change.`;

describe('file versions that an agent has seen', () => {
  it('require a read before an edit [P91]', async () => {
    onDisk('a.txt', 'one');
    const { play } = thread();
    expect(
      await play([
        [edit('/work/a.txt', 'one', 'two')],
        [read('/work//a.txt')],
        [edit('/work/a.txt', 'one', 'two')],
      ]),
    ).toEqual([
      UNREAD('/work/a.txt'),
      'success:      1\tone',
      expect.stringMatching(/^success: Successfully replaced 1/),
    ]);
    expect(onDisk('a.txt')).toBe('two');
    expect(await play([[edit('/work/none.txt', 'a', 'b')]])).toEqual([
      "error: Error: File '/work/none.txt' not found",
    ]);
  });

  it('go stale when the file changes, until it is read again [P89]', async () => {
    onDisk('a.txt', 'one');
    const { play } = thread();
    const seen = await play(
      [
        [read('/work/a.txt')],
        [edit('/work/a.txt', 'one', 'two')],
        [write('/work/a.txt', 'mine')],
        [read('/work/a.txt')],
        [edit('/work/a.txt', 'one', 'two')],
      ],
      (request) => request === 1 && onDisk('a.txt', 'one, by another'),
    );
    expect(seen).toEqual([
      'success:      1\tone',
      STALE('/work/a.txt'),
      STALE('/work/a.txt'),
      'success:      1\tone, by another',
      expect.stringMatching(/^success: /),
    ]);
    expect(onDisk('a.txt')).toBe('two, by another');
  });

  it('include its own writes, and are stored with the thread', async () => {
    const { play } = thread();
    expect(await play([[write('/work/a.txt', 'one')], [edit('/work/a.txt', 'one', 'two')]])).toEqual([
      "success: Successfully wrote to '/work/a.txt'",
      expect.stringMatching(/^success: /),
    ]);
    // The next turn has a new agent with nothing but the thread's state.
    expect(await play([[edit('/work/a.txt', 'two', 'three')]])).toEqual([
      expect.stringMatching(/^success: /),
    ]);
    onDisk('a.txt', 'changed');
    expect(await play([[edit('/work/a.txt', 'changed', 'x')]])).toEqual([STALE('/work/a.txt')]);
    expect(onDisk('a.txt')).toBe('changed');
  });

  it('allow several edits of one answer in sequence', async () => {
    onDisk('a.txt', 'a b c');
    const { play } = thread();
    const edits = ['a', 'b', 'c'].map((word) => edit('/work/a.txt', word, word.toUpperCase()));
    await play([[read('/work/a.txt')], edits]);
    expect(onDisk('a.txt')).toBe('A B C');
  });

  it('report that the file was deleted, and then allow creating it again [P92]', async () => {
    onDisk('a.txt', 'one');
    const { play } = thread();
    const seen = await play(
      [[read('/work/a.txt')], [write('/work/a.txt', 'two')], [write('/work/a.txt', 'two')]],
      (request) => request === 1 && rmSync(join(folder, 'a.txt')),
    );
    expect(seen.slice(1)).toEqual([
      "error: Error: File '/work/a.txt' not found: it was deleted since it was read. Write it again to create it again.",
      "success: Successfully wrote to '/work/a.txt'",
    ]);
  });

  it('belong to one agent: a sub-agent must read for itself, and its changes are new to its parent', async () => {
    onDisk('a.txt', 'one');
    let at = 0;
    const script: Calls[] = [
      [edit('/work/a.txt', 'one', 'two')],
      [read('/work/a.txt')],
      [edit('/work/a.txt', 'one', 'two')],
    ];
    const seen: string[] = [];
    const { play } = thread({
      subagents: [
        {
          name: 'worker',
          description: 'works',
          systemPrompt: 'Work.',
          model: new ScriptedModel((messages) => {
            seen.push(...results(messages).slice(-1));
            const calls = script[at++];
            return calls === undefined ? { text: 'Done.' } : { calls };
          }),
        },
      ],
    });
    const task = { name: 'task', args: { description: 'work', subagent_type: 'worker' } };
    const told = await play([[read('/work/a.txt')], [task], [edit('/work/a.txt', 'two', 'three')]]);
    expect(seen[0]).toBe(UNREAD('/work/a.txt'));
    expect(told.at(-1)).toBe(STALE('/work/a.txt'));
    expect(onDisk('a.txt')).toBe('two');
  });

  it('are not required by default', async () => {
    onDisk('a.txt', 'one');
    const { play } = thread({ requireRead: false });
    expect(await play([[edit('/work/a.txt', 'one', 'two')]])).toEqual([expect.stringMatching(/^success: /)]);
  });

  it('ask nobody about a change that could not be made', async () => {
    onDisk('a.txt', 'one');
    const { play } = thread({
      gate: {
        judge: async ({ tool }) =>
          tool === 'edit_file'
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
    });
    expect(await play([[edit('/work/a.txt', 'one', 'two')]])).toEqual([UNREAD('/work/a.txt')]);
  });
});

describe('a file that the agent never read', () => {
  const remove = (path: string) => ({ name: 'delete', args: { file_path: path } });
  const CHANGED = (path: string) =>
    `error: Error: Another program has just changed '${path}'. Read it, then repeat the change.`;

  /** A folder in which another program writes right before a change of the agent. */
  function beforeChange(work: () => void) {
    const backend = new FilesystemBackend({ rootDir: folder });
    const write = backend.write.bind(backend);
    const remove = backend.delete.bind(backend);
    backend.write = async (...args) => {
      work();
      return write(...args);
    };
    backend.delete = async (...args) => {
      work();
      return remove(...args);
    };
    return new CompositeBackend(new StateBackend(), { '/work/': backend });
  }

  it('is not replaced without asking until it is read, unless it is empty', async () => {
    onDisk('a.txt', 'theirs');
    onDisk('empty.txt', '');
    const { play } = thread();
    const blind = [[write('/work/a.txt', 'mine')], [write('/work/empty.txt', 'mine')]];
    expect(await play(blind)).toEqual([
      UNREAD('/work/a.txt'),
      "success: Successfully wrote to '/work/empty.txt'",
    ]);
    expect(onDisk('a.txt')).toBe('theirs');
    expect((await play([[read('/work/a.txt')], [write('/work/a.txt', 'mine')]])).at(-1)).toMatch(
      /^success: /,
    );
  });

  it('is replaced if the person has seen what is replaced and allowed it', async () => {
    onDisk('a.txt', 'theirs');
    const fileVersion = (await new FilesystemBackend({ rootDir: folder }).read('a.txt')).version ?? null;
    const question = {
      preview: { kind: 'arguments' as const, json: '' },
      reason: [],
      risk: 'low' as const,
      allowed: ['approve' as const],
      digest: 'd',
      fileVersion,
    };
    const { play, resume } = thread({ gate: { judge: async () => ({ verdict: 'ask', question }) } });
    expect(await play([[write('/work/a.txt', 'mine')]])).toEqual([]);
    await resume({ decision: { type: 'approve' }, digest: 'd', fileVersion });
    expect(onDisk('a.txt')).toBe('mine');
  });

  it('is replaced or deleted as it is if reading is not required', async () => {
    onDisk('a.txt', 'theirs');
    const { play } = thread({ requireRead: false });
    expect(await play([[write('/work/a.txt', 'mine')], [remove('/work/a.txt')]])).toEqual([
      "success: Successfully wrote to '/work/a.txt'",
      'success: Deleted /work/a.txt',
    ]);
  });

  it('is not replaced or deleted if another program changes it at that moment', async () => {
    onDisk('a.txt', 'old');
    onDisk('b.txt', 'old');
    let texts = ['one', 'two'];
    const { play } = thread({
      requireRead: false,
      backend: beforeChange(() => {
        const text = texts.shift();
        if (text === undefined) return;
        onDisk('a.txt', text);
        onDisk('b.txt', text);
      }),
    });
    expect(await play([[write('/work/a.txt', 'mine')], [remove('/work/b.txt')]])).toEqual([
      CHANGED('/work/a.txt'),
      CHANGED('/work/b.txt'),
    ]);
    expect([onDisk('a.txt'), onDisk('b.txt')]).toEqual(['two', 'two']);
    texts = [];
    expect(await play([[write('/work/a.txt', 'mine')]])).toEqual([
      "success: Successfully wrote to '/work/a.txt'",
    ]);
  });

  it.each([
    [true, UNREAD('/work/new.txt')],
    [false, CHANGED('/work/new.txt')],
  ])('is not replaced if it appears at that moment; reading required: %s', async (requireRead, answer) => {
    const backend = beforeChange(() => onDisk('new.txt', 'theirs'));
    const { play } = thread({ requireRead, backend });
    expect(await play([[write('/work/new.txt', 'mine')]])).toEqual([answer]);
    expect(onDisk('new.txt')).toBe('theirs');
  });

  it('is not replaced if the person approved a new file and it has appeared since', async () => {
    const question = {
      preview: { kind: 'arguments' as const, json: '' },
      reason: [],
      risk: 'low' as const,
      allowed: ['approve' as const],
      digest: 'd',
      fileVersion: null,
    };
    const { play, resume } = thread({ gate: { judge: async () => ({ verdict: 'ask', question }) } });
    expect(await play([[write('/work/new.txt', 'mine')]])).toEqual([]);
    onDisk('new.txt', 'theirs');
    expect(await resume({ decision: { type: 'approve' }, digest: 'd', fileVersion: null })).toEqual([
      "error: Error: '/work/new.txt' exists already. Edit it, or write to another path.",
    ]);
    expect(onDisk('new.txt')).toBe('theirs');
  });
});

describe('the list of versions', () => {
  it('forgets by null and drops the ones seen longest ago', () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`/${n}`, 'v']));
    const next = versionsReducer(versionsReducer(many, { '/0': 'w' }), { '/new': 'v', '/5': null });
    expect(Object.keys(next)).toHaveLength(2_000);
    const more = versionsReducer(next, { '/newer': 'v' });
    expect(['/0', '/1', '/5', '/new', '/newer'].map((path) => more[path])).toEqual([
      'w',
      undefined,
      undefined,
      'v',
      'v',
    ]);
  });
});
