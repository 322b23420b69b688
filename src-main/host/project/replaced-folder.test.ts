import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Project } from '../../contract/app';
import type { ThreadState } from '../../contract/conversation';
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
