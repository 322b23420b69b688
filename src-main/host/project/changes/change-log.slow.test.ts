import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RevertOutcome, RevertScope } from '../../../contract/changes';
import type { Output } from '../../../contract/commands';
import { because } from '../../../contract/shared/reasons';
import type { Host } from '../../host';
import { cleanups, FakeWindow, isIdle, isWaiting, setUp, startHost, temp } from '../../testing/window';

/** A thread in a folder with files, and helpers for the person's actions. */
async function started(files: Record<string, string>, options: Parameters<typeof setUp>[0] = {}) {
  const t = await setUp(options);
  // The last cleanup closes the host, which a test may have closed already.
  cleanups.pop();
  let isOpen = true;
  const close = async () => {
    if (isOpen) await t.host.close();
    isOpen = false;
  };
  cleanups.push(close);
  const at = (path: string) => join(t.folder, path);
  const put = (path: string, text: string) => {
    mkdirSync(join(at(path), '..'), { recursive: true });
    writeFileSync(at(path), text);
  };
  for (const [path, text] of Object.entries(files)) put(path, text);
  const { threadId } = t;
  let { window } = t;
  return {
    ...t,
    close,
    put,
    read: (path: string) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : null),
    /** Sends the text, allows every request and waits for the end of the turn. */
    does: async (text: string) => {
      await window.must('thread.send', { threadId, text });
      for (;;) {
        const state = await window.until((now) => isIdle(now) || isWaiting(1)(now));
        if (isIdle(state)) return;
        await window.allow(0);
        await window.until((now) => now.approvals.length === 0);
      }
    },
    list: async (since?: string) =>
      (await window.must('changes.list', { threadId, since })) as Output<'changes.list'>,
    file: async (path: string, since?: string) =>
      (await window.must('changes.file', { threadId, path, since })) as Output<'changes.file'>,
    revert: async (scope: RevertScope, force = false) =>
      (await window.must('changes.revert', { threadId, scope, force })) as RevertOutcome,
    turn: async (messageId: string) =>
      (await window.must('changes.turn', { threadId, messageId })) as Output<'changes.turn'>,
    lastUserMessage: () => {
      const message = window.state?.messages.findLast(({ role }) => role === 'user');
      if (!message) throw new Error('nothing was said');
      return message.id;
    },
    restarted: async (host: Host) => {
      window = new FakeWindow(host);
      await window.open(threadId);
    },
    state: () => window.state,
  };
}

const NO_SANDBOX = { sandbox: { kind: null, reason: because('bubblewrap_missing') } } as const;

/** Makes a content impossible to keep, as on a full disk, until a folder is in the returned place. */
function withoutRoomFor(dataDir: string, text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  const place = join(temp('place'), 'of-contents');
  symlinkSync(place, join(dataDir, 'changes', 'contents', hash.slice(0, 2)));
  writeFileSync(place, '');
  return place;
}

const done = (files: number): object => ({ status: 'done', files, conflicts: [] });

