import {
  AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { because, type Reasons } from '../../contract/shared/reasons';
import { discardedResult } from '../../host/turns/middleware/rehearsed-call';
import { OfflineModel } from './offline-model';

const FOLDER = '/home/me/project';
const PROMPT = new SystemMessage(`You are the agent.\n\nProject folder: ${FOLDER}\n`);

type Result = string | { error: string; refused?: Reasons };
/** The fake tools' answers, by name. */
type Tools = Record<string, (args: Record<string, unknown>) => Result>;

interface Played {
  /** Each model message with calls, as `name(arguments)`. */
  rounds: [name: string, args: Record<string, unknown>][][];
  text: string;
  messages: BaseMessage[];
}

/** The loop of an agent without the agent: answers calls until a message has none. */
async function play(request: string, tools: Tools, before: BaseMessage[] = [PROMPT]): Promise<Played> {
  const model = new OfflineModel({ platform: 'linux' });
  const messages = [...before, new HumanMessage(request)];
  const rounds: Played['rounds'] = [];
  for (let round = 0; round < 20; round += 1) {
    const answer = await model.invoke(messages);
    messages.push(answer);
    const calls = answer.tool_calls ?? [];
    if (calls.length === 0) return { rounds, text: answer.text, messages };
    rounds.push(calls.map(({ name, args }) => [name, args]));
    for (const { name, args, id } of calls) messages.push(resultOf(tools[name]?.(args) ?? 'done', name, id));
  }
  throw new Error('The model did not come to an end.');
}

const resultOf = (result: Result, name: string, id = '') =>
  new ToolMessage({
    name,
    tool_call_id: id,
    status: typeof result === 'string' ? 'success' : 'error',
    content: typeof result === 'string' ? result : result.error,
    ...(typeof result === 'string' ? {} : { artifact: { refused: result.refused } }),
  });

const numbered = (...lines: string[]) =>
  lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`).join('\n');
const exits = (code: number, output = 'out') =>
  `${output}\n[Command ${code === 0 ? 'succeeded' : 'failed'} with exit code ${code}]`;

describe('each request becomes the calls a model would make', () => {
  const tools: Tools = {
    ls: () => `${FOLDER}/src (directory)\n${FOLDER}/README.md (120 bytes)`,
    read_file: () => numbered('# Title', 'text'),
    grep: () => `${FOLDER}/src/sum.js:\n  3: return a - b;\n  9: a - b`,
    glob: () => `${FOLDER}/README.md\n${FOLDER}/notes/a.md`,
    execute: () => exits(0),
  };
  const file = (name: string) => `${FOLDER}/${name}`;

  it.each<[string, Played['rounds'], string]>([
    ['list files', [[['ls', { path: FOLDER }]]], 'I listed 2 entries in `project` (`src/` and `README.md`).'],
    [
      'list files in src',
      [[['ls', { path: file('src') }]]],
      'I listed 2 entries in `src` (`src/` and `README.md`).',
    ],
    [
      'list files in /memories/',
      [[['ls', { path: '/memories/' }]]],
      'I listed 2 entries in `/memories/` (`src/` and `README.md`).',
    ],
    ['read README.md', [[['read_file', { file_path: file('README.md') }]]], 'I read 2 lines of `README.md`.'],
    [
      'read ./README.md from line 5',
      [[['read_file', { file_path: file('README.md'), offset: 4 }]]],
      'I read 2 lines of `./README.md`.',
    ],
    [
      'find "a - b" in src',
      [[['grep', { pattern: 'a - b', path: file('src'), output_mode: 'content' }]]],
      'I found `a - b` 2 times, first in `src/sum.js` line 3.',
    ],
    [
      'files *.md',
      [[['glob', { pattern: '*.md', path: FOLDER }]]],
      'I found 2 files for `*.md` (`README.md` and `notes/a.md`).',
    ],
    [
      'create a.txt with "one\\ntwo"',
      [[['write_file', { file_path: file('a.txt'), content: 'one\ntwo' }]]],
      'I wrote `a.txt`.',
    ],
    [
      'replace "a" with "b" in a.txt',
      [
        [['read_file', { file_path: file('a.txt') }]],
        [['edit_file', { file_path: file('a.txt'), old_string: 'a', new_string: 'b', replace_all: false }]],
      ],
      'I replaced `a` with `b` in `a.txt`.',
    ],
    ['delete a.txt', [[['delete', { file_path: file('a.txt') }]]], 'I deleted `a.txt`.'],
    ['run npm test', [[['execute', { command: 'npm test' }]]], 'I ran `npm test` (exit code 0).'],
    ['forget tea', [[['delete', { file_path: '/memories/tea.md' }]]], 'I forgot `tea`.'],
    [
      'plan: A; B',
      [
        [
          [
            'write_todos',
            {
              todos: [
                { content: 'A', status: 'pending' },
                { content: 'B', status: 'pending' },
              ],
            },
          ],
        ],
      ],
      'I wrote down a plan of 2 steps.',
    ],
    [
      'delegate: list files',
      [[['task', { description: 'list files', subagent_type: 'general-purpose' }]]],
      'I had a sub-agent do `list files`.\n\n> done',
    ],
    ['列出文件', [[['ls', { path: FOLDER }]]], '我列出了 `project` 中的 2 项（`src/`、`README.md`）。'],
    ['运行 npm test', [[['execute', { command: 'npm test' }]]], '我运行了 `npm test`（退出码 0）。'],
    [
      '把 a.txt 中的 "甲" 替换为 "乙"',
      [
        [['read_file', { file_path: file('a.txt') }]],
        [['edit_file', { file_path: file('a.txt'), old_string: '甲', new_string: '乙', replace_all: false }]],
      ],
      '我在 `a.txt` 中把 `甲` 替换为 `乙`。',
    ],
  ])('%s', async (request, rounds, text) => {
    const played = await play(request, tools);
    expect({ rounds: played.rounds, text: played.text }).toEqual({ rounds, text });
  });
});

describe('files that may be read only after approval', () => {
  const left = (count: number) =>
    `[${count} more in files that need the person's permission: read them with read_file.]`;
  it.each([
    [
      'find key',
      left(2),
      'I found `key` 2 times, only in protected files, which I read only after asking you.',
    ],
    [
      'find key',
      `${FOLDER}/a.js:\n  3: key\n\n${left(1)}`,
      'I found `key` 1 time, first in `a.js` line 3, and 1 more in protected files, which I read only after asking you.',
    ],
    [
      'find key',
      "No matches found for pattern 'key'",
      'I looked for `key` in all but hidden and ignored files and found nothing.',
    ],
    // A matching line in a file is not the search's own note.
    ['find key', `${FOLDER}/a.js:\n  3: ${left(4)}`, 'I found `key` 1 time, first in `a.js` line 3.'],
    ['查找 "key"', left(2), '我找到 `key` 2 处，都在受保护的文件中，读取前需要你同意。'],
  ])('%s: %s', async (request, result, text) => {
    expect((await play(request, { grep: () => result })).text).toBe(text);
  });
});

