import { describe, expect, it } from 'vitest';
import type { RuleMatch } from '../contract/control';
import { CallId, ThreadId } from '../contract/ids';
import { because } from '../contract/shared/reasons';
import type { KnownPlaces } from './bash/paths/places';
import { previewRule } from './rule-preview';
import { whyRefused } from './rule-refusal';
import { suggestRules } from './rule-suggestions';
import { turnedBy } from './rules';

const places: KnownPlaces = {
  folder: '/home/me/project',
  cwd: '/home/me/project',
  home: '/home/me',
  dataDir: '/home/me/.config/deepdesk',
  resolveBinary: (name) => `/usr/bin/${name}`,
};
const scope = { kind: 'person' as const };
const refused = (match: RuleMatch) => whyRefused({ effect: 'allow', match, scope });
const line = (text: string, exact = false): RuleMatch => ({ kind: 'command', words: text.split(' '), exact });
const path = (glob: string): RuleMatch => ({ kind: 'path', changes: ['write', 'edit'], glob });
const past = (...commands: string[]) =>
  commands.map((command, index) => ({
    threadId: ThreadId.parse('t'),
    callId: CallId.parse(`c${index}`),
    tool: 'execute',
    args: { command },
  }));

describe('accepted rules', () => {
  it.each([
    'npm test',
    'npm run build',
    'git status',
    'git diff',
    'cargo test',
    'go vet',
    'pytest',
    'tsc --noEmit',
    'mkdir',
    'mytool check',
  ])('%s', (text) => expect(refused(line(text))).toBe(null));
  it.each(['docs/**', 'src/*.ts', 'README.md', '**/*.md', '*.md'])('writing %s', (glob) =>
    expect(refused(path(glob))).toBe(null),
  );
  it('may forbid anything', () => {
    expect(whyRefused({ effect: 'deny', match: line('bash'), scope })).toBe(null);
    expect(whyRefused({ effect: 'deny', match: path('**'), scope })).toBe(null);
  });
});

describe('refused rules, with the reason', () => {
  it.each([
    'bash',
    'bash -c ls',
    'sh x.sh',
    'python',
    'python3 -m pytest',
    'node x.js',
    'rm',
    'rm -r build',
    'git -c',
    'git -c a=b status',
    'git',
    'git push',
    'git checkout',
    'npm',
    'npm run',
    'npm exec',
    'npm i',
    'npx x',
    'env',
    'xargs ls',
    'find',
    'sudo',
    'ssh h',
    'curl',
    'docker',
    'make',
    'sed',
    'awk',
    'mv',
    'cp',
    'chmod',
    'eval',
    'timeout 5',
    'mytool',
    './x',
    'a/b',
    'kill',
  ])('%s', (text) => expect(refused(line(text))?.code).toMatch(/^rule_/));
  it.each([
    '**',
    '*',
    '**/*',
    '../x',
    '/etc/*',
    '~/x',
    '.git/**',
    'package.json',
    '**/package.json',
    '.env',
    '.vscode/*',
    '*.sh',
    'src/.env.local',
  ])('writing %s', (glob) => expect(refused(path(glob))?.code).toMatch(/^rule_/));
  it.each(['execute', 'write_file', 'edit_file', 'delete'])('the tool %s', (tool) =>
    expect(refused({ kind: 'tool', tool })?.code).toMatch(/^rule_/),
  );
});

describe('the preview of a rule', () => {
  it('shows the calls it would have allowed, and the riskiest similar one that still needs approval', async () => {
    const preview = await previewRule(
      { effect: 'allow', match: line('npm test'), scope },
      past(
        'npm test',
        'ls',
        'npm test -- --bail',
        'npm test',
        'npm test && rm -rf dist',
        'npm i left-pad',
        'sudo npm test',
      ),
      places,
    );
    expect(preview).toEqual({
      refused: null,
      checked: 7,
      covered: [
        { text: 'npm test', risk: 'medium', times: 2, threadId: 't', callId: 'c0' },
        { text: 'npm test -- --bail', risk: 'medium', times: 1, threadId: 't', callId: 'c2' },
      ],
      coveredCalls: 3,
      nearMiss: {
        text: 'npm test && rm -rf dist',
        reason: because('deletes_files'),
        risk: 'high',
        happened: true,
      },
    });
  });
  it('makes up a near miss if there was none', async () => {
    const { nearMiss, covered } = await previewRule(
      { effect: 'allow', match: line('npm test'), scope },
      [],
      places,
    );
    expect(covered).toEqual([]);
    expect(nearMiss).toMatchObject({ text: 'npm test && rm -rf .', risk: 'high', happened: false });
  });
  it('shows the calls that a deny rule would have blocked', async () => {
    const preview = await previewRule(
      { effect: 'deny', match: line('git push'), scope },
      past('git push', 'git add . && git push --force', 'git status'),
      places,
    );
    expect(preview.covered.map(({ text }) => text)).toEqual(['git add . && git push --force', 'git push']);
    expect(preview.nearMiss).toMatchObject({ text: 'git status', happened: true });
  });
});

describe('suggested rules for a waiting call', () => {
  const suggest = (command: string) => suggestRules({ tool: 'execute', args: { command } }, places);
  it('cover its words, the narrowest first', () => {
    expect(suggest('ls && npm run build -- --watch').matches).toEqual([
      { kind: 'command', words: ['npm', 'run', 'build', '--', '--watch'], exact: true },
      { kind: 'command', words: ['npm', 'run', 'build', '--', '--watch'], exact: false },
      { kind: 'command', words: ['npm', 'run', 'build'], exact: false },
    ]);
  });
  it.each(['rm x', 'npm test > out', 'npm test; npm i', 'python x.py', 'bash -c ls', 'npm "'])(
    'do not exist for %s',
    (command) => {
      expect(suggest(command)).toMatchObject({
        matches: [],
        refused: { code: expect.stringMatching(/^rule_/) },
      });
    },
  );
  it('do not cover other subcommands of an unknown program', () => {
    const words = ({ matches }: ReturnType<typeof suggest>) =>
      matches.map((match) => (match.kind === 'command' ? match.words.join(' ') : ''));
    expect(words(suggest('prisma migrate status'))).toEqual([
      'prisma migrate status',
      'prisma migrate status',
    ]);
    expect(words(suggest('mytool check src/a.ts'))).toContain('mytool check');
  });
  it.each(['sqlite3 app.db < a.sql', 'cat a.sql | sqlite3 app.db', 'npm run repl < a.js'])(
    'do not exist for a program that may run its input: %s',
    (command) => expect(suggest(command)).toMatchObject({ matches: [], refused: { code: 'may_run_input' } }),
  );
  it('cover the file, its type and its folder', () => {
    const { matches } = suggestRules(
      { tool: 'write_file', args: { file_path: '/home/me/project/docs/a.md' } },
      places,
    );
    expect(matches.map((match) => (match.kind === 'path' ? match.glob : ''))).toEqual([
      'docs/a.md',
      'docs/*.md',
      'docs/**',
    ]);
    const config = suggestRules(
      { tool: 'write_file', args: { file_path: '/home/me/project/package.json' } },
      places,
    );
    expect(config.matches).toEqual([]);
  });
});

it('reads a long word of a command in a moment', () => {
  const started = process.cpuUsage();
  expect(turnedBy(['eslint', 'a-'.repeat(100_000)], 1, '/home/me/project')).toBe(null);
  expect(turnedBy(['rsync', `${'a-'.repeat(100_000)}@host:x`], 1, '/home/me/project')).not.toBe(null);
  expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(10);
});