describe('changes of the agent', () => {
  it('are listed by turn, and undone and restored with it', async () => {
    const t = await started({ 'a.txt': 'one\ntwo\n' });
    await t.does('replace "two" with "2" in a.txt then create b.txt with "b"');
    const first = t.lastUserMessage();
    await t.does('replace "2" with "zwei" in a.txt');
    const second = t.lastUserMessage();
    const told = async (id: string) =>
      (await t.turn(id)).files.map(({ path, change, added, removed, undone }) => [
        path,
        change,
        added,
        removed,
        undone !== null,
      ]);
    expect(await told(first)).toEqual([
      ['a.txt', 'changed', 1, 1, false],
      ['b.txt', 'added', 1, 0, false],
    ]);
    expect(await told(second)).toEqual([['a.txt', 'changed', 1, 1, false]]);

    // The second turn changed the same file, so undoing the first one asks.
    expect(await t.revert({ kind: 'turn', messageId: first as never })).toMatchObject({
      status: 'asks',
      conflicts: [{ path: 'a.txt', reason: 'others' }],
    });
    expect(await t.revert({ kind: 'turn', messageId: second as never })).toMatchObject(done(1));
    expect([t.read('a.txt'), t.read('b.txt')]).toEqual(['one\n2\n', 'b']);
    expect([await told(first), await told(second)].map((files) => files.map((file) => file[4]))).toEqual([
      [false, false],
      [true],
    ]);

    // All turns are undone together, and stay so after a restart.
    expect(await t.revert({ kind: 'thread' })).toMatchObject(done(2));
    await t.close();
    await t.restarted(await startHost(t.dataDir));
    const { files } = await t.turn(first);
    expect(files.map(({ undone }) => undone !== null)).toEqual([true, true]);
    expect((await told(second))[0]?.[4]).toBe(true);
    const [revertId] = new Set(files.map(({ undone }) => undone));
    expect(await t.revert({ kind: 'revert', revertId: revertId ?? '' })).toMatchObject(done(2));
    expect([t.read('a.txt'), t.read('b.txt')]).toEqual(['one\n2\n', 'b']);
    expect((await told(first)).map((file) => file[4])).toEqual([false, false]);
  });

  it('are undone and restored as a whole, however many files a turn changed', async () => {
    const t = await started({ 'a.txt': 'one\n' });
    await t.does('run for i in $(seq 1 130); do echo $i > f$i.txt; done');
    const turn = t.lastUserMessage();
    const told = async () => {
      const { files, more, undo } = await t.turn(turn);
      return { count: files.length + more, done: undo.done, possible: undo.possible };
    };
    expect(await told()).toEqual({ count: 130, done: 0, possible: true });
    expect(await t.revert({ kind: 'turn', messageId: turn as never })).toMatchObject(done(130));
    expect(await told()).toEqual({ count: 130, done: 130, possible: false });
    t.put('f99.txt', 'mine\n');
    await t.list();
    expect(await told()).toEqual({ count: 130, done: 129, possible: true });
    const [revertId = ''] = (await t.turn(turn)).undo.reverts;
    await t.revert({ kind: 'revert', revertId }, true);
    expect(await told()).toEqual({ count: 130, done: 0, possible: true });
    expect(t.read('f98.txt')).toBe('98\n');
  });

  it('are listed with their lines, diff and author', async () => {
    const t = await started({ 'a.txt': 'one\ntwo\n', 'b.txt': 'x\n' });
    await t.does('replace "two" with "2" in a.txt');
    await t.does('run echo y >> b.txt; echo new > c.txt');
    const { files, ready } = await t.list();
    expect(ready).toBe(true);
    expect(
      files.map(({ path, change, added, removed, lost, others }) => [
        path,
        change,
        added,
        removed,
        lost,
        others,
      ]),
    ).toEqual([
      ['a.txt', 'changed', 1, 1, false, false],
      ['b.txt', 'changed', 1, 0, false, false],
      ['c.txt', 'added', 1, 0, false, false],
    ]);
    const { hunks, timeline } = await t.file('a.txt');
    expect(hunks.map(({ lines }) => lines)).toEqual([[' one', '-two', '+2']]);
    expect(timeline.map(({ author, change }) => [author.by === 'agent' && author.tool, change])).toEqual([
      ['edit_file', 'changed'],
    ]);
    expect((await t.file('c.txt')).timeline[0]?.author).toMatchObject({
      by: 'agent',
      tool: 'execute',
      command: 'echo y >> b.txt; echo new > c.txt',
      agent: null,
    });
  });

  it('include files that a command deleted, with undo and redo', async () => {
    const t = await started({ 'src/a.txt': 'one', 'src/deep/b.txt': 'two', 'keep.txt': 'k' });
    await t.does('run rm -r src');
    expect(t.read('src/a.txt')).toBe(null);
    const outcome = await t.revert({ kind: 'thread' });
    expect(outcome).toMatchObject(done(2));
    expect([t.read('src/a.txt'), t.read('src/deep/b.txt')]).toEqual(['one', 'two']);
    expect((await t.list()).files).toEqual([]);
    if (outcome.status !== 'done' || outcome.revertId === null) throw new Error('nothing was done');
    expect(await t.revert({ kind: 'revert', revertId: outcome.revertId })).toMatchObject(done(2));
    expect([t.read('src/a.txt'), existsSync(join(t.folder, 'src'))]).toEqual([null, false]);
    expect((await t.list()).files.map(({ path, change }) => [path, change])).toEqual([
      ['src/a.txt', 'removed'],
      ['src/deep/b.txt', 'removed'],
    ]);
    expect(t.reports).toEqual([]);
  });

  it('move a file back whose content is not kept, but only together with its earlier path', async () => {
    const t = await started({ 'a.txt': 'one' });
    const large = join(t.folder, 'large.bin');
    writeFileSync(large, '');
    truncateSync(large, 6 * 1024 * 1024);
    await t.does('run mkdir new; mv large.bin new/moved.bin; mv a.txt new/b.txt; cp new/moved.bin copy.bin');
    const listed = (await t.list()).files.map(({ path, lost, moved }) => [path, lost, moved]);
    expect(listed).toEqual([
      ['a.txt', false, null],
      ['copy.bin', false, null],
      ['large.bin', false, 'new/moved.bin'],
      ['new/b.txt', false, null],
      ['new/moved.bin', false, 'large.bin'],
    ]);
    expect((await t.file('large.bin')).moved).toBe('new/moved.bin');
    expect(await t.revert({ kind: 'file', path: 'new/moved.bin' })).toMatchObject({
      files: 0,
      conflicts: [{ path: 'new/moved.bin', reason: 'lost' }],
    });
    expect(readdirSync(join(t.folder, 'new')).sort()).toEqual(['b.txt', 'moved.bin']);
    expect(await t.revert({ kind: 'thread' })).toMatchObject({ status: 'done', conflicts: [] });
    expect(t.read('a.txt')).toBe('one');
    expect(readdirSync(t.folder).sort()).toEqual(['a.txt', 'large.bin']);
    expect(statSync(large).size).toBe(6 * 1024 * 1024);
  });

  it('can be reverted to a message, or by file or hunk, without touching the rest', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');
    const t = await started({ 'a.txt': lines, 'b.txt': 'b' });
    await t.does('replace "line 0" with "first" in a.txt');
    const message = t.lastUserMessage();
    await t.does('replace "line 19" with "last" in a.txt');
    const { digest, hunks } = await t.file('a.txt');
    expect(hunks).toHaveLength(2);
    expect(await t.revert({ kind: 'hunk', path: 'a.txt', hunk: 0, digest })).toMatchObject(done(1));
    expect(t.read('a.txt')).toBe(lines.replace('line 19', 'last'));
    const stale = await t.window.client.call('changes.revert', {
      threadId: t.threadId,
      scope: { kind: 'hunk', path: 'a.txt', hunk: 0, digest },
      force: false,
    });
    expect(stale).toMatchObject({ ok: false, error: { kind: 'stale' } });
    await t.does('run echo 2 > b.txt');
    await t.does('run echo 3 > c.txt');
    // The state after the first message was carried out.
    const second = t.state()?.messages.filter(({ role }) => role === 'user')[1]?.id;
    if (!second) throw new Error('no second message');
    await t.revert({ kind: 'file', path: 'a.txt' });
    expect([t.read('a.txt'), t.read('b.txt')]).toEqual([lines, '2\n']);
    await t.revert({ kind: 'message', messageId: second });
    expect([t.read('b.txt'), t.read('c.txt')]).toEqual(['b', null]);
    expect(message).not.toBe(second);
  });

  it('can be listed from a message on, and a file or hunk reverted to that point', async () => {
    // Enough lines to separate the two changes into two hunks.
    const gap = '\n'.repeat(12);
    const t = await started({ 'a.txt': `one\ntwo${gap}end\n`, 'b.txt': 'x\n' });
    await t.does('replace "one" with "1" in a.txt then replace "x" with "y" in b.txt');
    await t.does('replace "two" with "2" in a.txt then replace "end" with "END" in a.txt');
    const since = t.lastUserMessage();
    const shown = async (from?: string) =>
      (await t.list(from)).files.map(({ path, added, removed }) => [path, added, removed]);
    expect(await shown()).toEqual([
      ['a.txt', 3, 3],
      ['b.txt', 1, 1],
    ]);
    expect(await shown(since)).toEqual([['a.txt', 2, 2]]);
    const { hunks, digest } = await t.file('a.txt', since);
    expect(hunks.map(({ lines }) => lines.filter((line) => /^[-+]/.test(line)))).toEqual([
      ['-two', '+2'],
      ['-end', '+END'],
    ]);
    expect(await t.revert({ kind: 'hunk', path: 'a.txt', hunk: 1, digest, since })).toMatchObject(done(1));
    expect(t.read('a.txt')).toBe(`1\n2${gap}end\n`);
    expect(await t.revert({ kind: 'file', path: 'a.txt', since })).toMatchObject(done(1));
    expect(t.read('a.txt')).toBe(`1\ntwo${gap}end\n`);
    expect(await shown(since)).toEqual([]);
    await expect(t.list('gone')).rejects.toThrow('This message is no longer in the thread.');
  });

  it('need confirmation to be undone if the person edited the file since', async () => {
    const t = await started({ 'a.txt': 'one', 'b.txt': 'one' });
    await t.does('run echo two > a.txt; echo two > b.txt');
    t.put('a.txt', 'mine');
    const asked = await t.revert({ kind: 'thread' });
    expect(asked).toEqual({
      status: 'asks',
      files: 2,
      conflicts: [{ path: 'a.txt', reason: 'others', author: { by: 'person' } }],
    });
    expect([t.read('a.txt'), t.read('b.txt')]).toEqual(['mine', 'two\n']);
    expect((await t.list()).files.map(({ path, others }) => [path, others])).toEqual([
      ['a.txt', true],
      ['b.txt', false],
    ]);
    expect((await t.file('a.txt')).timeline.map(({ author }) => author.by)).toEqual(['person', 'agent']);
    const forced = await t.revert({ kind: 'thread' }, true);
    expect(forced).toMatchObject(done(2));
    expect([t.read('a.txt'), t.read('b.txt')]).toEqual(['one', 'one']);
    // The person's text is kept too.
    if (forced.status !== 'done' || forced.revertId === null) throw new Error('nothing was done');
    await t.revert({ kind: 'revert', revertId: forced.revertId });
    expect(t.read('a.txt')).toBe('mine');
  });

  describe.each(['before', 'after'])('when the check %s a command fails', (when) => {
    it('need confirmation to be undone, with what the person changed meanwhile', async () => {
      const t = await started({ 'a.txt': 'one\n' }, NO_SANDBOX);
      await t.does('run true');
      const place = withoutRoomFor(t.dataDir, 'mine\n');
      if (when === 'before') {
        t.put('a.txt', 'mine\n');
        await t.does(`run echo new > b.txt; rm ${place}; mkdir ${place}`);
      } else {
        await t.does('run echo mine > b.txt');
        rmSync(place);
        mkdirSync(place);
        t.put('a.txt', 'mine\n');
      }
      expect((await t.list()).files.map(({ path, others }) => [path, others])).toEqual([
        ['a.txt', true],
        ['b.txt', true],
      ]);
      expect((await t.revert({ kind: 'thread' })).status).toBe('asks');
      expect(t.read('a.txt')).toBe('mine\n');
      expect(t.reports).toEqual([expect.stringContaining('changes: ')]);
      await t.does('run echo two > c.txt');
      expect((await t.file('c.txt')).timeline.map(({ author }) => author.by)).toEqual(['agent']);
    });
  });

  it('are not undone at the next start if an undo failed before it changed anything', async () => {
    const t = await started({ 'a.txt': 'one\n' }, NO_SANDBOX);
    await t.does('run echo two > a.txt');
    const place = withoutRoomFor(t.dataDir, 'mine\n');
    t.put('b.txt', 'mine\n');
    await expect(t.revert({ kind: 'thread' })).rejects.toThrow();
    expect(t.host.storage.fileChanges.openReverts(t.projectId)).toEqual([]);
    expect(t.read('a.txt')).toBe('two\n');
    rmSync(place);
    mkdirSync(place);
    expect((await t.revert({ kind: 'thread' })).status).toBe('done');
    expect([t.read('a.txt'), t.read('b.txt')]).toEqual(['one\n', 'mine\n']);
  });

  it('do not include the files of a folder that went away and came back', async () => {
    const t = await started({ 'a.txt': 'one\n' }, NO_SANDBOX);
    await t.does('run echo two > a.txt');
    const aside = `${t.folder}-aside`;
    cleanups.push(() => rmSync(aside, { recursive: true, force: true }));
    await t.say(`run mv ${t.folder} ${aside}; mkdir ${t.folder}`);
    await t.window.until(isWaiting(1));
    await t.window.allow(0);
    await t.window.until(({ turn }) => turn.phase !== 'running' && turn.phase !== 'waiting');
    rmSync(t.folder, { recursive: true });
    renameSync(aside, t.folder);
    expect((await t.list()).files.map(({ path, change }) => [path, change])).toEqual([['a.txt', 'changed']]);
    expect(await t.revert({ kind: 'thread' })).toMatchObject(done(1));
    expect(t.read('a.txt')).toBe('one\n');
  });

  it('by a sub-agent name that sub-agent', async () => {
    const t = await started({});
    await t.does('delegate: create a.txt with "x"');
    expect((await t.file('a.txt')).timeline[0]?.author).toMatchObject({
      by: 'agent',
      agent: 'general-purpose',
    });
  });

  it('are recorded in files that git ignores if a call names them', async () => {
    const t = await started({ '.gitignore': '.env\ndist/\n', '.env': 'KEY=1', 'dist/x': '1' });
    await t.does('run sed -i s/1/2/ .env && rm -r dist');
    expect(t.read('.env')).toBe('KEY=2');
    expect(await t.revert({ kind: 'thread' })).toMatchObject(done(2));
    expect([t.read('.env'), t.read('dist/x')]).toEqual(['KEY=1', '1']);
  });
});