describe('steps', () => {
  it('run one after another and are summed up in one sentence', async () => {
    const { rounds, text } = await play('create a.txt with x then run cat a.txt\nlist files', {
      execute: () => exits(0),
      ls: () => `No files found in ${FOLDER}`,
    });
    expect(rounds.map((calls) => calls.map(([name]) => name))).toEqual([['write_file'], ['execute'], ['ls']]);
    expect(text).toBe('I wrote `a.txt`, ran `cat a.txt` (exit code 0) and listed `project`, which is empty.');
  });

  it('joined by + become parallel calls of one message, even if one needs two rounds', async () => {
    const { rounds, text } = await play(
      'create a.txt with x + replace "p" with "q" in b.txt + delete c.txt',
      {
        read_file: () => numbered('p'),
      },
    );
    expect(rounds.map((calls) => calls.map(([name]) => name))).toEqual([
      ['write_file', 'read_file', 'delete'],
      ['edit_file'],
    ]);
    expect(text).toBe('I wrote `a.txt`, replaced `p` with `q` in `b.txt` and deleted `c.txt`.');
  });

  it('stop at the first failure, and report it with the finished and unfinished steps', async () => {
    const { rounds, text } = await play('create a.txt with x then run false then list files', {
      execute: () => ({ error: exits(1) }),
    });
    expect(rounds).toHaveLength(2);
    expect(text).toBe(
      'Stopped at step 2 of 3: `false` ended with exit code 1; before that I wrote `a.txt`; not started: `list files`.',
    );
  });

  it('treat a failed command as a failure even if the tool calls it a success', async () => {
    const { text } = await play('run false', { execute: () => exits(7) });
    expect(text).toBe('Stopped: `false` ended with exit code 7.');
  });

  it('say that the person discarded what a command changed', async () => {
    const { content } = discardedResult('[Command succeeded with exit code 0]', 'not now');
    const { text } = await play('run touch a', { execute: () => ({ error: String(content) }) });
    expect(text).toBe('Stopped: you discarded what `touch a` changed.');
  });

  it('report that a command timed out', async () => {
    const { text } = await play('run sleep 9', {
      execute: () => ({ error: 'Error: Command timed out after 120.0 seconds.' }),
    });
    expect(text).toBe('Stopped: `sleep 9` took too long and was ended.');
  });

  it('let the parallel siblings of a rejected call run, and report both', async () => {
    const { text } = await play('create a.txt with x + delete b.txt then list files', {
      delete: () => ({ error: 'The person rejected this call, so it did not run. The person said: keep it' }),
    });
    expect(text).toBe(
      'Stopped at step 1 of 2: you rejected `delete b.txt` ("keep it"), so it was not done; before that I wrote `a.txt`; not started: `list files`.',
    );
  });

  it('do not edit an unreadable file', async () => {
    const { rounds, text } = await play('replace "a" with "b" in none.txt', {
      read_file: () => ({ error: "Error: File 'none.txt' not found" }),
    });
    expect(rounds).toHaveLength(1);
    expect(text).toBe(
      'Stopped: `replace "a" with "b" in none.txt` did not work (File \'none.txt\' not found).',
    );
  });

  it.each([
    [
      'run curl x | sh',
      'Stopped: `curl x | sh` was refused (It would run downloaded or decoded code that nobody has seen. It did not run. Only you can do this, for example in a terminal.).',
    ],
    [
      '运行 curl x | sh',
      '已停止：`curl x | sh` 被拒绝（它会运行下载或解码出的、无人看过的内容。没有执行。只有你自己能这样做，例如在终端中。）。',
    ],
  ])('tell the person why a call was refused, not what the model is told: %s', async (request, told) => {
    const refused = [because('runs_unseen'), because('do_otherwise')];
    const { text } = await play(request, {
      execute: () => ({ error: 'Error: … Do it another way, or tell the person what to run.', refused }),
    });
    expect(text).toBe(told);
  });

  it('report the arguments that the person changed', async () => {
    const { text } = await play('run npm test', {
      execute: () =>
        `[The person changed the arguments before this ran: {"command":"npm run check"}]\n${exits(0)}`,
    });
    expect(text).toBe('I ran `npm run check` (exit code 0).');
  });

  it('accept an answer as the result instead of a run', async () => {
    const { text } = await play('run npm test', { execute: () => 'It passes, I just ran it.' });
    expect(text).toBe('I took your answer to `npm test`: It passes, I just ran it.');
  });

  it('stop if a tool is missing', async () => {
    const bound = new OfflineModel().bindTools([{ name: 'ls', description: '', schema: { type: 'object' } }]);
    const answer = await bound.invoke([PROMPT, new HumanMessage('run ls')]);
    expect([answer.text, answer.tool_calls]).toEqual([
      'Stopped: `ls` needs the tool `execute`, which is not available here.',
      [],
    ]);
  });

  it('continue a conversation that was cut between a call and its result', async () => {
    const model = new OfflineModel();
    const call = { name: 'execute', args: { command: 'x' }, id: 'call_1', type: 'tool_call' as const };
    const answer = await model.invoke([
      PROMPT,
      new HumanMessage('run x then list files'),
      new AIMessage({ content: '', tool_calls: [call] }),
    ]);
    expect(answer.text).toBe(
      'Stopped at step 1 of 2: `x` was cancelled before it finished; not started: `list files`.',
    );
  });

  it("answer only the last request, not a summary in the user's name", async () => {
    const first = await play('list files', { ls: () => '' });
    const { rounds } = await play('read a.txt', {}, first.messages);
    expect(rounds).toEqual([[['read_file', { file_path: `${FOLDER}/a.txt` }]]]);
    const summary = new HumanMessage({
      content: 'Summary',
      additional_kwargs: { lc_source: 'summarization' },
    });
    const answer = await new OfflineModel().invoke([PROMPT, new HumanMessage('list files'), summary]);
    expect(answer.tool_calls?.map(({ name }) => name)).toEqual(['ls']);
  });
});

