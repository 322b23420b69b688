import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalMode, Rule, RuleMatch } from '../contract/control';
import { because } from '../contract/shared/reasons';
import { withCode } from '../contract/testing/with-code';
import { StateBackend } from '../harness/backends';
import { createGate } from './gate';

let base = '';
let folder = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-control-')));
  folder = join(base, 'project');
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'src/a.ts'), 'a');
  writeFileSync(join(base, 'secret.txt'), 'secret');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

let count = 0;
const rule = (match: RuleMatch, effect: Rule['effect'] = 'allow'): Rule => ({
  id: `r${++count}`,
  createdAt: 0,
  effect,
  match,
  scope: { kind: 'person' },
});
const words = (line: string, exact = false): RuleMatch => ({
  kind: 'command',
  words: line.split(' '),
  exact,
});

function gate(options: { mode?: ApprovalMode; rules?: Rule[] } = {}) {
  const file = { content: 'a', mimeType: 'text/plain', created_at: '', modified_at: '' };
  const files = { [`${folder}/docs/a`]: file };
  const backend = new StateBackend({ files: { read: () => files, send: () => undefined } });
  const made = createGate({
    places: { folder, memories: '/memories' },
    backend,
    timeoutSeconds: 1,
    shell: {
      folder,
      cwd: folder,
      home: join(base, 'home'),
      dataDir: join(base, 'data'),
      findProgram: async (name) => `/usr/bin/${name}`,
    },
    mode: () => options.mode ?? 'ask-risky',
    rules: () => options.rules ?? [],
  });
  return async (tool: string, args: Record<string, unknown>, startedBefore = false) => {
    const verdict = await made.judge({ callId: 'c', tool, args }, new AbortController().signal, {
      startedBefore,
    });
    return verdict.verdict === 'ask'
      ? {
          verdict: 'ask',
          reason: verdict.question.reason,
          risk: verdict.question.risk,
          preview: verdict.question.preview,
        }
      : verdict;
  };
}
const run = (command: string, options: Parameters<typeof gate>[0] = {}) =>
  gate(options)('execute', { command });
const verdictOf = async (command: string, options: Parameters<typeof gate>[0] = {}) =>
  (await run(command, options)).verdict;