describe('after a start', () => {
  it('finishes an interrupted revert', async () => {
    const t = await started({ 'a.txt': 'one', 'b.txt': 'one' });
    await t.does('run echo two > a.txt; rm b.txt');
    const rows = t.host.storage.fileChanges.ofThread(t.projectId, t.threadId);
    // The state after a kill following the first of two files.
    t.host.storage.fileChanges.revertBegins(
      {
        id: 'cut',
        projectId: t.projectId,
        threadId: t.threadId,
        steps: rows.map(({ path, before, after }) => ({ path, before: after, after: before })),
      },
      1,
    );
    t.put('a.txt', 'one');
    await t.close();
    const again = await startHost(t.dataDir, t.reports);
    cleanups.push(() => again.close());
    await t.restarted(again);
    expect((await t.list()).files).toEqual([]);
    expect([t.read('a.txt'), t.read('b.txt')]).toEqual(['one', 'one']);
    expect(again.storage.fileChanges.openReverts(t.projectId)).toEqual([]);
    expect(t.reports).toEqual([]);
  });

  it('marks changes of an interrupted command as unclear and asks before undoing them', async () => {
    const t = await started({ 'a.txt': 'one' });
    await t.does('run echo two > a.txt');
    const [row] = t.host.storage.fileChanges.ofThread(t.projectId, t.threadId);
    if (row?.author.by !== 'agent') throw new Error('no change');
    t.host.storage.fileChanges.callBegins(t.projectId, row.author);
    await t.close();
    t.put('a.txt', 'three');
    const again = await startHost(t.dataDir, t.reports);
    cleanups.push(() => again.close());
    await t.restarted(again);
    expect((await t.file('a.txt')).timeline.map(({ author }) => author.by)).toEqual(['unclear', 'agent']);
    expect((await t.revert({ kind: 'thread' })).status).toBe('asks');
    expect(again.storage.fileChanges.openCalls(t.projectId)).toEqual([]);
  });
});
