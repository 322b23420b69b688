import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseJson } from '../../../base/limited-json';
import { readRegularText } from '../../../base/open-regular';
import { isRefused } from '../../../base/regular-file';
import { removeParts, replacePrivateFile } from '../../../base/replace-file';
import type { Outcome } from '../../../contract/outcome';
import type { RecoveredKeep } from '../../../harness/sandbox/rehearsal';

/** Bytes. */
const MAX_RECORD = 64 * 1024 * 1024;

/** The changes of a command that are now in the folder. */
export interface KeptPaths {
  paths: string[];
  /** Nothing was left out. */
  isAll: boolean;
  /** Number of files and links among them. */
  files?: number;
}

/** Stored beside a layer until the person decides on it. */
export interface LayerRecord {
  outcome: Outcome;
  /** The command's output as the model gets it. */
  result: { content: string; exitCode: number | null };
  /** The changes that were kept; the decision is made. */
  kept?: KeptPaths;
}

/** One file per call whose layer waits for a decision. */
export class LayerRecords {
  constructor(private readonly folder: string) {}

  write(threadId: string, callId: string, record: LayerRecord): Promise<void> {
    return replacePrivateFile(this.fileOf(threadId, callId), JSON.stringify(record));
  }

  /** Null if there is none. */
  read(threadId: string, callId: string): Promise<LayerRecord | null> {
    return readRecord(this.fileOf(threadId, callId));
  }

  async remove(threadId: string, callId: string): Promise<void> {
    await rm(this.fileOf(threadId, callId), { force: true });
  }

  /** Deletes all records except those of these layers. */
  async sweep(layers: ReadonlySet<string>): Promise<void> {
    await removeParts(this.folder);
    for (const file of await this.files()) {
      const record = await readRecord(file);
      if (record === null || !layers.has(record.outcome.layer)) await rm(file, { force: true });
    }
  }

  /** Records the results of interrupted keeps after a restart. */
  async recovered(keeps: readonly RecoveredKeep[]): Promise<void> {
    const finished = keeps.filter(({ outcome }) => outcome === 'finished');
    for (const file of finished.length === 0 ? [] : await this.files()) {
      const record = await readRecord(file);
      const keep = finished.find(({ layer }) => layer === record?.outcome.layer);
      if (record === null || keep === undefined || record.kept !== undefined) continue;
      await replacePrivateFile(file, JSON.stringify({ ...record, kept: { paths: keep.kept, isAll: false } }));
    }
  }

  private async files(): Promise<string[]> {
    // The first record creates it.
    const names = await readdir(this.folder).catch(() => []);
    return names.filter((name) => !name.startsWith('.')).map((name) => join(this.folder, name));
  }

  private fileOf(threadId: string, callId: string): string {
    const name = createHash('sha256').update(`${threadId}\n${callId}`).digest('hex').slice(0, 40);
    return join(this.folder, `${name}.json`);
  }
}

/** Null if there is none, or only the remains of a power cut. */
async function readRecord(file: string): Promise<LayerRecord | null> {
  const limits = { root: dirname(file), maxBytes: MAX_RECORD };
  const read = await readRegularText(file, limits);
  if (isRefused(read)) return null;
  const parsed = parseJson(read.text, limits);
  return 'value' in parsed ? (parsed.value as LayerRecord) : null;
}
