import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PlaceCall, PlaceRule } from '../../contract/places';
import { because } from '../../contract/shared/reasons';
import { whySkipped } from '../../harness/sandbox/testing/bubblewrap';
import type { HostOptions } from '../host-options';
import { findDenied } from '../project/access/denied-paths';
import { allowsMore, PathRules, wrongPathRule } from '../project/access/path-rules';
import { type Part, SlowModel } from '../testing/slow-model';
import { isIdle, isWaiting, setUp, temp, testDesktop, WITHOUT_LAYERS } from '../testing/window';

const NO_SANDBOX = { sandbox: { kind: null, reason: because('bubblewrap_missing') } } as const;
const why = whySkipped === null ? '' : ` (skipped: ${whySkipped})`;

const rule = (
  effect: PlaceRule['effect'],
  glob: string,
  ...operations: PlaceRule['operations']
): PlaceRule => ({
  effect,
  glob,
  operations: operations.length === 0 ? ['read', 'write'] : operations,
});
const SECRETS = rule('deny', 'secrets/**');

/** A host whose project has some files and these rules, and whose model makes the given calls. */
async function withRules(
  rules: readonly PlaceRule[],
  script: (file: (name: string) => string) => readonly (readonly Part[])[],
  more: Partial<HostOptions> = {},
) {
  const t = await setUp({ ...NO_SANDBOX, ...more });
  for (const name of ['secrets', 'src']) mkdirSync(join(t.folder, name));
  writeFileSync(join(t.folder, 'secrets/plan.md'), 'The hidden plan.\n');
  writeFileSync(join(t.folder, 'src/plan.md'), 'The open plan.\n');
  await t.window.must('project.setPathRules', { projectId: t.projectId, rules: [...rules] });
  const file = (name: string) => join(t.folder, name);
  const model = SlowModel.into(t.host, script(file));
  const results = () => t.window.calls.map(({ status, result }) => [status, result]);
  return { ...t, file, model, results };
}

const read = (path: string) => ({ name: 'read_file', args: { file_path: path } });
const write = (path: string, content = 'x\n') => ({ name: 'write_file', args: { file_path: path, content } });
const run = (command: string) => ({ name: 'execute', args: { command } });

