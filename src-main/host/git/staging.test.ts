import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  authors,
  codeOf,
  env,
  first,
  folder,
  git,
  lines,
  must,
  project,
  run,
  signal,
  start,
  status,
  stop,
  write,
} from './testing/git-project';

beforeEach(start);
afterEach(stop);

describe('staging', () => {
  it('stages and unstages one hunk of two, and refuses one of an older diff', async () => {
    first();
    write('a.txt', lines(40).replace('line 1\n', 'one\n').replace('line 30\n', 'thirty\n'));
    const shown = must(await git.file(project, 'a.txt', false, signal));
    expect(shown.hunks).toHaveLength(2);
    const { digest } = shown;
    must(await git.stageHunk(project, { path: 'a.txt', hunk: 1, digest, staged: true }));
    expect(run('diff', '--cached')).toContain('+thirty');
    expect(run('diff', '--cached')).not.toContain('+one');
    expect((await status()).files).toMatchObject([{ staged: 'modified', unstaged: 'modified' }]);
    expect(codeOf(await git.stageHunk(project, { path: 'a.txt', hunk: 0, digest, staged: true }))).toBe(
      'file_changed_since_shown',
    );
    const staged = must(await git.file(project, 'a.txt', true, signal));
    must(await git.stageHunk(project, { path: 'a.txt', hunk: 0, digest: staged.digest, staged: false }));
    expect(run('diff', '--cached')).toBe('');
  });

  it('stages and unstages a hunk in its place where the same lines come again', async () => {
    const old = 'a\nb\nc\nd\ne\n'.repeat(10);
    write('a.txt', old);
    run('add', '.');
    run('commit', '-qm', 'alike');
    const second = `${old.slice(0, 50)}new\n${old.slice(50)}`;
    write('a.txt', `1\n2\n3\n4\n5\n${second}`);
    const { digest } = must(await git.file(project, 'a.txt', false, signal));
    must(await git.stageHunk(project, { path: 'a.txt', hunk: 1, digest, staged: true }));
    expect(run('show', ':a.txt')).toBe(second);
    run('commit', '-qm', 'second');
    write('a.txt', `1\n2\n3\n4\n5\n${old}`);
    run('add', '.');
    const staged = must(await git.file(project, 'a.txt', true, signal));
    must(await git.stageHunk(project, { path: 'a.txt', hunk: 1, digest: staged.digest, staged: false }));
    expect(run('show', ':a.txt')).toBe(`1\n2\n3\n4\n5\n${second}`);
  });

  it('keeps CRLF and the missing line break at the end of a staged hunk', async () => {
    run('config', 'core.autocrlf', 'false');
    write('crlf.txt', 'a\r\nb\r\nc');
    run('add', '.');
    run('commit', '-qm', 'crlf');
    write('crlf.txt', 'a\r\nB\r\nC');
    const { digest } = must(await git.file(project, 'crlf.txt', false, signal));
    must(await git.stageHunk(project, { path: 'crlf.txt', hunk: 0, digest, staged: true }));
    expect(run('show', ':crlf.txt')).toBe('a\r\nB\r\nC');
  });

  it('stages new, deleted and binary files with unusual names, before the first commit too', async () => {
    const name = ':(top)*\n-x 中.bin';
    write(name, 'a\0b');
    expect(must(await git.file(project, name, false, signal)).kind).toBe('binary');
    must(await git.stage(project, [name], true));
    expect((await status()).files).toMatchObject([{ path: name, staged: 'added' }]);
    must(await git.stage(project, [name], false));
    expect((await status()).files).toMatchObject([{ path: name, staged: null, unstaged: 'untracked' }]);
  });

  it.skipIf(process.platform === 'win32')('shows and stages a new link to a folder as a link', async () => {
    first();
    mkdirSync(join(folder, 'deep'));
    write('deep/a.txt', 'a\n');
    for (const name of ['link', 'a "b"\\ 中']) {
      symlinkSync('deep', join(folder, name));
      const shown = must(await git.file(project, name, false, signal));
      expect(shown).toMatchObject({
        kind: 'text',
        hunks: [{ newStart: 1, newLines: 1, lines: ['+deep', '\\ No newline at end of file'] }],
      });
      must(await git.stageHunk(project, { path: name, hunk: 0, digest: shown.digest, staged: true }));
      expect(run('ls-files', '-s', '--', name)).toMatch(/^120000 /);
      expect(run('show', `:${name}`)).toBe('deep');
    }
  });

  it.skipIf(process.platform !== 'linux')(
    'stages files whose names are not UTF-8 (only Linux has such names)',
    async () => {
      first();
      const bytes = (name: string) => Buffer.from(`${folder}/${name}`, 'latin1');
      writeFileSync(bytes('caf\xe9.txt'), 'x\n');
      write('a\\xe9', 'y\n');
      write('b\\c', 'z\n');
      const paths = ['a\\x5cxe9', 'b\\c', 'caf\\xe9.txt'];
      expect((await status()).files.map(({ path }) => path)).toEqual(paths);
      must(await git.stageAll(project, signal));
      must(await git.commit(project, { message: 'm', amend: false }, signal));
      expect((await status()).files).toEqual([]);
      for (const name of ['caf\xe9.txt', 'a\\xe9', 'b\\c']) writeFileSync(bytes(name), 'changed\n');
      for (const path of paths) authors.set(path, [{ by: 'agent', at: Date.now() + 1_000 }]);
      expect((await status()).files.map(({ by }) => by)).toEqual(['agent', 'agent', 'agent']);
      expect(must(await git.file(project, 'a\\x5cxe9', false, signal)).kind).toBe('text');
      // Node passes no such bytes to a program.
      expect(codeOf(await git.file(project, 'caf\\xe9.txt', false, signal))).toBe('name_not_utf8');
      must(await git.stage(project, ['caf\\xe9.txt'], true));
      must(await git.stage(project, ['caf\\xe9.txt'], false));
      expect((await status()).files).toHaveLength(3);
    },
  );

  it('stages a link in place of a file as a whole', async () => {
    first();
    rmSync(join(folder, 'a.txt'));
    symlinkSync('b.txt', join(folder, 'a.txt'));
    const { digest, hunks } = must(await git.file(project, 'a.txt', false, signal));
    expect(hunks.map(({ lines: all }) => all.at(-2) ?? '')).toEqual(['-line 38', '+b.txt']);
    must(await git.stageHunk(project, { path: 'a.txt', hunk: 0, digest, staged: true }));
    expect((await status()).files).toMatchObject([{ path: 'a.txt', staged: 'type', unstaged: null }]);
    const staged = must(await git.file(project, 'a.txt', true, signal));
    const hunk = { path: 'a.txt', hunk: 1, digest: staged.digest, staged: false };
    must(await git.stageHunk(project, hunk));
    expect((await status()).files).toMatchObject([{ path: 'a.txt', staged: null, unstaged: 'type' }]);
  });

  it('stages only the deletion of a file whose place a folder has taken', async () => {
    write('a', 'a\n');
    first();
    rmSync(join(folder, 'a'));
    mkdirSync(join(folder, 'a'));
    write('a/private.txt', 'private\n');
    must(await git.stage(project, ['a'], true));
    expect((await status()).files).toMatchObject([
      { path: 'a', staged: 'deleted', unstaged: null },
      { path: 'a/private.txt', staged: null, unstaged: 'untracked' },
    ]);
  });

  it('stages the other files if one cannot be added', async () => {
    first();
    mkdirSync(join(folder, 'nested'));
    execFileSync('git', ['init', '-q'], { cwd: join(folder, 'nested'), env });
    write('nested/y', 'y\n');
    write('b.txt', 'b\n');
    const all = await git.stageAll(project, signal);
    expect(all).toMatchObject({ ok: false, error: { code: 'git_failed' } });
    expect(!all.ok && all.error.detail).toContain("'nested/'");
    expect((await status()).files).toMatchObject([
      { path: 'b.txt', staged: 'added' },
      { path: 'nested/', staged: null },
    ]);
  });

  it('shows a new file named - and one beyond the limit of an output', async () => {
    write('-', 'dash\n');
    write('huge.txt', 'abcdefghi\n'.repeat(6_800_000));
    expect(must(await git.file(project, '-', false, signal)).hunks).toMatchObject([{ lines: ['+dash'] }]);
    expect(must(await git.file(project, 'huge.txt', false, signal)).kind).toBe('too_large');
  });

  it("counts empty lines if the person's git writes them without a space", async () => {
    run('config', '--global', 'diff.suppressBlankEmpty', 'true');
    write('a.txt', 'a\n\nb\n');
    run('add', '.');
    run('commit', '-qm', 'first');
    write('a.txt', 'a\n\nB\n');
    const [hunk] = must(await git.file(project, 'a.txt', false, signal)).hunks;
    expect(hunk?.lines).toEqual([' a', ' ', '-b', '+B']);
  });

  it("stages the agent's files and parts and leaves the person's", async () => {
    first();
    run('commit', '-q', '--amend', '--no-edit', '--date=2001-01-01T00:00:00Z');
    write('a.txt', lines(40).replace('line 1\n', 'one\n').replace('line 30\n', 'thirty\n'));
    write('agent.txt', 'x\n');
    write('mine.txt', 'y\n');
    const at = Date.now() + 1_000;
    authors.set('agent.txt', [{ by: 'agent', at }]);
    authors.set('a.txt', [
      { by: 'agent', at },
      { by: 'person', at },
    ]);
    expect((await status()).files.map(({ path, by }) => `${path} ${by}`)).toEqual([
      'a.txt both',
      'agent.txt agent',
      'mine.txt person',
    ]);
    expect(must(await git.stageAgent(project, signal))).toEqual({ files: 2, left: 1 });
    expect(run('diff', '--cached', '--name-only').trim().split('\n')).toEqual(['a.txt', 'agent.txt']);
    expect(run('diff', '--cached', 'a.txt')).not.toContain('thirty');
    must(await git.commit(project, { message: 'agent', amend: false }, signal));
    authors.set('agent.txt', [{ by: 'agent', at: 1 }]);
    write('agent.txt', 'mine now\n');
    expect((await status()).files.find(({ path }) => path === 'agent.txt')?.by).toBe('person');
  });
});
