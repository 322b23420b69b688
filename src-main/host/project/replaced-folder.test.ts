import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, TestRunner, vi } from 'vitest';
import type { Project } from '../../contract/app';
import type { ThreadState } from '../../contract/conversation';
import type { ThreadId } from '../../contract/ids';
import { because } from '../../contract/shared/reasons';
import { SlowModel } from '../testing/slow-model';
import { cleanups, FakeWindow, isIdle, isWaiting, setUp, startHost, temp } from '../testing/window';

vi.setConfig({ testTimeout: 60_000 });
const NO_SANDBOX = { sandbox: { kind: null, reason: because('bubblewrap_missing') } } as const;

/** Moves the folder aside and puts something else in its place. */
const REPLACED: [string, (folder: string, other: string) => void][] = [
  ['a link to another folder', (folder, other) => symlinkSync(other, folder)],
  ['another folder', (folder) => mkdirSync(folder)],
  ['a file', (folder) => writeFileSync(folder, 'x')],
];
const isOver = ({ turn, messages }: ThreadState) => turn.phase !== 'running' && messages.length > 1;

describe.runIf(process.platform !== 'win32')('a project folder that was replaced', () => {
  it.each(REPLACED)(
    'by %s is never written, whatever was allowed, and the person is told [safety 21]',
    async (_what, replace) => {
      const t = await setUp(NO_SANDBOX);
      const other = temp('other');
      SlowModel.into(t.host, [
        [
          { name: 'write_file', args: { file_path: `${t.folder}/a.txt`, content: 'x' } },
          { name: 'execute', args: { command: 'touch made' } },
        ],
      ]);
      await t.window.must('app.open', {});
      await t.say('go');
      await t.window.until(isWaiting(2));
      renameSync(t.folder, `${t.folder}-aside`);
      cleanups.push(() => rmSync(`${t.folder}-aside`, { recursive: true, force: true }));
      replace(t.folder, other);
      await t.window.decide(0, { type: 'approve' });
      await t.window.until(({ turn }) => turn.phase === 'interrupted');
      expect(readdirSync(other)).toEqual([]);
      expect(existsSync(join(t.folder, 'a.txt')) || existsSync(join(t.folder, 'made'))).toBe(false);
      const [project] = t.window.events.flatMap((event): Project[] =>
        event.type === 'project.changed' && event.project.missing ? [event.project] : [],
      );
      expect(project).toMatchObject({ missing: true, replaced: true });
      expect(JSON.stringify(t.window.state?.messages)).toContain('project_folder_replaced');

      rmSync(t.folder, { recursive: true });
      renameSync(`${t.folder}-aside`, t.folder);
      expect(await t.window.must('project.look', { projectId: t.projectId })).toMatchObject({
        missing: false,
      });
    },
  );

  it('is not read, in a turn started before it or after it [safety 21]', async () => {
    const t = await setUp(NO_SANDBOX);
    const other = temp('other');
    writeFileSync(join(other, 'secret.txt'), 'hunter2');
    const read = { name: 'read_file', args: { file_path: `${t.folder}/secret.txt` } };
    SlowModel.into(t.host, [['hello'], [read], [read]]);
    await t.say('hello');
    await t.window.until(isIdle);
    rmSync(t.folder, { recursive: true });
    symlinkSync(other, t.folder);
    await t.say('read it');
    await t.window.until(isOver);
    expect(t.window.state?.turn.phase).toBe('interrupted');
    expect(JSON.stringify(t.window.state?.messages)).not.toContain('hunter2');
  });

  it('while Deepdesk was closed is not touched either, and works after the person chooses it [safety 21]', async () => {
    const t = await setUp(NO_SANDBOX);
    await t.window.must('project.look', { projectId: t.projectId });
    await t.host.close();
    t.host.close = async () => undefined;
    renameSync(t.folder, `${t.folder}-aside`);
    cleanups.push(() => rmSync(`${t.folder}-aside`, { recursive: true, force: true }));
    mkdirSync(t.folder);
    const host = await startHost(t.dataDir, [], NO_SANDBOX);
    cleanups.push(() => host.close());
    const window = new FakeWindow(host);
    const look = (): Promise<Project> => window.must('project.look', { projectId: t.projectId });
    expect(await look()).toMatchObject({ missing: true, replaced: true });
    expect(await host.projects.reattach(t.projectId, t.folder)).toMatchObject({ ok: true });
    expect(await look()).toMatchObject({ missing: false, replaced: false });
  });
});

