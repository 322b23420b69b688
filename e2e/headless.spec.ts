import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startAnthropic } from './providers/anthropic';
import { demoA0 } from './providers/demo-a0';
import { expect, test } from './support/app';
import { agent, events, type Ran, setUp } from './support/headless';
import { killAfterLine, killPoints } from './support/headless-kills';
import { currentRun } from './support/run';

test('sends nothing to LangSmith, whatever the environment says', async () => {
  const asked: string[] = [];
  const langSmith = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end('{}');
  });
  await new Promise<void>((resolve) => langSmith.listen(0, '127.0.0.1', resolve));
  const { port } = langSmith.address() as AddressInfo;
  const names = ['LANGSMITH', 'LANGCHAIN'].flatMap((prefix) => [
    [`${prefix}_TRACING`, 'true'],
    [`${prefix}_TRACING_V2`, 'true'],
    [`${prefix}_API_KEY`, 'lsv2_pt_not_a_key'],
    [`${prefix}_ENDPOINT`, `http://127.0.0.1:${port}`],
  ]);
  const { base, folder } = setUp();
  writeFileSync(join(folder, 'a.txt'), 'only for the model\n');
  const env = { ...Object.fromEntries(names), LANGCHAIN_VERBOSE: 'true' };
  const ran = await agent([...base, 'read a.txt'], { env });
  langSmith.close();
  expect(asked).toEqual([]);
  expect(ran.code).toBe(0);
  expect(ran.out).not.toContain('only for the model');
});

test('prints events as JSON lines, numbered without gaps, and exits 0', async () => {
  const { folder, base } = setUp();
  writeFileSync(join(folder, 'a.txt'), 'x');
  const ran = await agent([...base, '--approve', 'all', '--json', 'list files']);
  expect(ran.code).toBe(0);
  const lines = events(ran);
  expect(lines.map((event) => event.seq)).toEqual(lines.map((_event, index) => index + 1));
  expect(new Set(lines.map((event) => event.threadId)).size).toBe(1);
  expect(lines.filter((event) => event.type === 'turn.ended').map((event) => event.reason)).toEqual([
    'finished',
  ]);
});

for (const [name, args] of [
  ['an unknown option', ['--frobnicate', 'x']],
  ['no prompt', []],
  ['a wrong approval mode', ['--approve', 'maybe', 'x']],
  ['a wrong model', ['--model', 'nonsense', 'x']],
  ['a decision without a thread', ['--decide', 'approve']],
  ['a decision that is none', ['--thread', 't', '--decide', 'perhaps']],
  ['a thread and a fork at once', ['--thread', 't', '--fork', 't', 'x']],
  ['a fork of no thread', ['--fork', 't', 'x']],
  ['a folder that is not there', ['--folder', '/no/such/folder', 'x']],
] as const) {
  test(`reports ${name} in one line and exits 2`, async () => {
    const ran = await agent(['--data-dir', mkdtempSync(join(currentRun().temp, 'deepdesk-data-')), ...args]);
    expect(ran.code).toBe(2);
    expect(ran.out).toBe('');
    expect(ran.err.trim().split('\n')).toHaveLength(1);
  });
}

test('says that a thread with a misspelled id, or of another data folder, is not there', async () => {
  const { base } = setUp();
  for (const option of ['--thread', '--fork'])
    expect(await agent([...base, option, 'misspelled', 'list files'])).toEqual({
      code: 2,
      out: '',
      err: 'There is no thread “misspelled”. Check the id, and give --data-dir if the thread is in another data folder.\n',
    });
});

test('exits with status 4 when it needs a decision, and finishes with one', async () => {
  const { folder, base } = setUp();
  const waiting = await agent([...base, '--approve', 'policy', '--json', 'create a.txt with "hello"']);
  expect(waiting.code).toBe(4);
  expect(existsSync(join(folder, 'a.txt'))).toBe(false);
  const threadId = events(waiting)[0]?.threadId ?? '';
  const elsewhere = ['--folder', currentRun().temp, '--thread', threadId, '--decide', 'approve'];
  const refused = await agent([...base, ...elsewhere]);
  expect([refused.code, refused.err]).toEqual([
    2,
    `This thread works in ${realpathSync(folder)}. Leave --folder out, or start a new thread there.\n`,
  ]);
  const decided = await agent([...base, '--thread', threadId, '--decide', 'approve']);
  expect(decided.code).toBe(0);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('hello');
});

