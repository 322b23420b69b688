import { expect, it } from 'vitest';
import type { Project } from '../../contract/app';
import type { AppEvent } from '../../contract/events';
import { PlaceId, ProjectId } from '../../contract/ids';
import { DEFAULT_PLACE_POLICY, type Place } from '../../contract/places';
import { fail, ok } from '../../contract/result';
import { RemoteTree } from '../../harness/backends/remote/remote-tree';
import { PlaceFiles } from './place-files';

const place = (name: string): Place => ({
  id: PlaceId.parse(name),
  path: `/${name}/`,
  projectId: null,
  createdAt: 0,
  policy: DEFAULT_PLACE_POLICY,
  options: { kind: 'ssh', host: name, folder: '/srv', hostKeys: [] },
});

function setUp(answer: () => string) {
  const events: AppEvent[] = [];
  const stale: string[] = [];
  const tree = new RemoteTree(async () => ({ output: `\n${answer()}//\n` }), '/srv');
  const places = [place('server'), place('other'), place('gone')];
  const files = new PlaceFiles(
    {
      at: (_, path) => {
        const found = places.find((one) => path.startsWith(one.path) || `${path}/` === one.path);
        return found === undefined ? null : { place: found, inner: path.slice(found.path.length - 1) || '/' };
      },
      treeAt: async (id) =>
        id === 'gone' ? fail('network', 'place_unreachable', { host: 'gone' }) : ok(tree),
      names: { changed: (id: string) => stale.push(id) } as never,
    },
    { app: (event: AppEvent) => events.push(event) } as never,
  );
  const project = { id: ProjectId.parse('p') } as Project;
  return { files, project, events, stale };
}

it("tells the window what the person changed in a place, and keeps a deletion's undo until it worked", async () => {
  let answer = 'done';
  const { files, project, events, stale } = setUp(() => answer);
  expect(files.has(project, '/server/a')).toBe(true);
  expect(files.has(project, '/home/a')).toBe(false);
  expect(await files.create(project, '/server/docs/a.md', 'file')).toEqual(ok({}));
  expect(events).toEqual([
    {
      type: 'files.changed',
      projectId: 'p',
      directories: ['/server/docs'],
      files: ['/server/docs/a.md'],
      all: false,
    },
  ]);
  expect(stale).toEqual(['server']);
  const trashed = await files.trash(project, ['/server/docs/a.md']);
  const undo = trashed.ok ? (trashed.value.undo ?? '') : '';
  answer = 'exists';
  expect(await files.untrash(project, undo)).toMatchObject({ error: { code: 'file_exists' } });
  answer = 'done';
  expect(await files.untrash(project, undo)).toEqual(ok({}));
  expect(await files.untrash(project, undo)).toBeNull();
});

it('says why it does nothing', async () => {
  const { files, project, events } = setUp(() => 'notrash');
  const code = async (work: Promise<{ ok: boolean }>) => {
    const result = await work;
    return 'error' in result ? (result.error as { code: string }).code : 'ok';
  };
  expect(await code(files.trash(project, ['/server/a']))).toBe('place_no_trash');
  expect(await code(files.create(project, '/gone/a', 'file'))).toBe('place_unreachable');
  expect(await code(files.move(project, '/server/a', '/other/a'))).toBe('place_other');
  expect(await code(files.move(project, '/server/a', '/home/a'))).toBe('place_other');
  expect(await code(files.move(project, '/server/a', '/server/a/b'))).toBe('move_into_itself');
  expect(await code(files.trash(project, ['/server']))).toBe('project_folder_itself');
  expect(events).toHaveLength(1);
});

it('keeps the undo of what a deletion moved before it failed, and asks a lost machine only once', async () => {
  let answers = ['done', 'failed', 'done'];
  const { files, project } = setUp(() => answers.shift() ?? 'done');
  const trashed = await files.trash(project, ['/server/a', '/server/b', '/server/c', '/gone/d', '/gone/e']);
  expect(trashed).toMatchObject({
    value: {
      failed: [
        { path: '/server/b', error: { code: 'file_denied' } },
        { path: '/gone/d', error: { code: 'place_unreachable' } },
        { path: '/gone/e', error: { code: 'place_unreachable' } },
      ],
    },
  });
  const undo = trashed.ok ? (trashed.value.undo ?? '') : '';
  answers = ['exists', 'done'];
  expect(await files.untrash(project, undo)).toMatchObject({ error: { code: 'file_exists' } });
  expect(answers).toEqual([]);
  answers = ['done'];
  expect(await files.untrash(project, undo)).toEqual(ok({}));
  expect(answers).toEqual([]);
});