describe('commands at the gate', () => {
  const page = { url: 'https://docs.example.org/guide?x=1' };
  const web = (host: string, effect?: Rule['effect']) => rule({ kind: 'web', host }, effect);

  it.each(['auto-sandbox', 'ask-risky', 'ask-all', 'plan'] as const)(
    'asks about each host of a page in the mode %s',
    async (mode) => {
      expect(await gate({ mode })('fetch_url', page)).toMatchObject({
        verdict: 'ask',
        reason: expect.arrayContaining([because('reads_page', { host: 'docs.example.org' })]),
        risk: 'medium',
      });
    },
  );

  it('reads a page without asking only by a rule for its host', async () => {
    const verdict = async (...rules: Rule[]) => (await gate({ rules })('fetch_url', page)).verdict;
    expect(await verdict(web('docs.example.org'))).toBe('allow');
    expect(await verdict(web('*.example.org'))).toBe('allow');
    expect(await verdict(web('example.org'))).toBe('ask');
    expect(await verdict(web('docs.example.org:8443'))).toBe('ask');
    expect(await verdict(rule({ kind: 'host', host: 'docs.example.org' }))).toBe('ask');
    expect(await verdict(rule({ kind: 'tool', tool: 'fetch_url' }))).toBe('ask');
    expect(await verdict(web('*.example.org'), web('docs.example.org', 'deny'))).toBe('deny');
    expect(
      await gate({ mode: 'ask-all', rules: [web('docs.example.org')] })('fetch_url', page),
    ).toMatchObject({ verdict: 'ask' });
  });

  it.each([
    ['http://127.0.0.1/', 'page_address_own_network'],
    ['http://0x7f.1/', 'page_address_own_network'],
    ['file:///etc/passwd', 'page_address_scheme'],
    ['https://me:key@docs.example.org/', 'page_address_credentials'],
    ['docs.example.org', 'page_address_invalid'],
  ] as const)('refuses the address %s without asking', async (url, code) => {
    expect(await gate({ rules: [web('127.0.0.1')] })('fetch_url', { url })).toMatchObject({
      verdict: 'deny',
      reason: [because(code)],
    });
  });

  it.each(['auto-sandbox', 'ask-risky', 'ask-all', 'plan'] as const)(
    'shows a question of the agent to the person in the mode %s, whatever a rule allows',
    async (mode) => {
      const judge = gate({ mode, rules: [rule({ kind: 'tool', tool: 'ask_user' })] });
      expect(await judge('ask_user', { questions: [{ question: 'Which?' }] })).toMatchObject({
        verdict: 'ask',
      });
    },
  );

  it('runs commands that only read the folder, with the reason', async () => {
    expect(await run('cat src/a.ts | wc -l')).toEqual({
      verdict: 'allow',
      reason: [because('only_reads_folder')],
      outside: true,
      readsOnly: true,
    });
  });

  it('asks if a link leads out of the folder or to anything but a file', async () => {
    symlinkSync(join(base, 'secret.txt'), join(folder, 'notes.txt'));
    symlinkSync(base, join(folder, 'up'));
    for (const command of [
      'cat notes.txt',
      'cat up/secret.txt',
      'ls up',
      'cat up/missing',
      'wc -l < notes.txt',
    ])
      expect(await verdictOf(command), command).toBe('ask');
    expect(await run('diff src src')).toMatchObject({
      verdict: 'ask',
      reason: withCode('folder_with_links'),
    });
  });

  it('refuses forbidden commands and suggests an alternative', async () => {
    expect(await run('rm -rf ~')).toMatchObject({
      verdict: 'deny',
      reason: [
        because('part', { text: 'rm -rf ~', why: because('deletes_all_of', { path: '~' }) }),
        because('do_otherwise'),
      ],
    });
  });

  it('asks before starting a job and before repeating a call that may already have run', async () => {
    expect(await gate()('execute', { command: 'ls', background: true })).toMatchObject({ verdict: 'ask' });
    expect(await gate()('execute', { command: 'ls' }, true)).toMatchObject({
      verdict: 'ask',
      reason: withCode('started_before'),
    });
    expect(await gate()('execute', { command: 'sudo ls', background: true })).toMatchObject({
      verdict: 'deny',
    });
  });

  it('shows every command of the line, the most dangerous first, with its script and the changes it would make', async () => {
    writeFileSync(join(folder, 'gone.txt'), '12345');
    expect(await run('ls && rm gone.txt ../secret.txt missing')).toMatchObject({
      verdict: 'ask',
      risk: 'high',
      preview: {
        parts: [
          { text: 'rm gone.txt ../secret.txt missing', verdict: 'ask', program: '/usr/bin/rm' },
          { text: 'ls', verdict: 'allow' },
        ],
        touches: [
          {
            does: 'delete',
            path: join(folder, 'gone.txt'),
            kind: 'file',
            files: 1,
            bytes: 5,
            outside: false,
            notInGit: 1,
          },
          { does: 'delete', path: join(base, 'secret.txt'), kind: 'file', outside: true },
          { does: 'delete', path: join(folder, 'missing'), kind: 'nothing', outside: false },
        ],
      },
    });
  });
});

describe('modes', () => {
  const change = { file_path: '/memories/x.md', content: 'x' };
  it('allow only changes inside the conversation in plan mode', async () => {
    const judge = gate({ mode: 'plan', rules: [rule(words('npm test'))] });
    expect((await judge('execute', { command: 'npm test' })).verdict).toBe('deny');
    expect(await judge('write_file', { file_path: `${folder}/x`, content: 'x' })).toMatchObject({
      verdict: 'deny',
      reason: withCode('plan_mode'),
    });
    expect((await judge('write_file', change)).verdict).toBe('deny');
    expect((await judge('unknown_tool', {})).verdict).toBe('deny');
    for (const [tool, args] of [
      ['execute', { command: 'ls' }],
      ['read_file', { file_path: `${folder}/src/a.ts` }],
      ['write_todos', { todos: [] }],
      ['write_file', { file_path: '/scratch/x', content: 'x' }],
    ] as const)
      expect((await judge(tool, args)).verdict, tool).toBe('allow');
  });

  it('ask about everything that leaves the conversation, even if rules allow it', async () => {
    const judge = gate({ mode: 'ask-all', rules: [rule(words('npm test'))] });
    for (const [tool, args] of [
      ['execute', { command: 'ls' }],
      ['execute', { command: 'npm test' }],
      ['read_file', { file_path: `${folder}/src/a.ts` }],
      ['grep', { pattern: 'x' }],
      ['write_file', change],
    ] as const)
      expect((await judge(tool, args)).verdict, tool).toBe('ask');
    expect((await judge('read_file', { file_path: '/large_tool_results/x' })).verdict).toBe('allow');
    expect((await judge('execute', { command: 'sudo ls' })).verdict).toBe('deny');
  });
});