test('applies a decision to the call that was printed, and to no other', async () => {
  const { folder, base } = setUp();
  const waiting = await agent([...base, 'create a.txt with "1" + create b.txt with "2"']);
  expect(waiting.code).toBe(4);
  const [, threadId = ''] = /--thread (\S+)/.exec(waiting.err) ?? [];
  const named = [...waiting.err.matchAll(/--decide ([0-9a-f]{12})=approve/g)].map(([, call = '']) => call);
  expect(named).toHaveLength(2);
  const other = await agent([...base, '--thread', threadId, '--decide', `${'0'.repeat(12)}=approve`]);
  expect(other.code).not.toBe(0);
  expect(other.err).toContain('No pending call');
  expect(existsSync(join(folder, 'a.txt'))).toBe(false);
  const second = await agent([
    ...base,
    '--thread',
    threadId,
    '--decide',
    `${named[1]}=approve`,
    '--decide',
    `${named[0]}=reject`,
  ]);
  expect(second.code).toBe(0);
  expect([existsSync(join(folder, 'a.txt')), readFileSync(join(folder, 'b.txt'), 'utf8')]).toEqual([
    false,
    '2',
  ]);
});

test('makes no decision if one of them is not possible', async () => {
  const { base } = setUp();
  const waiting = await agent([...base, 'create a.txt with "1" + create b.txt with "2"']);
  const [, threadId = ''] = /--thread (\S+)/.exec(waiting.err) ?? [];
  const both = await agent([...base, '--thread', threadId, '--decide', 'approve', '--decide', 'run']);
  expect([both.code, both.err]).toEqual([2, expect.stringContaining('Possible: approve, edit')]);
  const edit = ['--decide', 'approve', '--decide', 'edit:{"file_path":"/b.txt"}'];
  const incomplete = await agent([...base, '--thread', threadId, ...edit]);
  expect([incomplete.code, incomplete.err]).toEqual([
    2,
    expect.stringMatching(/missing .*: content\. .*waiting/),
  ]);
  expect((await agent([...base, '--thread', threadId])).err).toContain('Waiting for 2 decisions.');
});

test('keeps a part of what a command did, and never discards it for a misspelled path', async () => {
  const { folder, base } = setUp();
  const waiting = await agent([
    ...base,
    'run echo 1 > one.txt; echo 2 > two.txt; mkdir vendor; touch vendor/three.js vendor/four.js; echo printed',
  ]);
  test.skip(
    !waiting.err.includes('throwaway layer'),
    'commands cannot run in a throwaway layer on this machine',
  );
  expect(waiting.code).toBe(4);
  expect(waiting.err).toContain('    | printed\n    created one.txt +1 -0\n    created two.txt +1 -0\n');
  expect(waiting.err).toContain('    two.txt:\n      @@ -0,0 +1,1 @@\n      +2\n');
  const [, threadId = ''] = /--thread (\S+)/.exec(waiting.err) ?? [];
  const decide = (...decision: string[]) =>
    agent([...base, '--thread', threadId, ...decision.flatMap((one) => ['--decide', one])]);
  // The second one is in a folder that is one row.
  for (const misspelled of ['on.txt', 'vendor/tree.js']) {
    const refused = await decide(`keep:${misspelled}`);
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining(`changed nothing at "${misspelled}"`),
    ]);
  }
  const wrong = await decide('approve');
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Possible: keep, discard, run')]);
  const kept = await decide('keep:two.txt');
  expect([kept.code, kept.err]).toEqual([0, expect.stringContaining('[done, kept in part: 1 file]')]);
  expect([existsSync(join(folder, 'one.txt')), existsSync(join(folder, 'two.txt'))]).toEqual([false, true]);
});

for (const { decision, told, files } of [
  { decision: 'keep', told: '[done, kept 2 files]', files: ['one.txt', 'two.txt'] },
  { decision: 'discard:not this', told: '[rejected, discarded]', files: [] },
  { decision: 'run', told: '[done, ran for real]', files: ['one.txt', 'two.txt'] },
])
  test(`decides ${decision} about what a command did`, async () => {
    const { folder, base } = setUp();
    const waiting = await agent([...base, 'run echo 1 > one.txt; echo 2 > two.txt']);
    test.skip(
      !waiting.err.includes('throwaway layer'),
      'commands cannot run in a throwaway layer on this machine',
    );
    expect([waiting.code, readdirSync(folder).filter((name) => /^(one|two)\./.test(name))]).toEqual([4, []]);
    const [, threadId = ''] = /--thread (\S+)/.exec(waiting.err) ?? [];
    const decided = await agent([...base, '--thread', threadId, '--decide', decision]);
    expect([decided.code, decided.err]).toEqual([0, expect.stringContaining(told)]);
    expect(readdirSync(folder).filter((name) => /^(one|two)\./.test(name))).toEqual(files);
  });

