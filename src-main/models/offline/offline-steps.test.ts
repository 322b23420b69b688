import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { because } from '../../contract/shared/reasons';
import { discardedResult } from '../../host/turns/middleware/rehearsed-call';
import { OfflineModel } from './offline-model';
import { exits, FOLDER, numbered, PROMPT, play } from './testing/play';

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