describe('memories', () => {
  const empty: Tools = {
    glob: () => "No files found matching pattern 'tea.md'",
    ls: () => 'No files found in /memories/',
  };

  it('are written to a file with their name', async () => {
    const { rounds, text } = await play('remember Green Tea: no sugar', empty);
    expect(rounds).toEqual([
      [['glob', { pattern: 'green-tea.md', path: '/memories/' }]],
      [['write_file', { file_path: '/memories/green-tea.md', content: 'no sugar\n' }]],
    ]);
    expect(text).toBe('I remembered that as `green-tea.md`.');
  });

  it('are named after their first words if they have no name', async () => {
    const { rounds } = await play('remember the port is 8080, not 80', empty);
    expect(rounds[1]).toEqual([
      [
        'write_file',
        { file_path: '/memories/the-port-is-8080-not.md', content: 'the port is 8080, not 80\n' },
      ],
    ]);
    const chinese = await play('记住 我喜欢绿茶', empty);
    expect(chinese.rounds[1]).toEqual([
      ['write_file', { file_path: '/memories/我喜欢绿茶.md', content: '我喜欢绿茶\n' }],
    ]);
  });

  it('are extended if they exist, after an ending that occurs once', async () => {
    const { rounds, text } = await play('remember tea: black', {
      glob: () => '/memories/tea.md',
      read_file: () => numbered('green', 'sugar', 'green', 'sugar'),
    });
    expect(rounds.slice(1)).toEqual([
      [['read_file', { file_path: '/memories/tea.md', limit: 2000 }]],
      [
        [
          'edit_file',
          {
            file_path: '/memories/tea.md',
            old_string: 'sugar\ngreen\nsugar',
            new_string: 'sugar\ngreen\nsugar\nblack',
            replace_all: false,
          },
        ],
      ],
    ]);
    expect(text).toBe('I added that to the memory `tea.md`.');
  });

  it('are all read on request', async () => {
    const { rounds, text } = await play('what do you remember?', {
      ls: () => '/memories/a.md (3 bytes)\n/memories/sub/ (directory)\n/memories/b.md (9 bytes)',
      read_file: ({ file_path }) => numbered(file_path === '/memories/a.md' ? 'one' : 'two'),
    });
    expect(rounds).toEqual([
      [['ls', { path: '/memories/' }]],
      [
        ['read_file', { file_path: '/memories/a.md' }],
        ['read_file', { file_path: '/memories/b.md' }],
      ],
    ]);
    expect(text).toBe('I found 2 memories (`a.md` and `b.md`).\n\n**a.md**\n\n> one\n\n**b.md**\n\n> two');
  });

  it('are searched by text and name', async () => {
    const { rounds, text } = await play('what do you remember about Tea', {
      grep: () => "No matches found for pattern 'Tea'",
      glob: () => '/memories/tea.md',
      read_file: () => numbered('green'),
    });
    expect(rounds).toEqual([
      [
        ['grep', { pattern: 'Tea', path: '/memories/', output_mode: 'files_with_matches' }],
        ['glob', { pattern: '*tea*', path: '/memories/' }],
      ],
      [['read_file', { file_path: '/memories/tea.md' }]],
    ]);
    expect(text).toBe('I found 1 memory (`tea.md`).\n\n**tea.md**\n\n> green');
  });

  it('are reported as missing if there are none', async () => {
    expect((await play('what do you remember', empty)).text).toBe('I found nothing in my memories.');
    expect((await play('你记得什么', empty)).text).toBe('我在记忆中没有找到任何内容。');
  });
});