test('continues in a new thread from a message, and leaves the original unchanged', async () => {
  const { folder, base } = setUp();
  writeFileSync(join(folder, 'a.txt'), 'x');
  const first = await agent([...base, '--json', 'list files']);
  const said = events(first).find(
    (event) => event.type === 'message.added' && event.message?.role === 'user',
  );
  const threadId = events(first)[0]?.threadId ?? '';
  const other = await agent([...base, '--fork', `${threadId}:${said?.message?.id}`, '--json', 'files *.txt']);
  expect(other.code).toBe(0);
  expect(new Set(events(other).map((event) => event.threadId)).has(threadId)).toBe(false);
  const again = await agent([...base, '--fork', `${threadId}:${said?.message?.id}`]);
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('a.txt')]);
  const after = await agent([...base, '--fork', threadId, 'read a.txt']);
  expect(after.code).toBe(0);
});

test('applies decisions in order: rejects with a message, edits', async () => {
  const { folder, base } = setUp();
  const waiting = await agent([...base, '--json', 'create a.txt with "1" + create b.txt with "2"']);
  expect(waiting.code).toBe(4);
  const threadId = events(waiting)[0]?.threadId ?? '';
  const asked = events(waiting).filter((event) => event.type === 'approval.requested');
  const [first, second] = asked.map(({ approval }) => approval?.args.file_path);
  const edited = JSON.stringify({ file_path: second, content: 'edited' });
  const decided = await agent([
    ...base,
    '--thread',
    threadId,
    '--decide',
    'reject:no',
    '--decide',
    `edit:${edited}`,
  ]);
  expect(decided.code).toBe(0);
  expect(existsSync(first ?? '')).toBe(false);
  expect(readFileSync(second ?? '', 'utf8')).toBe('edited');
  expect(folder).not.toBe('');
});

test('prints the questions of the agent, and passes on an answer only if it fits', async () => {
  const { base } = setUp();
  const questions = [
    { question: 'Which database?', choices: ['PostgreSQL', 'SQLite'] },
    { question: 'What is it called?' },
  ];
  const server = await startAnthropic(({ lastToolResults: [result] }) =>
    result === undefined
      ? { calls: [{ name: 'ask_user', args: { questions } }] }
      : { text: `I read ${result.content}` },
  );
  const model = ['--model', 'anthropic:claude-test'];
  const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url };
  try {
    const waiting = await agent([...base, ...model, '--json', 'Begin.'], { env });
    expect(waiting.code).toBe(4);
    const asked = events(waiting).find(({ type }) => type === 'approval.requested');
    expect(asked).toMatchObject({ approval: { preview: { kind: 'questions', questions } } });
    const thread = [...base, '--thread', asked?.threadId ?? ''];
    const printed = await agent(thread, { env });
    expect(printed.err).toContain('    Which database?\n      1. PostgreSQL\n      2. SQLite\n');
    const misfit = await agent([...thread, '--decide', 'respond:SQLite'], { env });
    expect([misfit.code, misfit.err]).toEqual([
      2,
      'Answer all 2 questions, as a JSON list with one answer each.\n',
    ]);
    const done = await agent([...thread, '--decide', 'respond:["2","Atlas"]'], { env });
    expect(done.code).toBe(0);
    const answers = [
      { question: 'Which database?', choices: ['SQLite'] },
      { question: 'What is it called?', choices: [], text: 'Atlas' },
    ];
    expect(done.out).toContain(`I read ${JSON.stringify({ answers })}`);
    const alone = await agent([...base, ...model, '--approve', 'all', 'Begin.'], { env });
    expect(alone.out).toContain('The person declined to answer. The person said: Nobody is here to answer.');
  } finally {
    await server.close();
  }
});

test('rejects every call that would ask with --approve none', async () => {
  const { folder, base } = setUp();
  const ran = await agent([...base, '--approve', 'none', 'create a.txt with "1"']);
  expect(ran.code).toBe(0);
  expect(existsSync(join(folder, 'a.txt'))).toBe(false);
});

test('runs the demo over the Anthropic wire format', async () => {
  const { folder, base } = setUp();
  const server = await startAnthropic(demoA0(folder));
  try {
    const ran = await agent(
      [...base, '--model', 'anthropic:claude-test', '--base-url', server.url, '--approve', 'all', 'demo'],
      {
        env: { ANTHROPIC_API_KEY: 'test-key' },
      },
    );
    expect(ran.code).toBe(0);
    expect(ran.out).toContain('Demo finished');
    expect(existsSync(join(folder, 'test_dir/hello.py'))).toBe(true);
  } finally {
    await server.close();
  }
});

