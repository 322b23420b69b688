import { type Copied, Copier, type CopyOptions } from './copier';
import { ownRepositories } from './own-repositories';

/**
 * Copies a folder with links, modes and times, and records its state as the base. Shares the content where the file system
 * can. Its repositories are its own. Rejects with the signal's reason, or with the system's error if the disk is full; the
 * caller removes the rest.
 */
export async function makeCopy(options: CopyOptions): Promise<Copied> {
  const copier = new Copier(options);
  await copier.run();
  await ownRepositories(copier, options);
  return copier.done;
}