describe('sub-agents', () => {
  it('work in the same folder, and their failure fails the request', async () => {
    const sub = await play('run false', { execute: () => ({ error: exits(1) }) });
    const { text } = await play('delegate: run false', { task: () => sub.text });
    expect(text).toBe(
      'Stopped: `delegate: run false` did not work (Stopped: `false` ended with exit code 1.).',
    );
  });
});

describe('the demo', () => {
  it.each(['demo', '演示'])(
    'on %s removes and creates a folder, enters it, fills it in parallel, lists and reads',
    async (said) => {
      const { rounds } = await play(said, {
        execute: () => exits(0),
        ls: () => `${FOLDER}/test_dir/hello.py (9 bytes)`,
        read_file: () => numbered('print'),
      });
      expect(
        rounds.map((calls) =>
          calls.map(([name, args]) => `${name} ${args.command ?? args.file_path ?? args.path}`),
        ),
      ).toEqual([
        ['execute rm -rf test_dir'],
        ['execute mkdir test_dir'],
        ['execute cd test_dir && pwd'],
        ['hello.py', 'one.txt', 'two.txt', 'three.txt'].map(
          (name) => `write_file ${FOLDER}/test_dir/${name}`,
        ),
        [`ls ${FOLDER}/test_dir`],
        [`read_file ${FOLDER}/test_dir/hello.py`],
      ]);
    },
  );
});

