import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../../base/limited-json';
import { readRegularText } from '../../../base/open-regular';
import { isRefused } from '../../../base/regular-file';
import { replacePrivateFile } from '../../../base/replace-file';
import type { Seen } from '../../../changes/copies';
import { FileState } from '../../../contract/changes';

const Accepted = z.array(z.tuple([z.string(), z.object({ state: FileState, mark: z.string() }).nullable()]));

/** Bytes. */
const MAX_RECORD = 64 * 1024 * 1024;
/** Exists in the folder of a finished copy. */
const READY = 'ready';

/** Where private copies are stored: a folder for each, named after the copy's project. */
export class CopyStore {
  constructor(readonly folder: string) {}

  placeOf(id: string): string {
    return join(this.folder, id);
  }

  layersOf(id: string): string {
    return join(this.placeOf(id), 'layers');
  }

  /** The copy is complete and listed: from now on a start keeps it. */
  async complete(id: string): Promise<void> {
    await replacePrivateFile(join(this.placeOf(id), READY), '');
  }

  /** All folders, and whether their copies are complete. */
  async all(): Promise<{ id: string; isReady: boolean }[]> {
    // The first copy creates it.
    const names = await readdir(this.folder).catch(() => []);
    return Promise.all(
      names.map(async (id) => ({
        id,
        isReady: (await readdir(this.placeOf(id)).catch((): string[] => [])).includes(READY),
      })),
    );
  }

  /** Finishes bring-ins that a kill interrupted, so that all of their changes are in the folder or none. */
  async finishInterrupted(): Promise<void> {
    for (const { id } of await this.all()) await this.finishOne(id);
  }

  /** The same for one copy. A bring-in whose folder is not there stays, to be finished later. */
  async finishOne(id: string): Promise<void> {
    const layers = await readdir(this.layersOf(id)).catch(() => []);
    if (layers.length === 0) return;
    const { isApplying, recoverKeeps, sweep } = await import('../../../harness/sandbox/rehearsal');
    await recoverKeeps(this.layersOf(id));
    const open = await Promise.all(
      layers.map(async (layer) => ((await isApplying(join(this.layersOf(id), layer))) ? [layer] : [])),
    );
    await sweep(this.layersOf(id), new Set(open.flat()));
  }

  /** Remembers the base before a bring-in, to undo it. */
  async saveAccepted(id: string, callId: string, before: readonly [string, Seen | null][]): Promise<void> {
    await replacePrivateFile(this.acceptedOf(id, callId), JSON.stringify(before));
  }

  async accepted(id: string, callId: string): Promise<z.infer<typeof Accepted>> {
    const limits = { root: this.folder, maxBytes: MAX_RECORD };
    const read = await readRegularText(this.acceptedOf(id, callId), limits);
    if (isRefused(read)) return [];
    const parsed = parseJson(read.text, limits);
    const accepted = 'value' in parsed ? Accepted.safeParse(parsed.value) : null;
    return accepted?.data ?? [];
  }

  private acceptedOf(id: string, callId: string): string {
    return join(this.placeOf(id), 'brought', `${callId}.json`);
  }
}
