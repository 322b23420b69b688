import { expect, it } from 'vitest';
import { Approval } from '../contract/approvals';
import type { ThreadState } from '../contract/conversation';
import type { ThreadEvent } from '../contract/events';
import { appError } from '../contract/result';
import { RoutineInfo } from '../contract/routines';
import { because } from '../contract/shared/reasons';
import { failureText, printPlain, retryAdvice, routinesText, waitingText } from './print';

const message = (phase: 'streaming' | 'done', text: string) => ({ role: 'agent', id: 'm', phase, text });

/** Returns what is printed to standard output for these events of one message. */
function printed(...events: object[]): string {
  let text = '';
  const state = { messages: [message('streaming', '')] } as unknown as ThreadState;
  const out = (piece: string) => {
    text += piece;
  };
  const print = printPlain({ out, err: () => undefined }, () => state);
  for (const event of events) print(event as ThreadEvent);
  return text;
}

it('prints a whole answer that did not stream', () => {
  expect(printed({ type: 'message.added', message: message('done', 'One two.') })).toBe('One two.\n');
});

it('prints a streamed answer once', () => {
  const text = printed(
    { type: 'message.added', message: message('streaming', 'One') },
    { type: 'message.delta', messageId: 'm', text: ' two.' },
    { type: 'message.ended', message: message('done', 'One two.') },
  );
  expect(text).toBe('One two.\n');
});

it('prints text that arrives only with the end of a streamed answer', () => {
  const text = printed(
    { type: 'message.added', message: message('streaming', 'One') },
    { type: 'message.delta', messageId: 'm', text: ' two' },
    { type: 'message.ended', message: message('done', 'One two three.') },
  );
  expect(text).toBe('One two three.\n');
});

it('prints nothing that a sub-agent answers, however its answer arrives', () => {
  const ofSubAgent = (phase: 'streaming' | 'done', text: string) => ({
    ...message(phase, text),
    parentCallId: 'c1',
  });
  expect(
    printed(
      { type: 'message.added', message: ofSubAgent('streaming', 'One') },
      { type: 'message.ended', message: ofSubAgent('done', 'One two.') },
      { type: 'message.added', message: ofSubAgent('done', 'Three.') },
      { type: 'turn.ended' },
    ),
  ).toBe('');
});

it('ends the line of an answer that broke off', () => {
  const text = printed(
    { type: 'message.added', message: message('streaming', '') },
    { type: 'message.delta', messageId: 'm', text: 'One two' },
    { type: 'turn.ended' },
  );
  expect(text).toBe('One two\n');
  expect(printed({ type: 'message.added', message: message('streaming', '') }, { type: 'turn.ended' })).toBe(
    '',
  );
});

it("prints a provider's message if the text refers to it", () => {
  const rejected = { code: 'request_rejected_status', values: { provider: 'OpenAI', status: 400 } } as const;
  expect(failureText(appError('provider', rejected, { detail: 'no such\u001b field\n\nsee docs' }))).toMatch(
    /^OpenAI .* Its message is below\. .*\n {4}\| no such\\u\{1b\} field\n {4}\| see docs\n$/,
  );
  const key = { code: 'key_refused', values: { provider: 'OpenAI' } } as const;
  expect(failureText(appError('bad_key', key, { detail: '401' })).split('\n')).toHaveLength(2);
});

it('gives the whole command that tries a failed turn again', () => {
  const usual = { baseUrl: undefined, dataDir: undefined, mode: undefined, overtime: undefined } as const;
  expect(retryAdvice('t1', { ...usual, approve: 'policy' })).toBe(
    'Try again with: npm run agent -- --thread t1\n',
  );
  const all = {
    baseUrl: 'http://h/v1',
    dataDir: '/my data',
    mode: 'auto-sandbox',
    overtime: 'wait',
  } as const;
  expect(retryAdvice('t1', { ...all, approve: 'all' })).toBe(
    "Try again with: npm run agent -- --data-dir '/my data' --base-url http://h/v1 --mode auto --thread t1 --approve all --overtime wait\n",
  );
});

