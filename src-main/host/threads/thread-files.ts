import { basename } from 'node:path';
import { readRegularText } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';
import type { ExportFormat } from '../../contract/commands/thread';
import type { ThreadState } from '../../contract/conversation';
import type { ProjectId, ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { Storage } from '../../storage';
import type { DesktopServices } from '../window/desktop-services';
import { type SaveParts, saveText } from '../window/save-text';
import { importThread } from './export/import-thread';
import type { OpenThreads } from './live-threads';

/** Asks the person for a file and writes the thread to it. A thread that nobody has open is loaded for this and released. */
export async function exportThread(
  parts: SaveParts,
  threads: OpenThreads,
  threadId: ThreadId,
  format: ExportFormat,
): Promise<Result<{ path: string | null }>> {
  if (!parts.desktop.chooseSaveFile) return fail('unsupported', 'choose_in_window');
  const live = threads.thread(threadId);
  if (!live.ok) return live;
  const { name, text } = await exported(live.value.state, format);
  return saveText(parts, name, () => text);
}

/** Asks the person for a file exported as JSON and creates a new thread from it; null if they cancelled. */
export async function importFile(
  desktop: DesktopServices,
  storage: Storage,
  projectId: ProjectId,
): Promise<Result<ThreadId | null>> {
  if (!desktop.chooseFile) return fail('unsupported', 'choose_in_window');
  const path = await desktop.chooseFile(['json']);
  if (path === null) return ok(null);
  const made = await readThread(path);
  return made.ok ? ok(await importThread(storage, projectId, made.value, basename(path))) : made;
}

async function exported(state: ThreadState, format: ExportFormat): Promise<{ name: string; text: string }> {
  const { fileNameOf, titleOf } = await import('./export/parts');
  const name = (ending: string) => fileNameOf(titleOf(state), ending);
  switch (format) {
    case 'markdown': {
      const { markdownOf } = await import('./export/markdown');
      return { name: name('md'), text: markdownOf(state) };
    }
    case 'html': {
      const { htmlOf } = await import('./export/html');
      return { name: name('html'), text: htmlOf(state) };
    }
    case 'json': {
      const { jsonOf } = await import('./export/json');
      return { name: name('json'), text: jsonOf(state) };
    }
    default:
      return format satisfies never;
  }
}

async function readThread(path: string) {
  const { MAX_IMPORT, readJson } = await import('./export/json');
  const read = await readRegularText(path, { root: null, maxBytes: MAX_IMPORT });
  if (!isRefused(read)) return readJson(read.text);
  return read.refused === 'too_large'
    ? fail('too_large', 'import_too_large', { megabytes: MAX_IMPORT / 1024 ** 2 })
    : fail('not_found', 'file_unreadable', { path }, read.code || read.refused);
}
