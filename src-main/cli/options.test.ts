import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { HELP } from './help';
import { asksForHelp, type CliOptions, OPTIONS, parseOptions } from './options';

const CALL = '0123456789ab';

function parsed(...args: string[]): CliOptions {
  const options = parseOptions(args);
  if (!options.ok) throw new Error(inEnglish(options.error));
  return options.value;
}

function refusal(...args: string[]): string {
  const options = parseOptions(args);
  if (options.ok) throw new Error(`Accepted: ${JSON.stringify(options.value)}`);
  expect(options.error.kind).toBe('invalid');
  return inEnglish(options.error);
}

const decided = (...decisions: string[]) =>
  parsed('--thread', 't', ...decisions.flatMap((decision) => ['--decide', decision])).decide;

describe('the prompt', () => {
  it('joins all words that belong to no option, with every option at its default', () => {
    expect(parsed('say', 'hello')).toEqual({
      acp: false,
      routine: undefined,
      overtime: undefined,
      listRoutines: false,
      folder: undefined,
      model: undefined,
      baseUrl: undefined,
      approve: 'policy',
      mode: undefined,
      thread: undefined,
      project: undefined,
      fork: undefined,
      decide: [],
      dataDir: undefined,
      json: false,
      prompt: 'say hello',
    });
  });

  it('accepts a leading dash after "--"', () => {
    expect(parsed('--', '--approve', 'all')).toMatchObject({ approve: 'policy', prompt: '--approve all' });
  });

  it.each([[[]], [['   ']], [['--fork', 't']], [['--fork', ':m']]])('is required: %j', (args) => {
    expect(refusal(...args)).toBe('There is no prompt.');
  });

  it.each([[['--thread', 't']], [['--fork', 't:m']]])('may be missing with %j', (args) => {
    expect(parsed(...args).prompt).toBe('');
  });
});

describe('--help', () => {
  it.each([[['--help']], [['-h']], [['fix', 'it', '--help']], [['--no-such-option', '--help']]])(
    'is asked for by %j',
    (args) => expect(asksForHelp(args)).toBe(true),
  );

  it.each([[[]], [['help']], [['--', '--help']]])('is not asked for by %j', (args) => {
    expect(asksForHelp(args)).toBe(false);
  });

  it('lists every option, in lines that fit a terminal', () => {
    for (const name of Object.keys(OPTIONS)) expect(HELP).toMatch(new RegExp(`^ {2}--${name}\\b`, 'm'));
    for (const line of HELP.split('\n')) expect(line.length).toBeLessThanOrEqual(110);
  });
});