it('prints questions with numbered choices, and how to answer them', () => {
  const asked = (questions: object[]) =>
    waitingText(
      [
        Approval.parse({
          id: 'a1',
          threadId: 't1',
          callId: 'c1',
          tool: 'ask_user',
          display: 'ask',
          args: { questions },
          preview: { kind: 'questions', questions },
          reason: [because('agent_asks')],
          risk: 'low',
          allowed: ['respond', 'reject'],
          digest: '0123456789abcdef',
          at: 0,
          agent: 'explorer',
        }),
      ],
      't1',
      { baseUrl: undefined, dataDir: undefined, mode: undefined },
    );
  const database = { question: 'Which\ndatabase?', choices: ['PostgreSQL', 'SQLite'] };
  expect(asked([database])).toBe(
    [
      '? explorer ask_user: The agent has a question for you.',
      '    Which database?',
      '      1. PostgreSQL',
      '      2. SQLite',
      "Waiting for a decision. Continue with: npm run agent -- --thread t1 --decide 0123456789ab=respond:'ANSWER'",
      '',
    ].join('\n'),
  );
  const both = asked([database, { question: 'Which pages?', choices: ['Home'], multiple: true }]);
  expect(both).toContain('    Which pages? (one or more)\n      1. Home\n');
  expect(both).toContain('    ANSWER: a JSON list with 2 answers, such as ["1","own words"]\n');
});

it('prints the outcome of a command that ran in a throwaway layer', () => {
  let text = '';
  const call = {
    callId: 'c',
    name: 'execute',
    args: { command: 'make' },
    rehearsal: { state: 'kept', paths: 2 },
  };
  const state = { messages: [{ ...message('done', ''), calls: [call] }] } as unknown as ThreadState;
  const err = (piece: string) => {
    text += piece;
  };
  printPlain(
    { out: () => undefined, err },
    () => state,
  )({
    type: 'tool.ended',
    callId: 'c',
    status: 'done',
  } as ThreadEvent);
  expect(text).toBe('· execute make [done, kept 2 files]\n');
});

const outcome = {
  exitCode: 1,
  output: 'one\ntwo\u001b\n',
  rows: [{ kind: 'changed', path: 'a.txt', added: 2, removed: 1 }],
  refused: [] as object[],
};
const commandOf = (command: string) =>
  ({ kind: 'command', command, cwd: '/p', timeoutSeconds: 120 }) as const;

const waiting = (more: object) =>
  ({
    tool: 'execute',
    args: { command: 'make' },
    preview: commandOf('make'),
    reason: [],
    digest: '0123456789abcdef',
    allowed: ['keep', 'discard', 'run'],
    outcome,
    ...more,
  }) as unknown as Approval;

it('prints what a command did, what can be decided, and how to continue with the same address and mode', () => {
  expect(
    waitingText([waiting({})], 't', {
      baseUrl: 'http://127.0.0.1:1/v1',
      dataDir: undefined,
      mode: 'ask-risky',
    }).split('\n'),
  ).toEqual([
    '? execute make: ',
    '    exit code 1',
    '    | one',
    '    | two\\u{1b}',
    '    changed a.txt +2 -1',
    '    decide 0123456789ab: keep, keep:PATHS, discard[:message], run',
    'Waiting for a decision. Continue with: npm run agent -- --base-url http://127.0.0.1:1/v1 --mode ask --thread t --decide 0123456789ab=keep',
    '',
  ]);
});

it.each([
  ['run', { outcome: { ...outcome, refused: [{ what: 'network', name: 'a.example' }] } }],
  ['again', { allowed: ['again', 'discard'] }],
  ['approve', { allowed: ['approve', 'edit', 'reject', 'respond'], outcome: undefined }],
])('proposes the decision that fits: %s', (decision, more) => {
  const text = waitingText([waiting(more)], 't', { baseUrl: undefined, dataDir: undefined, mode: undefined });
  expect(text).toContain(`--decide 0123456789ab=${decision}\n`);
});

