import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, TestRunner, vi } from 'vitest';
import { inEnglish } from '../../../../src-renderer/i18n/errors';
import { gifOf } from '../../../harness/agent/media/testing/files';
import { SlowModel } from '../../testing/slow-model';
import { isIdle, isWaiting, setUp, temp, testDesktop } from '../../testing/window';

const before = process.env.XDG_DATA_HOME;
let t: Awaited<ReturnType<typeof setUp>>;
beforeEach(async () => {
  t = await setUp();
  process.env.XDG_DATA_HOME = join(t.folder, '.data');
});
afterEach(() => {
  if (before === undefined) delete process.env.XDG_DATA_HOME;
  else process.env.XDG_DATA_HOME = before;
});

const project = () => {
  const { projectId } = t;
  return projectId;
};
const at = (name: string) => join(t.folder, name);
const call: (typeof t)['window']['client']['call'] = (command, input) => t.window.client.call(command, input);
const kindOf = (result: { ok: boolean; error?: { kind: string } }) => (result.ok ? 'ok' : result.error?.kind);

describe('file actions of the person', () => {
  it('create files and folders and overwrite nothing', async () => {
    const create = (path: string, kind: 'file' | 'directory') =>
      call('files.create', { projectId: project(), path: at(path), kind });
    expect(kindOf(await create('src/new/a.txt', 'file'))).toBe('ok');
    expect(kindOf(await create('docs', 'directory'))).toBe('ok');
    writeFileSync(at('src/new/a.txt'), 'kept');
    expect(kindOf(await create('src/new/a.txt', 'file'))).toBe('conflict');
    expect(kindOf(await create('docs', 'directory'))).toBe('conflict');
    expect(readFileSync(at('src/new/a.txt'), 'utf8')).toBe('kept');
  });

  it('rename and move, but never onto an existing file, out of the folder or through a link', async () => {
    writeFileSync(at('a.txt'), 'a');
    writeFileSync(at('b.txt'), 'b');
    mkdirSync(at('dir'));
    symlinkSync('/tmp', at('out'));
    const move = (from: string, to: string) => call('files.move', { projectId: project(), from, to });
    expect(kindOf(await move(at('a.txt'), at('b.txt')))).toBe('conflict');
    linkSync(at('a.txt'), at('link.txt'));
    expect(kindOf(await move(at('a.txt'), at('link.txt')))).toBe('conflict');
    rmSync(at('link.txt'));
    expect(kindOf(await move(at('a.txt'), at('dir/c.txt')))).toBe('ok');
    expect(kindOf(await move(at('dir'), at('dir/inner')))).toBe('invalid');
    expect(kindOf(await move(at('b.txt'), at('../b.txt')))).toBe('denied');
    expect(kindOf(await move(at('b.txt'), '/etc/b.txt'))).toBe('denied');
    expect(kindOf(await move(at('b.txt'), at('out/b.txt')))).toBe('denied');
    expect(readdirSync(t.folder).sort()).toEqual(['b.txt', 'dir', 'out']);
    expect(readFileSync(at('dir/c.txt'), 'utf8')).toBe('a');
  });

  it('copy to a free name', async () => {
    mkdirSync(at('dir'));
    writeFileSync(at('dir/a.txt'), 'a');
    const copy = (path: string) => call('files.copy', { projectId: project(), path: at(path) });
    expect(await copy('dir/a.txt')).toEqual({ ok: true, value: { path: at('dir/a copy.txt') } });
    expect(await copy('dir/a.txt')).toEqual({ ok: true, value: { path: at('dir/a copy 2.txt') } });
    expect(await copy('dir')).toEqual({ ok: true, value: { path: at('dir copy') } });
    expect(readdirSync(at('dir copy')).sort()).toEqual(['a copy 2.txt', 'a copy.txt', 'a.txt']);
  });

  it.runIf(process.platform === 'linux')(
    'leave no part of a copy for which the disk has no space',
    async () => {
      mkdirSync(at('disk'));
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', at('disk')], { stdio: 'ignore' });
      } catch {
        return TestRunner.getCurrentTest()?.context.skip('Only root may mount a disk of its own.');
      }
      try {
        mkdirSync(at('disk/dir'));
        writeFileSync(at('disk/dir/big'), Buffer.alloc(700_000));
        const copy = (path: string) => call('files.copy', { projectId: project(), path: at(path) });
        expect((await copy('disk/dir/big')).ok).toBe(false);
        expect((await copy('disk/dir')).ok).toBe(false);
        expect(readdirSync(at('disk'), { recursive: true })).toEqual(['dir', 'dir/big']);
      } finally {
        execFileSync('umount', ['--lazy', at('disk')]);
      }
    },
  );

  it.runIf(process.platform === 'linux')('move to the trash and back', async () => {
    mkdirSync(at('dir'));
    writeFileSync(at('dir/a b.txt'), 'a');
    const gone = await call('files.trash', { projectId: project(), paths: [at('dir/a b.txt'), at('dir')] });
    expect(existsSync(at('dir'))).toBe(false);
    const info = readFileSync(at('.data/Trash/info/a b.txt.trashinfo'), 'utf8');
    expect(info).toContain(`Path=${at('dir/a%20b.txt')}\n`);
    if (!gone.ok || gone.value.undo === null) throw new Error('It cannot be taken back.');
    const back = { projectId: project(), undo: gone.value.undo };
    expect(kindOf(await call('files.untrash', back))).toBe('ok');
    expect(readFileSync(at('dir/a b.txt'), 'utf8')).toBe('a');
    expect(kindOf(await call('files.untrash', back))).toBe('not_found');
  });

  it.runIf(process.platform === 'linux')(
    'undo what they moved to the trash, and say what they could not',
    async () => {
      writeFileSync(at('a.txt'), 'a');
      writeFileSync(at('c.txt'), 'c');
      const paths = ['a.txt', 'gone.txt', 'c.txt'].map(at);
      const gone = await call('files.trash', { projectId: project(), paths });
      expect(gone).toMatchObject({
        value: { failed: [{ path: at('gone.txt'), error: { kind: 'not_found' } }] },
      });
      expect(readdirSync(t.folder).filter((name) => name.endsWith('.txt'))).toEqual([]);
      const undo = gone.ok ? (gone.value.undo ?? '') : '';
      expect(kindOf(await call('files.untrash', { projectId: project(), undo }))).toBe('ok');
      expect(readFileSync(at('a.txt'), 'utf8') + readFileSync(at('c.txt'), 'utf8')).toBe('ac');
    },
  );

  it.runIf(process.platform === 'linux')(
    'restore from the trash what they can, and the rest later, never through a link',
    async () => {
      const paths = ['a.txt', 'dir/b.txt', 'c.txt'].map(at);
      mkdirSync(at('dir'));
      for (const path of paths) writeFileSync(path, 'old');
      const gone = await call('files.trash', { projectId: project(), paths });
      if (!gone.ok || gone.value.undo === null) throw new Error('It cannot be restored.');
      const back = { projectId: project(), undo: gone.value.undo };
      const outside = temp('outside');
      rmdirSync(at('dir'));
      symlinkSync(outside, at('dir'));
      writeFileSync(at('c.txt'), 'new');
      expect(kindOf(await call('files.untrash', back))).toBe('conflict');
      expect(readdirSync(outside)).toEqual([]);
      expect([at('a.txt'), at('c.txt')].map((path) => readFileSync(path, 'utf8'))).toEqual(['old', 'new']);
      rmSync(at('dir'));
      rmSync(at('c.txt'));
      expect(kindOf(await call('files.untrash', back))).toBe('ok');
      expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(['old', 'old', 'old']);
    },
  );

  it("are the person's at the top of the folder, too, while a command runs", async () => {
    SlowModel.into(t.host, [[{ name: 'execute', args: { command: 'touch made; sleep 60 # waits' } }]]);
    writeFileSync(at('a.txt'), 'a');
    await t.say('go');
    await t.window.until(isWaiting(1));
    await t.window.allow(0);
    await vi.waitUntil(() => existsSync(at('made')), { timeout: 10_000 });
    expect(await call('files.copy', { projectId: project(), path: at('a.txt') })).toMatchObject({ ok: true });
    const upload = '6f2c1a52-93a6-4c6f-9d55-2f3f9d0c7f13';
    const part = { upload, offset: 0, data: 'YQ==', last: true };
    expect(await call('files.put', { projectId: project(), path: at('d.txt'), ...part })).toMatchObject({
      ok: true,
    });
    await call('thread.stop', { threadId: t.threadId });
    await t.window.until(isIdle);
    const changed = await call('changes.list', { threadId: t.threadId });
    expect(changed.ok && changed.value.files.map(({ path }) => path)).toEqual(['made']);
  });

  it('receive a dropped file in chunks and leave nothing of an incomplete one', async () => {
    const upload = '6f2c1a52-93a6-4c6f-9d55-2f3f9d0c7f11';
    const put = (offset: number, text: string, last: boolean) =>
      call('files.put', {
        projectId: project(),
        path: at('drop/b.bin'),
        upload,
        offset,
        data: Buffer.from(text).toString('base64'),
        last,
      });
    expect(await put(0, 'one ', false)).toEqual({ ok: true, value: { path: null } });
    expect(kindOf(await put(9, 'x', true))).toBe('invalid');
    expect(await put(4, 'two', true)).toEqual({ ok: true, value: { path: at('drop/b.bin') } });
    expect(readdirSync(at('drop'))).toEqual(['b.bin']);
    expect(readFileSync(at('drop/b.bin'), 'utf8')).toBe('one two');
  });

  it('keep nothing of a dropped file that is cancelled', async () => {
    const part = { upload: '6f2c1a52-93a6-4c6f-9d55-2f3f9d0c7f12', offset: 0, data: '', last: false };
    const place = { projectId: project(), path: at('drop/c.bin') };
    await call('files.put', { ...place, ...part, data: Buffer.from('one').toString('base64') });
    expect(readdirSync(at('drop'))).toHaveLength(1);
    expect(await call('files.put', { ...place, ...part, cancel: true })).toEqual({
      ok: true,
      value: { path: null },
    });
    expect(readdirSync(at('drop'))).toEqual([]);
  });

  it('delete what a killed app left of a dropped file at the next drop in its folder', async () => {
    mkdirSync(at('drop'));
    const left = at('drop/.e.bin.4194303-0123456789ab.deepdesk-tmp');
    writeFileSync(left, 'half');
    utimesSync(left, new Date(0), new Date(0));
    const data = Buffer.from('one').toString('base64');
    const part = { upload: '6f2c1a52-93a6-4c6f-9d55-2f3f9d0c7f14', offset: 0, data, last: false };
    const place = { projectId: project(), path: at('drop/e.bin') };
    await call('files.put', { ...place, ...part });
    expect(existsSync(left)).toBe(false);
    expect(readdirSync(at('drop'))).toEqual([expect.stringMatching(/^\.e\.bin\..+\.deepdesk-tmp$/)]);
    await call('files.put', { ...place, ...part, offset: 3, last: true });
    expect(readdirSync(at('drop'))).toEqual(['e.bin']);
  });

  it('keep nothing of a dropped file that has not come whole when the app quits', async () => {
    const part = { upload: '6f2c1a52-93a6-4c6f-9d55-2f3f9d0c7f13', offset: 0, last: false };
    const data = Buffer.from('one').toString('base64');
    await call('files.put', { projectId: project(), path: at('drop/d.bin'), ...part, data });
    expect(readdirSync(at('drop'))).toHaveLength(1);
    await t.host.close();
    expect(readdirSync(at('drop'))).toEqual([]);
  });

  it('save a file with its line endings and report when it changed since', async () => {
    writeFileSync(at('a.txt'), '\uFEFFone\r\ntwo\r\n');
    const place = { projectId: project(), threadId: null, path: at('a.txt') };
    const read = await call('files.text', place);
    if (!read.ok) throw new Error(inEnglish(read.error));
    expect(read.value.text).toBe('one\ntwo\n');
    const save = (text: string, version: string | null) =>
      call('files.save', { projectId: project(), path: at('a.txt'), text, version });
    const saved = await save('one\n2\n', read.value.version);
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('\uFEFFone\r\n2\r\n');
    expect(kindOf(await save('late\n', read.value.version))).toBe('stale');
    if (!saved.ok) throw new Error(inEnglish(saved.error));
    expect(kindOf(await save('again\n', saved.value.version))).toBe('ok');
    expect(kindOf(await save('forced\n', null))).toBe('ok');
  });

  it('read byte ranges and find lines case-insensitively', async () => {
    writeFileSync(at('a.txt'), 'Alpha (x)\nbeta\nALPHA (X)\n');
    const place = { projectId: project(), threadId: null, path: at('a.txt') };
    expect(await call('files.bytes', { ...place, offset: 6, length: 3 })).toEqual({
      ok: true,
      value: { data: Buffer.from('(x)').toString('base64'), size: 25 },
    });
    expect(await call('files.search', { ...place, query: 'alpha (x' })).toEqual({
      ok: true,
      value: { lines: [0, 2], cut: false },
    });
  });

  it('give no address for an image with too many pixels to decode in time, or for its replacement [safety 24]', async () => {
    const png = (width: number) => {
      const bytes = Buffer.alloc(60);
      bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
      bytes.writeUInt32BE(width, 16);
      bytes.writeUInt32BE(20_000, 20);
      return bytes;
    };
    const place = { projectId: project(), threadId: null, path: at('a.jpg') };
    writeFileSync(at('a.jpg'), png(5_001));
    expect(kindOf(await call('files.address', place))).toBe('too_large');
    writeFileSync(at('a.jpg'), png(5_000));
    const answer = await call('files.address', place);
    if (!answer.ok) throw new Error(inEnglish(answer.error));
    const token = answer.value.url.slice('content://file/'.length);
    const opened = await t.host.contentOf(token);
    expect(opened?.size).toBe(60);
    await opened?.close();
    writeFileSync(at('a.jpg'), png(5_001));
    expect(await t.host.contentOf(token)).toBeNull();
  });

  it('show no animation with too many frames and nothing unmeasured [safety 24]', async () => {
    const place = { projectId: project(), threadId: null, path: at('b.png') };
    const answer = async (content: Uint8Array | string) => {
      writeFileSync(at('b.png'), content);
      return kindOf(await call('files.address', place));
    };
    // Over 64 KB: the first bytes do not give the number of frames.
    expect(await answer(gifOf(600, 600, 10_000))).toBe('ok');
    expect(await answer(gifOf(700, 600, 10_000))).toBe('too_large');
    expect(await answer('<svg/>')).toBe('unsupported');
    // JPEG XL, which Chromium may decode one day.
    expect(await answer(Buffer.from([0xff, 0x0a, 0, 0]))).toBe('unsupported');
  });

  it('return pixels of an SVG file, never an address [safety 24]', async () => {
    const url = 'data:image/png;base64,AAAA';
    const answers: unknown[] = [{ url, scale: 2 }, null, { url: 'data:image/svg+xml,x', scale: 1 }];
    const given: string[] = [];
    const drawVectors = async (base64: string) => {
      given.push(Buffer.from(base64, 'base64').toString());
      return answers.shift();
    };
    const own = await setUp({ desktop: { ...testDesktop, drawVectors } });
    const path = join(own.folder, 'a.SVG');
    writeFileSync(path, '<svg/>');
    const place = { projectId: own.projectId, threadId: null, path };
    const address = () => own.window.client.call('files.address', place);
    expect(await address()).toEqual({ ok: true, value: { url, scale: 2, mimeType: 'image/png', size: 6 } });
    expect([kindOf(await address()), kindOf(await address())]).toEqual(['timeout', 'invalid']);
    expect(given).toEqual(['<svg/>', '<svg/>', '<svg/>']);
    writeFileSync(at('a.svg'), '<svg/>');
    expect(kindOf(await call('files.address', { ...place, projectId: project(), path: at('a.svg') }))).toBe(
      'unsupported',
    );
  });

  it('open no link that leads out of the folder', async () => {
    symlinkSync('/etc/passwd', at('link.png'));
    const place = { projectId: project(), threadId: null };
    expect(kindOf(await call('files.bytes', { ...place, path: at('link.png'), offset: 0, length: 9 }))).toBe(
      'denied',
    );
    expect(kindOf(await call('files.address', { ...place, path: at('link.png') }))).toBe('denied');
  });

  it('open only files that are shown and never run, and reveal the rest in their folder [safety 28]', async () => {
    const opened: string[] = [];
    const revealed: string[] = [];
    const desktop = {
      ...testDesktop,
      openPath: async (path: string) => {
        opened.push(path);
        return '';
      },
      reveal: (path: string) => void revealed.push(path),
    };
    const own = await setUp({ desktop });
    const open = async (name: string, mode = 0o644) => {
      const path = join(own.folder, name);
      if (!existsSync(path)) writeFileSync(path, 'x', { mode });
      const answer = await own.window.client.call('files.openOutside', { projectId: own.projectId, path });
      return answer.ok ? answer.value.opened : answer.error.kind;
    };
    for (const name of ['a.pdf', 'b.PNG', 'c.txt', 'd.docx', 'e.mp4', 'f.csv'])
      expect([name, await open(name)]).toEqual([name, true]);
    const shown = opened.length;
    symlinkSync('a.pdf', join(own.folder, 'link.pdf'));
    mkdirSync(join(own.folder, 'folder.pdf'));
    writeFileSync(join(own.folder, 'x.txt'), '#!/bin/sh', { mode: 0o755 });
    const others =
      'go.sh a.desktop a.exe a.jar a.py a.html a.svg a.xls a.docm a.lnk a.url a.command a.msi a.ps1 a.pl a.rb a.scpt a.dmg a.zip a.mobileconfig a.reg a.js a.hta a.AppImage none .pdf a.pdf.exe x.txt link.pdf folder.pdf';
    for (const name of [...others.split(' '), 'a.pdf ', 'a.pdf.'])
      expect([name, await open(name)]).toEqual([name, false]);
    expect(opened).toHaveLength(shown);
    expect(revealed).toHaveLength(others.split(' ').length + 2);
    expect(await open('../outside.txt')).toBe('denied');
  });

  it('find files by parts of their names', async () => {
    mkdirSync(at('src/features'), { recursive: true });
    for (const name of ['src/features/file-viewer.tsx', 'src/features/index.ts', 'viewer.md'])
      writeFileSync(at(name), '');
    utimesSync(at('viewer.md'), 1, 1);
    const find = async (query: string) => {
      for (;;) {
        const found = await call('files.find', { projectId: project(), query, limit: 10 });
        if (!found.ok) throw new Error(inEnglish(found.error));
        if (!found.value.listing) return found.value.matches.map(({ name }) => name);
      }
    };
    expect(await find('viewer')).toEqual(['viewer.md', 'src/features/file-viewer.tsx']);
    expect(await find('fvt')).toEqual(['src/features/file-viewer.tsx']);
    expect(await find('nothing')).toEqual([]);
  });
});
