import type { ErrorKind } from '../../../contract/shared/error-kind';
import { because, type Reason } from '../../../contract/shared/reasons';
import type { BackendProtocol } from '../../backends/protocol';

/** A file's text; null if there is no file; `error` if it cannot be read as text. */
export type TextFile = { text: string } | { error: Reason } | null;

/** A backend's error is written for the model. */
function whyUnreadable(kind: ErrorKind | undefined, error: string | undefined): Reason {
  if (kind === 'binary') return because('is_not_text');
  if (kind === 'too_large') return because('is_too_large');
  if (kind === 'denied') return because('is_denied');
  return error === undefined ? because('cannot_be_read') : because('failed_with', { text: error });
}

/** Reads a whole small text file from any backend. */
export async function readTextFile(backend: BackendProtocol, path: string): Promise<TextFile> {
  const { data, error, kind, note } = await backend.readRaw(path);
  if (data === undefined) {
    if (kind === 'not_found') return null;
    return { error: whyUnreadable(kind, error) };
  }
  const { content } = data;
  const told = note === undefined ? '' : `${note}\n`;
  if (typeof content === 'string') return { text: `${told}${content}` };
  if (Array.isArray(content)) return { text: `${told}${content.join('\n')}` };
  return { error: because('is_not_text') };
}
