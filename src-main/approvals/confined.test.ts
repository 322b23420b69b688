import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalMode, Rule } from '../contract/control';
import { isLooser, tighter } from '../contract/modes';
import { because } from '../contract/shared/reasons';
import { CompositeBackend, StateBackend } from '../harness/backends';
import { FilesystemBackend } from '../harness/backends/filesystem';
import type { Confinement } from './confined';
import { createGate } from './gate';
import { whyRefused } from './rule-refusal';

let base = '';
let folder = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-confined-')));
  folder = join(base, 'project');
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'src/a.ts'), 'a');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const HERE: Confinement = { available: true, reason: null, wanted: true };
const NOWHERE: Confinement = { available: false, reason: because('bubblewrap_missing'), wanted: true };

async function judge(
  tool: string,
  args: Record<string, unknown>,
  options: { mode?: ApprovalMode; confinement?: Confinement; rules?: Rule[]; startedBefore?: boolean } = {},
) {
  const state = new StateBackend({ files: { read: () => ({}), send: () => undefined } });
  const files = new FilesystemBackend({ rootDir: folder });
  const gate = createGate({
    places: { folder, memories: '/memories' },
    backend: new CompositeBackend(state, { [`${folder}/`]: files }),
    timeoutSeconds: 1,
    shell: {
      folder,
      cwd: folder,
      home: join(base, 'home'),
      dataDir: join(base, 'data'),
      findProgram: async (name) => `/usr/bin/${name}`,
    },
    mode: () => options.mode ?? 'auto-sandbox',
    confinement: () => options.confinement ?? HERE,
    rules: () => options.rules ?? [],
  });
  const { signal } = new AbortController();
  return gate.judge({ callId: 'c', tool, args }, signal, { startedBefore: options.startedBefore ?? false });
}
type Options = Parameters<typeof judge>[2];
const run = (command: string, options?: Options) => judge('execute', { command }, options);
const said = async (command: string, options?: Options) => {
  const verdict = await run(command, options);
  if (verdict.verdict !== 'allow') return verdict.verdict;
  return verdict.confined === 'read-only' ? 'reading' : verdict.confined ? 'inside' : 'outside';
};

describe('auto mode in the sandbox', () => {
  it.each([
    ['npm test', 'inside'],
    ['node build.js > out.txt', 'inside'],
    ['rm -rf build', 'inside'],
    ['curl https://example.com', 'inside'],
    ['cat src/a.ts', 'inside'],
    ['sudo id', 'deny'],
    ['cat .env', 'ask'],
    ['grep KEY config/prod.pem', 'ask'],
    ['cat .env.example', 'inside'],
    ['echo x > .git/hooks/pre-commit', 'ask'],
    ['mkdir .vscode', 'ask'],
    ['rm -rf .git', 'ask'],
    ['find . -delete', 'ask'],
    ['git commit -m x', 'inside'],
    ['echo "unfinished', 'reading'],
    ['echo "unfinished > a', 'ask'],
  ])('%s: %s', async (command, expected) => {
    expect(await said(command)).toBe(expected);
  });

  it('gives the reason for running', async () => {
    expect(await run('npm test')).toEqual({
      verdict: 'allow',
      reason: [because('in_sandbox'), because('part', { text: 'npm test', why: because('runs_scripts') })],
      outside: true,
      confined: true,
      offline: true,
    });
  });

  it('also starts jobs there', async () => {
    expect(await judge('execute', { command: 'npm start', background: true })).toMatchObject({
      verdict: 'allow',
      confined: true,
    });
  });

  it('writes and deletes files in the folder, but none beyond it and none that other programs load', async () => {
    const verdictOf = async (tool: string, path: string, more = {}) =>
      (await judge(tool, { file_path: path, ...more })).verdict;
    expect(await verdictOf('write_file', `${folder}/new.txt`, { content: 'x' })).toBe('allow');
    expect(await verdictOf('delete', `${folder}/src/a.ts`)).toBe('allow');
    writeFileSync(join(folder, 'run.sh'), 'true', { mode: 0o755 });
    for (const name of [
      'run.sh',
      'package.json',
      'Makefile',
      '.husky/pre-commit',
      '.github/workflows/ci.yml',
      'node_modules/left-pad/index.js',
      'node_modules/.bin/vitest',
      '.venv/lib/python3.12/site-packages/six.py',
    ])
      expect(await verdictOf('write_file', `${folder}/${name}`, { content: 'x' }), name).toBe('ask');
    expect(await verdictOf('delete', folder)).toBe('ask');
    mkdirSync(join(folder, '.git/objects'), { recursive: true });
    expect(await verdictOf('delete', `${folder}/.git/objects`)).toBe('ask');
    expect(await verdictOf('delete', base)).toBe('ask');
    expect(await verdictOf('write_file', `${folder}/a\u202e.txt`, { content: 'x' })).toBe('ask');
  });

  it('asks about unknown tools and about calls that may already have run', async () => {
    expect((await judge('server__tool', {})).verdict).toBe('ask');
    expect(await said('npm test', { startedBefore: true })).toBe('ask');
  });

  it('asks if there is no sandbox, with the reason', async () => {
    const verdict = await run('npm test', { confinement: NOWHERE });
    expect(verdict.verdict === 'ask' && verdict.question.reason.at(-1)).toEqual(
      because('no_sandbox_for_it', { why: because('bubblewrap_missing') }),
    );
    expect(await said('cat src/a.ts', { confinement: NOWHERE })).toBe('outside');
  });

  it('keeps a command that a rule allows in the sandbox, and lets a deny rule win [safety 14]', async () => {
    const rule = (effect: Rule['effect']): Rule => ({
      id: 'r',
      createdAt: 0,
      effect,
      match: { kind: 'command', words: ['npm', 'test'], exact: false },
      scope: { kind: 'person' },
    });
    expect(await said('npm test', { rules: [rule('allow')] })).toBe('inside');
    expect(await said('npm test', { rules: [rule('allow')], mode: 'ask-risky' })).toBe('outside');
    expect(await said('npm test', { rules: [rule('deny')] })).toBe('deny');
  });
});