describe('a message', () => {
  it('streams text in small pieces with one id, then the stop reason and no usage', async () => {
    const chunks: AIMessageChunk[] = [];
    for await (const chunk of await new OfflineModel().stream([new HumanMessage('help')])) chunks.push(chunk);
    const whole = chunks.reduce((all, chunk) => all.concat(chunk));
    expect(chunks.length).toBeGreaterThan(20);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(whole.text).toContain('I am not a language model');
    expect(whole.response_metadata).toEqual({
      model_provider: 'offline',
      model_name: 'guide',
      finish_reason: 'stop',
    });
    expect(whole.usage_metadata).toMatchObject({ input_tokens: 0, output_tokens: 0, total_tokens: 0 });
  });

  it('has new ids each time', async () => {
    const ask = () => new OfflineModel().invoke([PROMPT, new HumanMessage('list files + files *.md')]);
    const [one, two] = [await ask(), await ask()];
    const ids = [one, two].flatMap((answer) => [answer.id, ...(answer.tool_calls ?? []).map(({ id }) => id)]);
    expect(new Set(ids).size).toBe(6);
  });

  it('carries each streamed call whole', async () => {
    let whole: AIMessageChunk | undefined;
    for await (const chunk of await new OfflineModel().stream([
      PROMPT,
      new HumanMessage('run echo "ä" + list files'),
    ])) {
      whole = whole ? whole.concat(chunk) : chunk;
    }
    expect(whole?.tool_calls?.map(({ name, args }) => [name, args])).toEqual([
      ['execute', { command: 'echo "ä"' }],
      ['ls', { path: FOLDER }],
    ]);
  });

  it('stops on request', async () => {
    const controller = new AbortController();
    const read = async () => {
      for await (const _ of await new OfflineModel().stream([new HumanMessage('hello')], {
        signal: controller.signal,
      })) {
        controller.abort(new Error('stopped by the person'));
      }
    };
    await expect(read()).rejects.toThrow('stopped by the person');
  });

  it('is in the language of the request', async () => {
    const answer = await new OfflineModel().invoke([new HumanMessage('你是谁')]);
    expect(answer.text).toContain('不是语言模型');
  });
});
