import { cp, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from '../../storage';
import type { ProjectRegistry } from './projects';

/**
 * Opens a copy of the sample project, made once for the person. It does not come back after they remove it. `shipped`: the
 * folder of the sample; null: no sample is offered.
 */
export async function openSample(
  shipped: string | null,
  dataDir: string,
  { projects: known }: Storage,
  projects: ProjectRegistry,
): Promise<void> {
  if (shipped === null || known.list().length > 0) return;
  const folder = join(dataDir, 'sample-project');
  if ((await isThere(folder)) || !(await isThere(shipped))) return;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await cp(shipped, folder, { recursive: true });
  await projects.open(folder, true);
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
