import { type AIMessageChunk, HumanMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { OfflineModel } from './offline-model';
import { exits, FOLDER, numbered, type Played, PROMPT, play, type Tools } from './testing/play';

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