describe('rules about the paths of a project', () => {
  it('deny reading and writing, and the call says which rule did', async () => {
    const t = await withRules([SECRETS], (file) => [
      [read(file('secrets/plan.md')), write(file('secrets/new.md')), read(file('src/plan.md'))],
      ['Done.'],
    ]);
    await t.say('go');
    await t.window.until(isIdle);
    expect(t.window.calls.map(({ status }) => status)).toEqual(['failed', 'failed', 'done']);
    expect(t.window.calls[0]?.result).toContain('Denied by your rule: secrets/**');
    expect(t.window.calls[1]?.result).toContain('Denied by your rule: secrets/**');
    expect(existsSync(t.file('secrets/new.md'))).toBe(false);
    const { calls } = (await t.window.must('places.calls', { owner: t.projectId })) as {
      calls: PlaceCall[];
    };
    expect(calls.map(({ operation, target, result }) => [operation, target, result]).toSorted()).toEqual([
      ['read', t.file('secrets/plan.md'), 'denied'],
      ['read', t.file('src/plan.md'), 'allowed'],
      ['write', t.file('secrets/new.md'), 'denied'],
    ]);
  });

  it('deny and ask in every spelling that a disk may take for the same name', () => {
    const rules = new PathRules([rule('deny', 'secrets/**'), rule('ask', '*.key')], '/p');
    const judged = ['secrets/a', 'Secrets/a', 'SECRETS/b/c', 'x/A.KEY', 'src/a'].map(
      (path) => rules.judge('read', `/p/${path}`).mode,
    );
    expect(judged).toEqual(['deny', 'deny', 'deny', 'ask', 'allow']);
  });

  it('leave denied files out of searches and listings', async () => {
    const t = await withRules([SECRETS], (file) => [
      [
        { name: 'grep', args: { pattern: 'plan', path: file('') } },
        { name: 'glob', args: { pattern: '**/*.md', path: file('') } },
        { name: 'ls', args: { path: file('') } },
      ],
      ['Done.'],
    ]);
    await t.say('go');
    await t.window.until(isIdle);
    for (const { status, result } of t.window.calls) {
      expect(status).toBe('done');
      expect(result).toContain('src');
      expect(result).not.toContain('secrets');
    }
  });

  it('apply to sub-agents', async () => {
    const task = { name: 'task', args: { description: 'look', subagent_type: 'general-purpose' } };
    const t = await withRules([SECRETS], (file) => [
      [task],
      [read(file('secrets/plan.md'))],
      ['It failed.'],
      ['Done.'],
    ]);
    await t.say('go');
    await t.window.until(isIdle);
    expect(JSON.stringify(t.model.requests)).toContain('enied by your rule: secrets/**');
    expect(JSON.stringify(t.model.requests)).not.toContain('The hidden plan.');
  });

  it('win over an Always rule', async () => {
    const t = await withRules([rule('deny', 'src/**', 'write')], (file) => [
      [write(file('src/new.md')), write(file('other/new.md'))],
      ['Done.'],
    ]);
    const match = { kind: 'path' as const, glob: '*/*.md', changes: ['write' as const, 'edit' as const] };
    const scope = { kind: 'project' as const, projectId: t.projectId };
    await t.window.must('rules.save', { draft: { effect: 'allow', match, scope } });
    await t.say('go');
    await t.window.until(isIdle);
    expect(t.window.calls.map(({ status }) => status)).toEqual(['failed', 'done']);
    expect(existsSync(t.file('src/new.md'))).toBe(false);
  });

  it('let the first match decide: an exception before the rule', async () => {
    const t = await withRules([rule('allow', 'secrets/public.md'), SECRETS], (file) => [
      [write(file('secrets/public.md')), read(file('secrets/plan.md'))],
      ['Done.'],
    ]);
    await t.say('go');
    await t.window.until(isIdle);
    expect(t.window.calls.map(({ status }) => status)).toEqual(['done', 'failed']);
    expect(readFileSync(t.file('secrets/public.md'), 'utf8')).toBe('x\n');
  });

  it('ask before reading, and name the rule', async () => {
    const t = await withRules([rule('ask', 'secrets/**', 'read')], (file) => [
      [read(file('secrets/plan.md'))],
      ['Done.'],
    ]);
    await t.say('go');
    const { approvals } = await t.window.until(isWaiting(1));
    expect(approvals[0]?.reason).toEqual([because('asked_by_path_rule', { rule: 'secrets/**' })]);
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(t.window.calls[0]?.result).toContain('The hidden plan.');
  });

  it('deny the deletion of a folder that holds denied files', async () => {
    const t = await withRules([rule('deny', '*.md', 'write')], (file) => [
      [{ name: 'delete', args: { file_path: file('src') } }],
      ['Done.'],
    ]);
    await t.say('go');
    await t.window.until(isIdle);
    expect(t.window.calls[0]).toMatchObject({ status: 'failed' });
    expect(existsSync(t.file('src/plan.md'))).toBe(true);
  });

  it('make every command ask where there is no sandbox', async () => {
    const t = await withRules([SECRETS], () => [[run('ls src'), run('cat secrets/plan.md')], ['Done.']]);
    await t.say('go');
    const { approvals } = await t.window.until(isWaiting(1));
    expect(approvals[0]?.reason).toEqual([
      because('path_rules_need_sandbox', { why: because('bubblewrap_missing') }),
    ]);
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(t.window.calls[1]?.result).toContain('Denied by your rule: secrets/**');
  });

  it('ask the person before they allow more, and say which pattern cannot be used', async () => {
    const asked: string[] = [];
    const confirm = async ({ message, detail }: { message: string; detail: string }) => {
      asked.push(`${message}\n${detail}`);
      return false;
    };
    const t = await withRules([SECRETS], () => [], { desktop: { ...testDesktop, confirm } });
    const save = (rules: readonly PlaceRule[]) =>
      t.window.client.call('project.setPathRules', { projectId: t.projectId, rules } as never);
    expect(asked).toEqual([]);
    expect(await save([])).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
    expect(asked).toHaveLength(1);
    expect(await save([SECRETS, rule('deny', '[a')])).toMatchObject({
      ok: false,
      error: { kind: 'invalid', values: { glob: '[a' } },
    });
    expect(await save([rule('deny', '*.key'), SECRETS])).toMatchObject({ ok: true });
  });
});

describe.skipIf(whySkipped !== null)(`commands in a project with rules about paths${why}`, () => {
  const inSandbox = { ...WITHOUT_LAYERS };
  /** A name that the command's text does not show. */
  const HIDDEN = 'cat sec*/pl*.md';

  async function withSandbox(rules: readonly PlaceRule[], commands: readonly string[]) {
    const t = await setUp(inSandbox);
    for (const name of ['secrets', 'src', 'deep/secrets'])
      mkdirSync(join(t.folder, name), { recursive: true });
    writeFileSync(join(t.folder, 'secrets/plan.md'), 'The hidden plan.\n');
    writeFileSync(join(t.folder, 'deep/secrets/plan.md'), 'The hidden plan.\n');
    writeFileSync(join(t.folder, 'src/plan.md'), 'The open plan.\n');
    await t.window.must('project.setPathRules', { projectId: t.projectId, rules: [...rules] });
    SlowModel.into(t.host, [...commands.map((command) => [run(command)]), ['Done.']]);
    return t;
  }

  it('do not read denied files in the sandbox', async () => {
    const t = await withSandbox([rule('deny', 'secrets', 'read')], ['cat */plan.md; cat deep/*/plan.md']);
    await t.window.must('project.setMode', { projectId: t.projectId, mode: 'auto-sandbox', loosen: true });
    await t.say('go');
    await t.window.until(isIdle);
    expect(t.window.calls[0]?.result).toContain('The open plan.');
    expect(t.window.calls[0]?.result).not.toContain('The hidden plan.');
  });

  it('do not change denied files in the sandbox', async () => {
    const t = await withSandbox(
      [rule('deny', 'secrets/**', 'write')],
      ['echo new > src/plan.md; for f in sec*/pl*.md; do echo new > $f; done; mv secrets other; true'],
    );
    await t.window.must('project.setMode', { projectId: t.projectId, mode: 'auto-sandbox', loosen: true });
    await t.say('go');
    const state = await t.window.until((now) => isIdle(now) || isWaiting(1)(now));
    if (state.approvals.length > 0) await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(readFileSync(join(t.folder, 'src/plan.md'), 'utf8')).toBe('new\n');
    expect(readFileSync(join(t.folder, 'secrets/plan.md'), 'utf8')).toBe('The hidden plan.\n');
  });

  it('stay away from denied files outside the sandbox, whatever the person approved', async () => {
    const reach = `node -e "require('fs').writeFileSync('src/new.md', process.version)"; mv deep elsewhere`;
    const t = await withSandbox([SECRETS, rule('deny', 'deep/secrets/**')], [`${HIDDEN}; ${reach}`]);
    await t.say('go');
    const { approvals } = await t.window.until(isWaiting(1));
    expect(approvals[0]?.preview).toMatchObject({ outsideSandbox: true });
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(t.window.calls[0]?.result).not.toContain('The hidden plan.');
    expect(existsSync(join(t.folder, 'src/new.md'))).toBe(true);
    expect(existsSync(join(t.folder, 'deep/secrets/plan.md'))).toBe(true);
    const app: { terminals: { sandboxed?: true }[] } = await t.window.must('app.open', {});
    expect(app.terminals[0]?.sandboxed).toBeUndefined();
  });
});

