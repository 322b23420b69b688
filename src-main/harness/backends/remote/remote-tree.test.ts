import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { RemoteTree } from './remote-tree';

/** Programs in front of those of the machine, by name: shell scripts, which find the machine's as `$real`. */
type Programs = Record<string, string>;

/** A real shell of this machine in place of a remote one. */
function setUp(programs: Programs = {}) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-tree-')));
  const root = join(home, 'project');
  mkdirSync(root);
  const bin = join(home, 'bin');
  mkdirSync(bin);
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\nreal=$(PATH=$REAL command -v ${name})\n${script}`, {
      mode: 0o755,
    });
  const env = { PATH: `${bin}:${process.env.PATH}`, REAL: process.env.PATH, HOME: home };
  const run = async (command: string) => {
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], { env });
    return { output: stdout };
  };
  return { home, root, tree: new RemoteTree(run, root) };
}

describe.skipIf(process.platform === 'win32')('RemoteTree', () => {
  it('creates, renames and moves, whatever the names are, and replaces nothing', async () => {
    const { root, tree } = setUp();
    const odd = '/it\'s $(touch x)\n"ü"';
    expect(await tree.create(odd, 'directory')).toBeNull();
    expect(await tree.create(`${odd}/-a`, 'file')).toBeNull();
    expect((await tree.create(`${odd}/-a`, 'file'))?.kind).toBe('conflict');
    expect((await tree.create(odd, 'directory'))?.kind).toBe('conflict');
    writeFileSync(join(root, odd, '-a'), 'one');
    expect(await tree.move(`${odd}/-a`, '/new/deep/b')).toBeNull();
    expect(readFileSync(join(root, 'new/deep/b'), 'utf8')).toBe('one');
    writeFileSync(join(root, 'taken'), 'theirs');
    expect((await tree.move('/new/deep/b', '/taken'))?.kind).toBe('conflict');
    expect((await tree.move('/new', odd))?.kind).toBe('conflict');
    expect((await tree.move('/gone', '/c'))?.kind).toBe('not_found');
    expect(await tree.move('/new', '/newer')).toBeNull();
    expect(readdirSync(root).sort()).toEqual([odd.slice(1), 'newer', 'taken'].sort());
  });

  it('moves what is deleted to the trash there, and back', async () => {
    const { home, root, tree } = setUp();
    mkdirSync(join(root, 'docs'));
    writeFileSync(join(root, 'docs/a b.md'), 'text');
    const gone = await tree.trash('/docs');
    expect(existsSync(join(root, 'docs'))).toBe(false);
    const [info = ''] = readdirSync(join(home, '.local/share/Trash/info'));
    expect(readFileSync(join(home, '.local/share/Trash/info', info), 'utf8')).toMatch(
      /^\[Trash Info\]\nPath=\/.*\/project\/docs\nDeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\n$/,
    );
    const trashed = 'trashed' in gone ? gone.trashed : '';
    writeFileSync(join(root, 'docs'), 'new');
    expect((await tree.restore(trashed, '/docs'))?.kind).toBe('conflict');
    expect(await tree.restore(trashed, '/docs 2')).toBeNull();
    expect(readFileSync(join(root, 'docs 2/a b.md'), 'utf8')).toBe('text');
    expect(readdirSync(join(home, '.local/share/Trash/info'))).toEqual([]);
    expect((await tree.restore(trashed, '/other'))?.kind).toBe('not_found');
    expect(await tree.trash('/nothing')).toMatchObject({ kind: 'not_found' });
  });

  it('follows no link out of the folder, and moves a link itself', async () => {
    const { home, root, tree } = setUp();
    mkdirSync(join(home, 'outside'));
    writeFileSync(join(home, 'outside/a'), 'theirs');
    symlinkSync(join(home, 'outside'), join(root, 'out'));
    expect((await tree.create('/out/new', 'file'))?.kind).toBe('denied');
    expect((await tree.create('/out/new/deep', 'directory'))?.kind).toBe('denied');
    expect((await tree.move('/out/a', '/a'))?.kind).toBe('denied');
    expect(await tree.trash('/out/a')).toMatchObject({ kind: 'denied' });
    expect(await tree.move('/out', '/link')).toBeNull();
    expect(await tree.trash('/link')).toMatchObject({ trashed: expect.any(String) });
    expect(readdirSync(join(home, 'outside'))).toEqual(['a']);
    expect(readdirSync(root)).toEqual([]);
  });

  const appearing = 'mkdir -p "$HOME/project/new"';
  const REFUSE_T = 'for a; do [ "$a" = -T ] && exit 1; done';
  for (const [which, first] of [
    ['', ''],
    [' where no program knows -T', `${REFUSE_T}\n`],
  ])
    it(`moves nothing into a folder that appears at the target meanwhile${which}`, async () => {
      const program = `${first}${appearing}\nexec "$real" "$@"`;
      const { root, tree } = setUp({ mv: program, ln: program });
      mkdirSync(join(root, 'docs'));
      writeFileSync(join(root, 'docs/a'), 'text');
      writeFileSync(join(root, 'file'), 'text');
      symlinkSync('file', join(root, 'link'));
      for (const from of ['docs', 'file', 'link']) {
        expect((await tree.move(`/${from}`, '/new'))?.kind).toBe('conflict');
        expect(readdirSync(root).sort()).toEqual(['docs', 'file', 'link', 'new']);
        expect(readdirSync(join(root, 'new'))).toEqual([]);
        rmdirSync(join(root, 'new'));
      }
      expect(readFileSync(join(root, 'docs/a'), 'utf8')).toBe('text');
      expect(await tree.move('/docs', '/moved')).toBeNull();
      expect(await tree.move('/file', '/moved/file')).toBeNull();
      expect(readdirSync(join(root, 'moved')).sort()).toEqual(['a', 'file']);
    });

  it('replaces no file that appears at the target meanwhile', async () => {
    const { root, tree } = setUp({ mv: 'echo theirs >"$HOME/project/new"\nexec "$real" "$@"' });
    mkdirSync(join(root, 'docs'));
    symlinkSync('file', join(root, 'link'));
    for (const from of ['docs', 'link']) {
      expect((await tree.move(`/${from}`, '/new'))?.kind).toBe('conflict');
      expect(readFileSync(join(root, 'new'), 'utf8')).toBe('theirs\n');
      rmSync(join(root, 'new'));
    }
    expect(readdirSync(root).sort()).toEqual(['docs', 'link']);
  });
});
