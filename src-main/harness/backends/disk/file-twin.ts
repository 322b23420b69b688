import { readdir } from 'node:fs/promises';
import { textOfLatin1 } from '../../../base/path-names';
import { type Failure, failure, isFailure, systemCode } from '../failure';
import { asDirectory, type CheckedPath } from '../paths';
import type { RootGuard } from './guard';

/** Maximum names of a directory that are compared to find one that looks like a missing name. */
const TWIN_SEARCH = 5_000;

/** Suggests a file that differs from a missing one only in case or in how accents are written. */
export async function withTwin(guard: RootGuard, missing: Failure, at: CheckedPath): Promise<Failure> {
  const fold = (name: string) => name.normalize('NFC').toLowerCase();
  const wanted = at.segments.at(-1) ?? '';
  const folder = `/${at.segments.slice(0, -1).join('/')}`;
  const held = await guard.openDirectory({ path: folder, segments: at.segments.slice(0, -1) });
  if (isFailure(held)) return missing;
  try {
    const names = (await readdir(held.path, 'latin1')).map(textOfLatin1);
    const twin = names.slice(0, TWIN_SEARCH).find((name) => name !== wanted && fold(name) === fold(wanted));
    if (twin === undefined) return missing;
    return failure(
      'not_found',
      `${missing.error}. There is '${asDirectory(folder)}${twin}', whose name is encoded differently.`,
    );
  } catch (thrown) {
    if (systemCode(thrown) === '') throw thrown;
    return missing;
  } finally {
    await held.close();
  }
}
