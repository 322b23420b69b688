import type { BackendProtocol } from '../../backends/protocol';

/** A file's text; null if there is no file; `error` if it cannot be read as text. */
export type TextFile = { text: string } | { error: string } | null;

/** Reads a whole small text file from any backend. */
export async function readTextFile(backend: BackendProtocol, path: string): Promise<TextFile> {
  const { data, error, kind, note } = await backend.readRaw(path);
  if (data === undefined) return kind === 'not_found' ? null : { error: error ?? 'It could not be read.' };
  const { content } = data;
  const told = note === undefined ? '' : `${note}\n`;
  if (typeof content === 'string') return { text: `${told}${content}` };
  if (Array.isArray(content)) return { text: `${told}${content.join('\n')}` };
  return { error: 'It is not text.' };
}
