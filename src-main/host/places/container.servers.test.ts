import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Project } from '../../contract/app';
import { because } from '../../contract/shared/reasons';
import { ContainerTransport } from '../../harness/backends/container/container-transport';
import { RemoteBackend } from '../../harness/backends/remote/remote-backend';
import { startContainer, type TestContainer } from '../../harness/backends/testing/container';
import { type Part, SlowModel } from '../testing/slow-model';
import { isIdle, isWaiting, setUp } from '../testing/window';

const started = startContainer();
const why = typeof started === 'string' ? ` (skipped: ${started})` : '';
const box = started as TestContainer;
afterAll(() => {
  if (typeof started !== 'string') started.stop();
});

/** A look into the container takes a while on a busy machine. */
const LOOKING = { timeout: 20_000 };
/** Each call starts a program of the engine. */
const CALLS = 120_000;
let count = 0;

async function inContainer(script: readonly (readonly Part[])[]) {
  const t = await setUp({ sandbox: { kind: null, reason: because('bubblewrap_missing') }, layers: null });
  const name = `notes-${count++}`;
  mkdirSync(join(box.folder, name));
  writeFileSync(join(box.folder, name, 'start.md'), 'Begin here.\n');
  const { engine, container } = box;
  const options = { kind: 'container' as const, engine, container, folder: `/work/${name}` };
  const { project } = (await t.window.must('places.openProject', { options, secret: null })) as {
    project: Project;
  };
  const thread: { id: typeof t.threadId } = await t.window.must('thread.create', { projectId: project.id });
  await t.window.open(thread.id);
  SlowModel.into(t.host, script);
  const say = (text: string) => t.window.must('thread.send', { threadId: thread.id, text });
  return { ...t, project, threadId: thread.id, say, file: join(box.folder, name, 'start.md') };
}

const backend = () => new RemoteBackend(new ContainerTransport(box), { root: '/work' });

describe.skipIf(why !== '')(`A folder in a container as the project${why}`, () => {
  it(
    'has files, commands in a terminal, and an undo',
    async () => {
      const path = `/work/notes-${count}/start.md`;
      const t = await inContainer([
        [{ name: 'read_file', args: { file_path: path } }],
        [{ name: 'edit_file', args: { file_path: path, old_string: 'Begin', new_string: 'Start' } }],
        [{ name: 'execute', args: { command: 'pwd; cat start.md; test -t 1 && echo terminal' } }],
        ['Done.'],
      ]);
      await t.say(`read ${path}`);
      await t.window.until(isWaiting(1));
      await t.window.allow(0);
      await t.window.until((state) => isWaiting(1)(state) && state.approvals[0]?.tool === 'execute');
      expect(t.window.state?.approvals[0]?.preview).toMatchObject({ machine: box.container });
      await t.window.allow(0);
      await t.window.until(isIdle);
      expect(t.window.calls[2]?.result).toContain('Start here.\nterminal');
      await t.window.must('changes.revert', {
        threadId: t.threadId,
        scope: { kind: 'thread' },
        force: false,
      });
      expect(readFileSync(t.file, 'utf8')).toBe('Begin here.\n');
    },
    CALLS,
  );

  it(
    'leaves no process behind when a command is stopped',
    async () => {
      const sleeping = () => box.processes().filter((one) => /^sleep 432\d$/.test(one));
      const stop = new AbortController();
      const running = backend().execute('sleep 4321 & sleep 4322', { signal: stop.signal });
      await expect.poll(() => sleeping().length, LOOKING).toBe(2);
      stop.abort(new Error('stopped'));
      await expect(running).rejects.toThrow('stopped');
      await expect.poll(sleeping, LOOKING).toEqual([]);
    },
    CALLS,
  );

  it('says that a container is not running, and works again later', async () => {
    box.pause();
    try {
      expect(await backend().ls('/')).toMatchObject({ kind: 'network' });
    } finally {
      box.goOn();
    }
    expect((await backend().ls('/')).error).toBeUndefined();
  });
});