describe('what commands are kept from', () => {
  const deny = (folder: string, ...rules: PlaceRule[]) => new PathRules(rules, folder);

  it('are whole folders, and single files where a rule makes an exception', async () => {
    const folder = temp('denied');
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    for (const name of ['a/x', 'a/b/open', 'a/b/y', 'z.key']) writeFileSync(join(folder, name), '');
    const keys = deny(folder, rule('deny', 'a/**', 'read'), rule('deny', '*.key', 'write'));
    expect(await findDenied(keys, folder, ['deny'])).toEqual({
      hidden: [{ path: join(folder, 'a'), kind: 'folder' }],
      readOnly: [join(folder, 'z.key')],
    });
    const except = deny(folder, rule('allow', 'a/b/open'), rule('deny', 'a/**', 'read'));
    const { hidden } = await findDenied(except, folder, ['deny']);
    expect(hidden.map(({ path }) => path).toSorted()).toEqual([join(folder, 'a/b/y'), join(folder, 'a/x')]);
  });

  it('cannot be found in a folder that is too large, so that no command runs', async () => {
    const folder = temp('denied');
    for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, name), '');
    await expect(findDenied(deny(folder, rule('deny', '*.key')), folder, ['deny'], 2)).rejects.toThrow(
      'the folder has more than 2 entries',
    );
    // A rule about one folder does not need a look into the others.
    expect(await findDenied(deny(folder, rule('deny', 'a')), folder, ['deny'], 3)).toMatchObject({
      hidden: [{ path: join(folder, 'a') }],
    });
  });
});

describe('path rules', () => {
  const judged = (rules: PlaceRule[], path: string) =>
    new PathRules(rules, '/home/me/project', '/home/me').judge('read', path).mode;

  it.each([
    ['*.key', '/home/me/project/a/b.key', 'deny'],
    ['*.key', '/home/me/project/b.key', 'deny'],
    ['secrets', '/home/me/project/a/secrets/deep/x', 'deny'],
    ['secrets/', '/home/me/project/secrets/x', 'deny'],
    ['./secrets/**', '/home/me/project/secrets/x', 'deny'],
    ['secrets/**', '/home/me/project/a/secrets/x', 'allow'],
    ['*.key', '/home/me/other/b.key', 'allow'],
    ['~/notes', '/home/me/notes/a.md', 'deny'],
    ['/etc/hosts', '/etc/hosts', 'deny'],
    ['/home/**', '/home/me/project/a.md', 'allow'],
    ['/handbook/**', '/handbook/a.md', 'deny'],
  ])('%s at %s: %s', (glob, path, mode) => {
    expect(judged([rule('deny', glob)], path)).toBe(mode);
  });

  it.each(['/', '/**', '/etc/*.conf', '[a', '../other/**', '/home/me/project/src'])('refuse %s', (glob) => {
    expect(wrongPathRule([rule('deny', glob)], '/home/me/project')).toBe(glob);
  });

  it('know when they allow more', () => {
    const ask = rule('ask', 'a');
    const allow = rule('allow', 'b');
    expect(allowsMore([], [SECRETS, ask])).toBe(false);
    expect(allowsMore([SECRETS], [SECRETS, ask])).toBe(false);
    expect(allowsMore([SECRETS], [ask, SECRETS])).toBe(true);
    expect(allowsMore([SECRETS], [SECRETS, allow])).toBe(true);
    expect(allowsMore([SECRETS, ask], [ask])).toBe(true);
    expect(allowsMore([allow, SECRETS], [SECRETS, allow])).toBe(true);
  });
});