describe('--approve', () => {
  it.each(['policy', 'all', 'none'] as const)('takes %s', (approve) => {
    expect(parsed('--approve', approve, 'go').approve).toBe(approve);
    expect(parsed(`--approve=${approve}`, 'go').approve).toBe(approve);
  });

  it.each(['', 'ALL', 'All', 'al', 'all ', 'yes', 'true', 'policy,all'])('refuses "%s"', (approve) => {
    expect(refusal(`--approve=${approve}`, 'go')).toContain('--approve must be policy, all or none');
  });

  it('refuses a missing value', () => {
    expect(refusal('go', '--approve')).toMatch(/^Option '--approve/);
    expect(refusal('--approve', '--json', 'go')).toMatch(/^Option '--approve/);
  });

  it('allows nothing without a value', () => {
    expect(parsed('approve', 'all')).toMatchObject({ approve: 'policy', prompt: 'approve all' });
  });

  it('uses the last value if it is given twice', () => {
    expect(parsed('--approve', 'all', '--approve', 'none', 'go').approve).toBe('none');
  });
});

describe('--acp', () => {
  it('takes no prompt', () => {
    expect(parsed('--acp', '--model', 'offline:guide')).toMatchObject({
      acp: true,
      prompt: '',
      model: 'offline:guide',
    });
    expect(refusal('--acp', 'hello')).toBe('With --acp the editor sends the prompts.');
  });

  it.each([
    ['--folder', '.'],
    ['--approve', 'all'],
    ['--mode', 'auto'],
    ['--thread', 't'],
    ['--fork', 't'],
    ['--json'],
  ])('cannot be combined with %s', (...option) => {
    expect(refusal('--acp', ...option)).toBe(`--acp cannot be combined with ${option[0]}.`);
  });
});

describe('--mode', () => {
  it.each([
    ['ask', 'ask-risky'],
    ['auto', 'auto-sandbox'],
    ['plan', 'plan'],
    ['ask-all', 'ask-all'],
  ])('takes %s', (text, mode) => {
    expect(parsed('--mode', text, 'go').mode).toBe(mode);
  });

  it.each(['', 'none', 'Ask', 'toString'])('refuses "%s"', (text) => {
    expect(refusal(`--mode=${text}`, 'go')).toContain('--mode must be ask, auto, plan or ask-all');
  });
});

describe('--overtime', () => {
  it('stops or keeps waiting, and nothing else', () => {
    expect(parsed('--overtime', 'wait', 'go').overtime).toBe('wait');
    expect(parsed('--overtime', 'stop', 'go').overtime).toBe('stop');
    expect(refusal('--overtime', 'run', 'go')).toBe('--overtime must be stop or wait, not "run".');
    expect(refusal('--acp', '--overtime', 'wait')).toContain('--overtime');
  });
});

describe('--decide', () => {
  it.each(['keep:', 'keep:[', 'keep:[1]', 'keep:a,,b'])('refuses keep without a path: %s', (text) => {
    expect(refusal('--thread', 't', `--decide=${text}`)).toContain('--decide keep: needs paths');
  });

  it.each([
    ['approve', { type: 'approve' }],
    ['reject', { type: 'reject' }],
    ['reject:', { type: 'reject', message: '' }],
    ['reject:use pnpm: it is faster', { type: 'reject', message: 'use pnpm: it is faster' }],
    ['keep', { type: 'keep' }],
    ['keep:a.txt,src/b.ts', { type: 'keep', paths: ['a.txt', 'src/b.ts'] }],
    ['keep:["a,b.txt"]', { type: 'keep', paths: ['a,b.txt'] }],
    ['keep:src/,dist//', { type: 'keep', paths: ['src', 'dist'] }],
    ['discard', { type: 'discard' }],
    ['discard:not this', { type: 'discard', message: 'not this' }],
    ['run', { type: 'run' }],
    ['respond:the port is 8080', { type: 'respond', text: 'the port is 8080' }],
    ['edit:{"command":"ls"}', { type: 'edit', args: { command: 'ls' } }],
    ['edit:{"command":"a=b\\nc"}', { type: 'edit', args: { command: 'a=b\nc' } }],
  ])('takes %s, with or without a call name', (text, decision) => {
    expect(decided(text)).toEqual([{ call: undefined, decision }]);
    expect(decided(`${CALL}=${text}`)).toEqual([{ call: CALL, decision }]);
  });

  it('keeps the order of several decisions, each with its own call', () => {
    expect(decided('cdef01234567=reject', `${CALL}=approve`, 'approve')).toEqual([
      { call: 'cdef01234567', decision: { type: 'reject' } },
      { call: CALL, decision: { type: 'approve' } },
      { call: undefined, decision: { type: 'approve' } },
    ]);
  });

  it('takes a message with several lines', () => {
    expect(decided(`${CALL}=reject:one\ntwo=2`)).toEqual([
      { call: CALL, decision: { type: 'reject', message: 'one\ntwo=2' } },
    ]);
  });

  it.each([
    '',
    'yes',
    'Approve',
    ' approve',
    'approve ',
    'approve:',
    'approve:all',
    'run:all',
    'keeps',
    'all',
    'respond',
    'edit',
    `${CALL}=${CALL}=approve`,
    `${CALL}=`,
    CALL,
  ])('refuses "%s"', (decision) => {
    expect(refusal('--thread', 't', `--decide=${decision}`)).toContain('--decide must be approve');
  });

  // Too short, too long, in capitals, not hexadecimal, or missing.
  it.each([CALL.slice(1), `${CALL}c`, CALL.toUpperCase(), 'ghijklmnopqr', '', `${CALL} `, 'approve'])(
    'says that no call is named "%s"',
    (call) => {
      const message = `No call can be named "${call}". A name has 12 characters`;
      for (const decision of ['approve', 'edit:{"a":"b=c"}', 'maybe'])
        expect(refusal('--thread', 't', `--decide=${call}=${decision}`)).toContain(message);
    },
  );

  it.each(['', 'ls', '[1]', 'null', '"ls"', '1', '{', '{"a":1}}'])(
    'refuses arguments that are not a JSON object: %s',
    (args) => {
      const message = '--decide edit: needs the arguments as a JSON object.';
      expect(refusal('--thread', 't', `--decide=edit:${args}`)).toBe(message);
      expect(refusal('--thread', 't', `--decide=${CALL}=edit:${args}`)).toBe(message);
    },
  );

  it('refuses all decisions if one is invalid', () => {
    expect(refusal('--thread', 't', '--decide', 'approve', '--decide', 'maybe')).toContain('not "maybe"');
  });

  it('needs a thread and takes no prompt', () => {
    expect(refusal('--decide', `${CALL}=approve`)).toBe('--decide needs --thread.');
    expect(refusal('--thread', 't', '--decide', 'approve', 'go on')).toBe(
      'Give either --decide or a prompt, not both.',
    );
  });
});

describe('the other options', () => {
  it('takes the folder, model, address, data folder and JSON output', () => {
    expect(
      parsed(
        '--folder',
        'a',
        '--model',
        'openai:m',
        '--base-url',
        'http://h/v1',
        '--data-dir',
        'd',
        '--json',
        'go',
      ),
    ).toMatchObject({ folder: 'a', model: 'openai:m', baseUrl: 'http://h/v1', dataDir: 'd', json: true });
  });

  it('takes the name of a project, but not together with what has its own folder', () => {
    expect(parseOptions(['--project', 'notes', 'go'])).toMatchObject({
      ok: true,
      value: { project: 'notes' },
    });
    for (const option of ['folder', 'thread', 'fork'])
      expect(parseOptions(['--project', 'notes', `--${option}`, 't:m', 'go'])).toMatchObject({
        ok: false,
        error: { code: 'cli_not_with_project' },
      });
  });

  it('takes a fork of a thread at its end or at a message, but not together with a thread', () => {
    expect(parsed('--fork', 't', 'go').fork).toEqual({ thread: 't', message: undefined });
    expect(parsed('--fork', 't:m').fork).toEqual({ thread: 't', message: 'm' });
    expect(refusal('--fork', 't', '--thread', 'u', 'go')).toBe('Give either --thread or --fork, not both.');
  });

  it.each([['file:///etc/passwd'], ['ftp://h'], ['h:80'], [' http://h'], ['http://'], ['http://a b']])(
    'refuses the address %s',
    (url) => {
      expect(refusal(`--base-url=${url}`, 'go')).toContain('--base-url must start with http:// or https://');
    },
  );

  it.each(['folder', 'project', 'thread', 'fork', 'data-dir', 'routine'])('refuses an empty --%s', (name) => {
    expect(refusal(`--${name}`, '', 'go')).toBe(`Option '--${name}' needs a value.`);
  });

  it('refuses a model without a provider, and unknown options, with a one-line error', () => {
    expect(refusal('--model', 'gpt', 'go')).not.toContain('\n');
    expect(refusal('--yes', 'go')).toBe("Unknown option '--yes'.");
    expect(refusal('--json=1', 'go')).toBe("Option '--json' does not take an argument.");
    expect(refusal('--thread')).toBe("Option '--thread' needs a value.");
    expect(refusal('--thread', '--decide', 'keep')).toBe("Option '--thread' needs a value.");
  });
});

describe('a routine', () => {
  it('is named, or all of them are listed, without a prompt', () => {
    expect(parsed('--routine', 'Morning report')).toMatchObject({ routine: 'Morning report', prompt: '' });
    expect(parsed('--list-routines', '--json')).toMatchObject({ listRoutines: true, json: true });
  });

  it('takes neither a prompt nor options that it sets itself', () => {
    expect(refusal('--routine', 'a', 'say hello')).toContain('prompt');
    expect(refusal('--routine', 'a', '--model', 'openai:x')).toContain('--model');
    expect(refusal('--list-routines', '--thread', 't')).toContain('--thread');
  });
});