describe('the other modes', () => {
  it('sandbox the commands they allow, unless the person turned that off', async () => {
    expect(await said('cat src/a.ts', { mode: 'ask-risky' })).toBe('inside');
    expect(await said('cat src/a.ts', { mode: 'plan' })).toBe('inside');
    expect(await said('cat src/a.ts', { mode: 'ask-risky', confinement: { ...HERE, wanted: false } })).toBe(
      'outside',
    );
    expect(await said('npm test', { mode: 'ask-risky' })).toBe('ask');
    expect(await said('npm test', { mode: 'plan' })).toBe('deny');
  });

  it('rank from loosest to tightest', () => {
    expect([tighter('auto-sandbox'), isLooser('auto-sandbox', 'ask-risky')]).toEqual(['ask-risky', true]);
  });
});

describe('a command that asks to leave the sandbox', () => {
  const outside = { command: 'cat src/a.ts', outside_sandbox: 'needs the key agent' };
  it("always needs approval, with the agent's own words as the reason", async () => {
    for (const mode of ['auto-sandbox', 'ask-risky', 'ask-all'] as const) {
      const verdict = await judge('execute', outside, { mode });
      expect(verdict).toMatchObject({
        verdict: 'ask',
        question: { preview: { outsideSandbox: true, outsideReason: 'needs the key agent' } },
      });
      expect(JSON.stringify(verdict.verdict === 'ask' && verdict.question.reason)).not.toContain('key agent');
    }
  });

  it('is refused if the command never runs, and differs from the call that was allowed', async () => {
    expect((await judge('execute', { ...outside, command: 'sudo id' })).verdict).toBe('deny');
    const digest = async (args: Record<string, unknown>) => {
      const verdict = await judge('execute', args, { mode: 'ask-all' });
      return verdict.verdict === 'ask' ? verdict.question.digest : null;
    };
    expect(await digest(outside)).not.toBe(await digest({ command: outside.command }));
  });
});

describe('rules about hosts', () => {
  const refused = (host: string) =>
    whyRefused({ effect: 'allow', match: { kind: 'host', host }, scope: { kind: 'person' } });
  it.each(['example.com', '*.example.com', 'localhost:8080', 'packages.example.com:443'])(
    'accept %s',
    (host) => expect(refused(host)).toBeNull(),
  );
  it.each(['*', '*.com', '*.github.io', 'https://example.com', 'a b', '', '*.*.com'])('refuse %s', (host) =>
    expect(refused(host)).not.toBeNull(),
  );
});
