import { access } from 'node:fs/promises';
import type { PlaceId } from '../../contract/ids';
import type { PlaceDraft } from '../../contract/places';
import { fail, ok, type Result } from '../../contract/result';
import type { Storage } from '../../storage';
import { mountOfPlace, wrongGlob } from './place-policy';

/** The names of the app's own mounts. `workspace` is the folder on Windows. */
export const RESERVED = ['memories', 'skills', 'command_output', 'attachments', 'workspace'];

/** Errors: `conflict` if the path is taken, `invalid` if the draft cannot be used. */
export async function validatePlace(
  storage: Pick<Storage, 'projects' | 'places'>,
  draft: PlaceDraft,
  id: PlaceId | null,
): Promise<Result<object>> {
  const [name = ''] = mountOfPlace(draft).slice(1).split('/');
  const isOfProject = storage.projects.list().some(({ mount }) => mount.split('/')[1] === name);
  // A folder of this machine that commands would find under the same path.
  const isOnDisk = await access(mountOfPlace(draft)).then(
    () => true,
    () => false,
  );
  if (RESERVED.includes(name.toLowerCase()) || isOfProject || isOnDisk)
    return fail('conflict', 'place_path_reserved', { path: draft.path });
  const taken = storage.places
    .list()
    .some(
      (one) =>
        one.id !== id &&
        one.path.toLowerCase() === draft.path.toLowerCase() &&
        (one.projectId === null || draft.projectId === null || one.projectId === draft.projectId),
    );
  if (taken) return fail('conflict', 'place_path_taken', { path: draft.path });
  const glob = wrongGlob(draft.policy);
  return glob === null ? ok({}) : fail('invalid', 'place_rule_wrong', { glob });
}
