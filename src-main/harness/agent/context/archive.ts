import type { BaseMessage } from '@langchain/core/messages';
import type { BackendProtocol, WriteOptions } from '../../backends/protocol';
import { transcriptOf } from './transcript';

export const HISTORY_FOLDER = 'conversation_history';

/**
 * Writes messages in full to a new file, `<folder>/<session>/<number>.md`. Earlier files are never rewritten. Returns the
 * path, or null if the file could not be written.
 */
export async function archiveMessages(
  backend: BackendProtocol,
  at: { folder: string; session: string; number: number; time: string },
  messages: readonly BaseMessage[],
  options: WriteOptions = {},
): Promise<string | null> {
  const path = `${at.folder}/${at.session}/${String(at.number).padStart(4, '0')}.md`;
  const text = `# Compacted at ${at.time}\n\n${transcriptOf(messages)}\n`;
  try {
    const written = await backend.write(path, text, options);
    return written.error === undefined ? path : null;
  } catch {
    // A summary without its archive is better than a turn that fails.
    return null;
  }
}
