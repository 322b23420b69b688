import { existsSync, mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { bubblewrap, removeTestFolder } from '../../testing/bubblewrap';
import { canRehearse } from '../index';
import { folderIn } from './options';
import { makeBase, whyNoRehearsal } from './place';

/** Older kernels have no extended attributes there. */
export const whyNoTmpfs = await tmpfsLacks();
async function tmpfsLacks(): Promise<string | null> {
  if (whyNoRehearsal !== null) return whyNoRehearsal;
  if (!existsSync('/dev/shm')) return 'there is no /dev/shm';
  const at = makeBase(realpathSync(mkdtempSync('/dev/shm/deepdesk-layer-')));
  const found = await canRehearse(folderIn(at), join(at, 'data/layers'), bubblewrap);
  removeTestFolder(at);
  return found.available ? null : found.reason;
}
