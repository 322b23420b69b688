import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SlowModel } from '../testing/slow-model';
import { isIdle, isWaiting, setUp } from '../testing/window';

describe('a path with the project folder as its root', { timeout: 30_000 }, () => {
  const started = async (calls: { name: string; args: Record<string, unknown> }[]) => {
    const t = await setUp();
    mkdirSync(join(t.folder, 'src'));
    writeFileSync(join(t.folder, 'src/a.ts'), 'const a = 1;\n');
    const model = SlowModel.into(t.host, [calls, ['Fine.']]);
    await t.say('work');
    const results = () =>
      model.requests[1]?.filter(({ type }) => type === 'tool').map(({ text }) => text) ?? [];
    return { ...t, results };
  };

  it('means the file of the project, which the result says', async () => {
    const t = await started([
      { name: 'read_file', args: { file_path: '/src/a.ts' } },
      { name: 'ls', args: { path: '/src' } },
    ]);
    await t.window.until(isIdle);
    const file = join(t.folder, 'src/a.ts');
    expect(t.window.calls.map(({ status, args }) => [status, args.file_path ?? args.path])).toEqual([
      ['done', file],
      ['done', join(t.folder, 'src')],
    ]);
    expect(t.results()[0]).toContain(
      `There is nothing at /src/a.ts. This used ${file} in the project folder.`,
    );
    expect(t.results()[0]).toContain('const a = 1;');
  });

  it('is asked about as the file that would change, even for a new file in a folder of the project', async () => {
    const t = await started([{ name: 'write_file', args: { file_path: '/src/new.ts', content: 'b' } }]);
    const { approvals } = await t.window.until(isWaiting(1));
    expect(approvals[0]?.args.file_path).toBe(join(t.folder, 'src/new.ts'));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(readFileSync(join(t.folder, 'src/new.ts'), 'utf8')).toBe('b');
  });

  it('is not needed: a relative path means the project, also for a new file in a new folder', async () => {
    const t = await started([
      { name: 'read_file', args: { file_path: 'src/a.ts' } },
      { name: 'ls', args: {} },
      { name: 'glob', args: { pattern: './src/*.ts', path: '' } },
      { name: 'grep', args: { pattern: 'const', path: './src/' } },
      { name: 'write_file', args: { file_path: 'new/b.ts', content: 'b' } },
    ]);
    const { approvals } = await t.window.until(isWaiting(1));
    expect(approvals[0]?.args.file_path).toBe(join(t.folder, 'new/b.ts'));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(readFileSync(join(t.folder, 'new/b.ts'), 'utf8')).toBe('b');
    const [read = '', listed = '', matched = '', found = ''] = t.results();
    expect(read).toContain('const a = 1;');
    expect(listed).toContain(join(t.folder, 'src'));
    expect(listed).not.toContain('/memories/');
    expect(matched).toBe(join(t.folder, 'src/a.ts'));
    expect(found).toContain(join(t.folder, 'src/a.ts'));
    expect(t.results().join()).not.toContain('There is nothing at');
  });

  it('leaves relative paths alone that mean a memory, a file of the thread, or something outside', async () => {
    const t = await started([
      { name: 'write_file', args: { file_path: '/plan.md', content: 'the plan' } },
      { name: 'write_file', args: { file_path: 'memories/a.md', content: 'b' } },
      { name: 'read_file', args: { file_path: '../outside.md' } },
    ]);
    await t.window.until(isIdle);
    expect(existsSync(join(t.folder, 'memories'))).toBe(false);
    expect(t.window.calls.map(({ status }) => status)).toEqual(['done', 'done', 'failed']);
    SlowModel.into(t.host, [[{ name: 'read_file', args: { file_path: 'plan.md' } }], ['Fine.']]);
    await t.say('read it');
    await t.window.until(isIdle);
    expect(t.window.calls.at(-1)).toMatchObject({ status: 'done', args: { file_path: 'plan.md' } });
  });

  it('stays a file of the thread if the project has nothing like it, and a memory stays a memory', async () => {
    const t = await started([
      { name: 'write_file', args: { file_path: '/plan.md', content: 'b' } },
      { name: 'write_file', args: { file_path: '/memories/src.md', content: 'b' } },
      { name: 'read_file', args: { file_path: '/gone/a.ts' } },
    ]);
    await t.window.until(isIdle);
    expect(t.window.calls.map(({ status, args }) => [status, args.file_path])).toEqual([
      ['done', '/plan.md'],
      ['done', '/memories/src.md'],
      ['failed', '/gone/a.ts'],
    ]);
    expect(existsSync(join(t.folder, 'plan.md'))).toBe(false);
    expect(t.results().join()).not.toContain('in the project folder');
    expect(t.window.calls.map(({ scratch }) => scratch)).toEqual([true, undefined, undefined]);
    expect(t.results()[0]).toContain('/plan.md is in no folder of this project');
    expect(t.results().slice(1).join()).not.toContain('scratch');
  });

  it('is a file of the thread if it is one of the computer, which the model and the person are told', async () => {
    const t = await started([
      { name: 'write_file', args: { file_path: '/etc/deepdesk-test.conf', content: 'a' } },
    ]);
    await t.window.until(isIdle);
    expect(existsSync('/etc/deepdesk-test.conf')).toBe(false);
    expect(t.window.calls).toMatchObject([{ status: 'done', scratch: true }]);
    expect(t.results()[0]).toContain('Nothing was written to the disk.');
  });
});
