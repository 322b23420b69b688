import { expect } from 'vitest';
import type { Suite } from './suite.contract';

export function lifecycleCases({ it, given, closed, initialized }: Suite): void {
  it('has an id', () => {
    expect(given().id).toEqual(expect.stringMatching(/./));
  });

  it('runs after it was created', () => {
    expect(given().isRunning ?? true).toBe(true);
  });

  it('runs nothing after it is closed', async () => {
    expect((await closed()).isRunning ?? false).toBe(false);
  });

  it('is initialized in a second step, if it has one', async () => {
    const made = await initialized?.();
    if (made === undefined) return;
    expect(made.before ?? false).toBe(false);
    expect(made.after.id).toEqual(expect.any(String));
  });
}

export function commandCases({ it, sandbox }: Suite): void {
  it('returns the output of a command', async () => {
    const { output, exitCode, truncated } = await sandbox().execute('echo "hello"');
    expect([output.trim(), exitCode, truncated]).toEqual(['hello', 0, false]);
  });

  it('returns its exit code', async () => {
    expect((await sandbox().execute('exit 42')).exitCode).toBe(42);
  });

  it('returns all lines', async () => {
    const { output, exitCode } = await sandbox().execute('echo one && echo two && echo three');
    expect([output.trim().split('\n'), exitCode]).toEqual([['one', 'two', 'three'], 0]);
  });

  it('returns what a command prints as an error', async () => {
    expect((await sandbox().execute('echo wrong >&2')).output).toContain('wrong');
  });

  it('runs shell syntax with variables', async () => {
    const { output } = await sandbox().execute('export NAME="some value" && echo "$NAME"');
    expect(output.trim()).toBe('some value');
  });

  it('returns an error for a program that is missing', async () => {
    expect((await sandbox().execute('no_such_program_12345')).exitCode).not.toBe(0);
  });
}

export function initialFileCases({ it, withFiles, at, shell }: Suite): void {
  const printed = async (box: { execute(command: string): unknown }, name: string) =>
    ((await box.execute(`cat ${shell(name)}`)) as { output: string }).output.trim();

  it('are there, below folders too', () =>
    withFiles({ 'init.txt': 'Hello', 'nested/dir/file.txt': 'Nested' }, async (box) => {
      expect(await printed(box, 'init.txt')).toBe('Hello');
      expect(await printed(box, 'nested/dir/file.txt')).toBe('Nested');
    }));

  it('keep their text in deep folders', () =>
    withFiles(
      { 'src/a/b/index.tsx': 'export const b = () => <b>x</b>;', 'src/c/d/e.ts': 'export const e = 1;' },
      async (box) => {
        expect(await printed(box, 'src/a/b/index.tsx')).toContain('<b>x</b>');
        expect(await printed(box, 'src/c/d/e.ts')).toContain('e = 1');
      },
    ));

  it('may be none', () =>
    withFiles({}, async (box) => {
      expect((await box.execute('echo works')).output.trim()).toBe('works');
    }));

  it('are read', () =>
    withFiles({ 'init-read.txt': 'to read' }, async (box) => {
      expect((await box.read(at('init-read.txt'))).content).toContain('to read');
    }));

  it('are downloaded', () =>
    withFiles({ 'init-download.txt': 'to download' }, async (box) => {
      const [file] = (await box.downloadFiles?.([at('init-download.txt')])) ?? [];
      expect([file?.error, new TextDecoder().decode(file?.content ?? undefined)]).toEqual([
        null,
        'to download',
      ]);
    }));

  it('can be scripts', () =>
    withFiles({ 'init-script.sh': '#!/bin/sh\necho "from a script"' }, async (box) => {
      const { output, exitCode } = await box.execute(`sh ${shell('init-script.sh')}`);
      expect([output.trim(), exitCode]).toEqual(['from a script', 0]);
    }));

  it('are listed', () =>
    withFiles({ 'init-ls/file.txt': 'x' }, async (box) => {
      const { files = [] } = await box.ls(at('init-ls'));
      expect(files.map(({ path }) => path)).toEqual([at('init-ls/file.txt')]);
    }));
}

export function workflowCases({ it, sandbox, at }: Suite): void {
  it('writes, reads, edits and reads again', async () => {
    const box = sandbox();
    const path = at('flow.txt');
    expect((await box.write(path, 'Original content')).error).toBeUndefined();
    expect((await box.read(path)).content).toContain('Original content');
    expect((await box.edit(path, 'Original', 'Changed')).error).toBeUndefined();
    expect((await box.read(path)).content).toContain('Changed content');
  });

  it('lists and searches the tree that it wrote', async () => {
    const box = sandbox();
    const folder = at('flow-tree');
    for (const name of ['root.txt', 'sub1/one.txt', 'sub1/two.py', 'sub2/three.txt'])
      await box.write(`${folder}/${name}`, `the file ${name}`);
    const { files = [] } = await box.ls(folder);
    expect(files.map(({ path }) => path.replace(/\/$/, '')).sort()).toEqual(
      ['root.txt', 'sub1', 'sub2'].map((name) => `${folder}/${name}`),
    );
    expect((await box.glob('**/*.txt', folder)).files).toHaveLength(3);
    expect((await box.grep('the file', folder)).matches).toHaveLength(4);
  });
}
