import type { ProjectId } from '@contract/ids';
import { MAX_PART } from '@contract/limits';
import type { Answer } from '@contract/result';
import { call } from '../../link';

/** A dropped file, and its destination below the folder that it was dropped on. */
export interface Dropped {
  name: string;
  file: File;
}

/** Maximum number of files per drop; the file manager is better for more. */
export const MAX_FILES = 5_000;

/**
 * The dropped files, including everything in dropped folders, but not many more than `MAX_FILES`. Call it inside the drop event: the
 * system clears the list afterwards. Rejects if a folder cannot be read.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<Dropped[]> {
  const entries = [...transfer.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    return entry === null ? [] : [entry];
  });
  const files: Dropped[] =
    entries.length === 0 ? [...transfer.files].map((file) => ({ name: file.name, file })) : [];
  const queue = entries.map((entry) => ({ entry, name: entry.name }));
  for (let next = queue.shift(); next !== undefined && files.length <= MAX_FILES; next = queue.shift()) {
    const { entry, name } = next;
    if (isFile(entry))
      files.push({ name, file: await new Promise<File>((...settle) => entry.file(...settle)) });
    else if (isFolder(entry)) {
      const reader = entry.createReader();
      // Each call returns some entries, and none at the end.
      for (;;) {
        const some = await new Promise<FileSystemEntry[]>((...settle) => reader.readEntries(...settle));
        if (some.length === 0) break;
        queue.push(...some.map((inner) => ({ entry: inner, name: `${name}/${inner.name}` })));
      }
    }
  }
  return files;
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/**
 * Copies a dropped file into the folder in parts; never overwrites a file. Returns its path there; null if it was stopped, which leaves
 * nothing behind. Rejects if the file cannot be read.
 */
export async function putFile(
  projectId: ProjectId,
  folder: string,
  { name, file }: Dropped,
  signal: AbortSignal,
): Promise<Answer<{ path: string | null }>> {
  const upload = crypto.randomUUID();
  const path = `${folder}/${name}`;
  const send = (part: { offset: number; data: string; last: boolean; cancel?: true }) =>
    call('files.put', { projectId, path, upload, ...part });
  for (let offset = 0; ; offset += MAX_PART) {
    const cancelled = () => send({ offset, data: '', last: false, cancel: true });
    if (signal.aborted) return cancelled();
    const data = await base64(file.slice(offset, offset + MAX_PART)).catch(async (error: unknown) => {
      await cancelled();
      throw error;
    });
    const last = offset + MAX_PART >= file.size;
    const result = await send({ offset, data, last });
    if (!result.ok || last) return result;
  }
}

function base64(part: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/u, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(part);
  });
}