test("reports a provider's failure in one line and exits 3", async () => {
  const { base } = setUp();
  const ran = await agent(
    [...base, '--json', '--model', 'anthropic:x', '--base-url', 'http://127.0.0.1:9', 'hi'],
    {
      env: { ANTHROPIC_API_KEY: 'test-key' },
    },
  );
  expect(ran.code).toBe(3);
  expect(ran.err.trim().split('\n')).toHaveLength(1);
});

test('gives the command that tries a failed turn again, and it does', async () => {
  const { base } = setUp();
  const server = await startAnthropic(() => ({ text: 'Now it works.' }));
  const args = [...base, '--model', 'anthropic:claude-test', '--base-url', server.url, 'hi'];
  const failed = await agent(args, { env: { ANTHROPIC_API_KEY: 'wrong-key' } });
  const [, command = ''] = /^Try again with: npm run agent -- (.*)$/m.exec(failed.err) ?? [];
  expect([failed.code, command]).toEqual([3, expect.stringContaining('--thread ')]);
  const again = await agent(
    command.split(' ').map((word) => word.replace(/^'|'$/g, '')),
    {
      env: { ANTHROPIC_API_KEY: 'test-key' },
    },
  );
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('Now it works.')]);
  await server.close();
});

test('exits 3 when its output cannot be written, and keeps the turn', async () => {
  test.skip(process.platform !== 'linux', 'only Linux has a device that is always full');
  const { folder, base } = setUp();
  const full = openSync('/dev/full', 'w');
  const ran = await agent([...base, '--approve', 'all', 'create a.txt with "1"'], { stdout: full });
  const help = await agent(['--help'], { stdout: full });
  closeSync(full);
  expect([help.code, help.err]).toEqual([3, expect.stringMatching(/^Couldn't write the output/)]);
  expect([ran.code, ran.err]).toEqual([3, expect.stringMatching(/^Couldn't write the output \(ENOSPC\)\./m)]);
  expect(ran.err).not.toContain('    at ');
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('1');
});

test('exits 3 for a thread that another process runs, and leaves it alone', async () => {
  const { base } = setUp();
  let second: Promise<Ran> | undefined;
  const first = await agent([...base, '--approve', 'all', '--mode', 'auto', '--json', 'run sleep 8'], {
    until: (out) => {
      const threadId = /"threadId":"([^"]+)"/.exec(out)?.[1];
      if (second === undefined && threadId !== undefined && out.includes('"tool.started"'))
        second = agent([...base, '--thread', threadId, '--model', 'offline:guide', 'list files']);
      return false;
    },
  });
  const refused = await second;
  expect([refused?.code, refused?.out]).toEqual([3, '']);
  expect(refused?.err).toContain('Another Deepdesk is running this thread.');
  expect([first.code, first.out.includes('list files')]).toEqual([0, false]);
});

// The last one is what a closed terminal sends.
for (const signal of ['SIGINT', 'SIGHUP'] as const)
  test(`exits 130 when it is interrupted by ${signal}, and leaves no process behind`, async () => {
    const { base } = setUp();
    const ran = await agent([...base, '--approve', 'all', '--json', 'run sleep 313'], {
      until: '"tool.started"',
      signal,
    });
    expect(ran.code).toBe(130);
    expect(events(ran).at(-1)).toMatchObject({ type: 'turn.ended', reason: 'stopped' });
  });

test('continues after a kill without running a call twice', async () => {
  const { folder, base } = setUp();
  const log = join(folder, 'log.txt');
  const killed = await agent([...base, '--approve', 'all', '--json', 'run echo x >> log.txt; sleep 314'], {
    // By then the command has done what must not happen twice.
    when: () => existsSync(log) && readFileSync(log, 'utf8') === 'x\n',
    signal: 'SIGKILL',
  });
  expect(killed.code).not.toBe(0);
  const threadId = events(killed)[0]?.threadId ?? '';
  const again = await agent([...base, '--thread', threadId]);
  expect(again.code).toBe(4);
  expect(again.err).toContain('may have taken effect already');
  expect(readFileSync(join(folder, 'log.txt'), 'utf8')).toBe('x\n');
});

for (const lines of killPoints('short'))
  test(`survives a kill after line ${lines}: each step once, the files correct, the database intact`, () =>
    killAfterLine(lines));