/** Mounts a folder at another place; false if only root may. */
function mountAt(folder: string, place: string): boolean {
  try {
    execFileSync('mount', ['--bind', folder, place], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe.runIf(process.platform === 'linux')('a project folder on a disk that is unmounted', () => {
  it.each(['', 'below'])(
    'is not created at the old path, and work continues when it is mounted again (folder “%s” of the disk)',
    async (below) => {
      const [disk, place] = [temp('disk'), temp('place')];
      const [folder, original] = [join(place, below), join(disk, below)];
      mkdirSync(original, { recursive: true });
      const context = TestRunner.getCurrentTest()?.context;
      if (!mountAt(disk, place)) return context?.skip('Only root may mount a disk of its own.');
      const unmount = () => execFileSync('umount', ['--lazy', place]);
      let isMounted = true;
      cleanups.push(() => isMounted && unmount());
      const t = await setUp(NO_SANDBOX);
      const project = await t.host.projects.open(folder);
      if (!project.ok) throw new Error('the folder does not open');
      const projectId = project.value.id;
      const thread: { id: ThreadId } = await t.window.must('thread.create', { projectId });
      const other: { id: ThreadId } = { id: t.threadId };
      await t.window.open(thread.id);
      const write = { name: 'write_file', args: { file_path: `${folder}/a.txt`, content: 'x' } };
      SlowModel.into(t.host, [[write], ['the other thread works'], ['done']]);
      await t.window.must('thread.send', { threadId: thread.id, text: 'go' });
      await t.window.until(isWaiting(1));
      unmount();
      isMounted = false;
      await t.window.decide(0, { type: 'approve' });
      await t.window.until(({ turn }) => turn.phase === 'interrupted');
      expect(readdirSync(place)).toEqual([]);
      expect(await t.window.must('project.look', { projectId })).toMatchObject({ missing: true });

      await t.window.open(other.id);
      await t.window.must('thread.send', { threadId: other.id, text: 'hello' });
      await t.window.until(isIdle);
      expect(t.window.lastAnswer).toBe('the other thread works');

      isMounted = mountAt(disk, place);
      expect(await t.window.must('project.look', { projectId })).toMatchObject({ missing: false });
      await t.window.open(thread.id);
      await t.window.must('thread.retry', { threadId: thread.id });
      await t.window.until(isWaiting(1));
      await t.window.allow(0);
      await t.window.until(isIdle);
      expect(readdirSync(original)).toEqual(['a.txt']);
    },
  );
});

/** Mounts the file system in a file; false if only root may, or if there are no tools for it. */
function mountImage(image: string, place: string): boolean {
  try {
    execFileSync('mount', ['-o', 'loop', image, place], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A file with a small file system that was made at that time (seconds since 1970). */
function newImage(madeAt: number): string {
  const image = join(temp('image'), 'disk');
  writeFileSync(image, '');
  truncateSync(image, 4 * 1024 * 1024);
  execFileSync('sh', ['-c', 'mke2fs -q "$0" || true', image], {
    stdio: 'ignore',
    env: { ...process.env, E2FSPROGS_FAKE_TIME: String(madeAt) },
  });
  return image;
}

it.runIf(process.platform === 'linux')(
  'knows a disk that comes back under another device number, and no other disk in its place',
  async () => {
    const [image, other, third] = [newImage(1e9), newImage(2e9), newImage(3e9)];
    const [place, elsewhere] = [temp('place'), temp('elsewhere')];
    const context = TestRunner.getCurrentTest()?.context;
    if (!mountImage(image, place)) return context?.skip('Only root may mount a disk of its own.');
    cleanups.push(() => {
      for (const one of [place, elsewhere])
        try {
          execFileSync('umount', ['--lazy', one], { stdio: 'ignore' });
        } catch {
          // Nothing is mounted there.
        }
    });
    const t = await setUp(NO_SANDBOX);
    const project = await t.host.projects.open(place);
    if (!project.ok) throw new Error('the folder does not open');
    const look = () => t.window.must('project.look', { projectId: project.value.id });
    expect(await look()).toMatchObject({ missing: false });
    const { dev: number, ino } = statSync(place);
    execFileSync('umount', [place]);
    expect(await look()).toMatchObject({ missing: true });
    /** Mounts it under another number than the first time: if it gets that one, another disk takes it first. */
    const mountAgain = (disk: string) => {
      expect(mountImage(disk, place)).toBe(true);
      if (statSync(place).dev !== number) return;
      execFileSync('umount', [place]);
      expect(mountImage(third, elsewhere)).toBe(true);
      expect(mountImage(disk, place)).toBe(true);
      expect(statSync(place).dev).not.toBe(number);
    };
    mountAgain(image);
    expect(await look()).toMatchObject({ missing: false, replaced: false });

    execFileSync('umount', [place]);
    mountAgain(other);
    expect(statSync(place).ino).toBe(ino);
    expect(await look()).toMatchObject({ missing: true, replaced: true });
  },
);