it.each<[name: string, more: Partial<Approval>, expected: string[]]>([
  [
    'all lines of a command that are more than one',
    { args: { command: 'ls #\nrm -r src' }, preview: commandOf('ls #\nrm -r src') },
    ['? execute ls # rm -r src: ', '    $ ls #', '    > rm -r src'],
  ],
  [
    'all of a long command',
    { args: { command: `${'echo '.repeat(30)}; id` }, preview: commandOf(`${'echo '.repeat(30)}; id`) },
    [`? execute ${'echo '.repeat(20)}…: `, `    $ ${'echo '.repeat(30)}; id`],
  ],
  [
    'a letter that only looks Latin, and a character that draws nothing',
    { args: { command: '\u0441at a\u{e0041}\u00a0b' }, preview: commandOf('\u0441at a\u{e0041}\u00a0b') },
    ['\\u{441}at a\\u{e0041}\\u{a0}b'].flatMap((line) => [`? execute ${line}: `, `    $ ${line}`]),
  ],
  [
    'the script that a command runs',
    {
      args: { command: 'sh a.sh' },
      preview: { ...commandOf('sh a.sh'), files: [{ path: '/p/a.sh', text: 'id\u001b\n\techo' }] } as never,
    },
    ['? execute sh a.sh: ', '    runs /p/a.sh', '    | id\\u{1b}', '    |     echo'],
  ],
  [
    'the lines of a change',
    {
      tool: 'write_file',
      args: { file_path: '/p/a', content: 'x' },
      preview: {
        ...{ kind: 'diff', path: '/p/a', isNew: true, added: 60, removed: 0, cut: false },
        hunks: [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 60, lines: Array(60).fill('+x') }],
      },
    },
    ['? write_file /p/a: ', ...Array(50).fill('    +x'), '    and 10 more lines, which --json prints'],
  ],
  [
    'the arguments of a tool that Deepdesk does not know',
    {
      tool: 'mail__send',
      args: { description: 'hi', to: 'b@c.d' },
      preview: { kind: 'arguments', json: '{\n  "description": "hi",\n  "to": "b@c.d"\n}' },
    },
    ['? mail__send hi: ', '    {', '      "description": "hi",', '      "to": "b@c.d"', '    }'],
  ],
])('prints what is approved: %s', (_name, more, expected) => {
  const options = { baseUrl: undefined, dataDir: undefined, mode: undefined };
  const text = waitingText([waiting({ outcome: undefined, ...more })], 't', options);
  expect(text.split('\n').slice(0, expected.length)).toEqual(expected);
  expect(text.split('\n')[expected.length]).toMatch(/^ {4}decide /);
});

it('prints the reasons on the same line, whatever they name', () => {
  const reason = [because('names_obeyed', { path: '.git/a\n? execute ls: \u202e' })];
  const text = waitingText([waiting({ reason })], 't', {
    baseUrl: undefined,
    dataDir: undefined,
    mode: undefined,
  });
  expect(text.split('\n').filter((line) => line.startsWith('?'))).toHaveLength(1);
  expect(text).not.toContain('\u202e');
});

it('tells a routine that is off from one that is never due again', () => {
  const routine = RoutineInfo.parse({
    ...{ id: 'r1', name: 'Report', projectId: 'p', prompt: 'go', schedule: '0 9 1 1 *', createdAt: 1 },
    ...{ timeZone: 'UTC', model: 'offline:guide', mode: null, isOn: true, nextAt: null, missed: null },
    ...{ budget: { microDollars: null, tokens: null }, record: null, runs: [] },
  });
  expect(routinesText([routine, { ...routine, isOn: false }], false)).toBe(
    'Report\t0 9 1 1 * (UTC)\tno next run\nReport\t0 9 1 1 * (UTC)\toff\n',
  );
});
