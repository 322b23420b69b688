import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_PLACE_POLICY, type PlaceInfo, type PlacePolicy } from '../../../contract/places';
import { because } from '../../../contract/shared/reasons';
import { type Part, SlowModel } from '../../testing/slow-model';
import { setUp, temp } from '../../testing/window';

export const ASKS = { sandbox: { kind: null, reason: because('bubblewrap_missing') } } as const;

/** A host with a folder mounted as `/handbook/`, whose model makes the given calls. */
export async function withPlace(
  script: readonly (readonly Part[])[] = [],
  policy: Partial<PlacePolicy> = {},
  more: Parameters<typeof setUp>[0] = {},
) {
  const t = await setUp({ ...ASKS, ...more });
  const place = temp('handbook');
  mkdirSync(join(place, 'guides'));
  writeFileSync(join(place, 'guides/start.md'), 'Begin here.\n');
  const draft = {
    path: '/handbook/',
    options: { kind: 'folder' as const, folder: place },
    projectId: null,
    policy: { ...DEFAULT_PLACE_POLICY, ...policy },
  };
  const { id } = (await t.window.must('places.add', { draft, secret: null })) as { id: string };
  const model = SlowModel.into(t.host, script);
  const list = async () =>
    ((await t.window.must('places.list', { projectId: t.projectId })) as { places: PlaceInfo[] }).places;
  const files = (path: string) =>
    t.window.client.call('files.list', { projectId: t.projectId, threadId: t.threadId, path } as never);
  return { ...t, place, draft, id, model, list, files };
}

export const write = {
  name: 'write_file',
  args: { file_path: '/handbook/guides/new.md', content: 'More.\n' },
};
export const read = { name: 'read_file', args: { file_path: '/handbook/guides/start.md' } };