describe('rules', () => {
  it('allow commands that begin with their words, and give their ids', async () => {
    const npm = rule(words('npm test'));
    expect(await run('npm test -- --bail && ls', { rules: [npm] })).toEqual({
      verdict: 'allow',
      reason: [because('allowed_by_rule', { rule: 'npm test …' })],
      outside: true,
      ruleId: npm.id,
    });
  });

  it.each([
    'npm testing',
    'npm run test',
    'npm test && rm x',
    'npm test > out',
    'npm test $(id)',
    'npm test &',
    '(npm test)',
    'X=1 npm test',
    'env npm test',
    './npm test',
    'npm test --prefix ../other',
    'npm test --script-shell=./x',
    'npm test ../x',
    'npm test -- --config /etc/x',
    'if true; then npm test; fi',
  ])('still ask about %s', async (command) => {
    expect(await verdictOf(command, { rules: [rule(words('npm test'))] })).toBe('ask');
  });

  it('cover only the exact command if they name a whole one', async () => {
    const rules = [rule(words('./x', true)), rule(words('make check', true))];
    expect(await verdictOf('make check', { rules })).toBe('allow');
    expect(await verdictOf('make check -j', { rules })).toBe('ask');
    expect(await verdictOf('./x', { rules })).toBe('ask');
  });

  it('win if they forbid, however the command is wrapped', async () => {
    const rules = [rule(words('npm test')), rule(words('npm'), 'deny')];
    for (const command of [
      'npm test',
      'env npm test',
      "bash -c 'npm test'",
      'ls && npm i',
      '(npm x)',
      '/usr/bin/npm i',
    ])
      expect(await verdictOf(command, { rules }), command).toBe('deny');
    expect(await run('npm test', { rules })).toMatchObject({
      reason: [because('forbidden_by_rule', { rule: 'npm …' }), because('do_otherwise')],
    });
    expect(await verdictOf('ls', { rules: [rule(words('ls'), 'deny')] })).toBe('deny');
    expect(await verdictOf('sudo id', { rules: [rule(words('sudo'))] })).toBe('deny');
  });

  it('match a path by its target in the folder', async () => {
    const docs = rule({ kind: 'path', changes: ['write'], glob: 'docs/**' });
    const secret = rule({ kind: 'path', changes: ['write'], glob: 'docs/secret/*' }, 'deny');
    const judge = gate({ rules: [docs, secret] });
    const write = async (path: string) =>
      (await judge('write_file', { file_path: path, content: 'x' })).verdict;
    expect([
      await write(`${folder}/docs/a/b.md`),
      await write(`${folder}/docs/secret/x`),
      await write(`${folder}/docs/Secret/x`),
      await write(`${folder}/Docs/a.md`),
      await write(`${folder}/docs`),
      await write(`${folder}/src/docs/x`),
      await write(`${folder}/docs/a\u202e.md`),
      (await judge('edit_file', { file_path: `${folder}/docs/a`, old_string: 'a', new_string: 'b' })).verdict,
      (await judge('delete', { file_path: `${folder}/docs/a` })).verdict,
    ]).toEqual(['allow', 'deny', 'deny', 'ask', 'ask', 'ask', 'ask', 'ask', 'ask']);
  });

  it('match a tool by its name', async () => {
    const judge = gate({ rules: [rule({ kind: 'tool', tool: 'files__read' })] });
    expect((await judge('files__read', {})).verdict).toBe('allow');
    expect((await judge('files__write', {})).verdict).toBe('ask');
    expect((await judge('files__read', {}, true)).verdict).toBe('ask');
  });
});
