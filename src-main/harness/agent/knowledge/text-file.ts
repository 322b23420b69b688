import type { BackendProtocol } from '../../backends/protocol';

/** A file's text; null where there is none; `error` where there is one that cannot be read as text. */
export type TextFile = { text: string } | { error: string } | null;

/** Reads a small text file whole, from whatever backend. */
export async function readTextFile(backend: BackendProtocol, path: string): Promise<TextFile> {
  const { data, error, kind, note } = await backend.readRaw(path);
  if (data === undefined) return kind === 'not_found' ? null : { error: error ?? 'It could not be read.' };
  const { content } = data;
  const told = note === undefined ? '' : `${note}\n`;
  if (typeof content === 'string') return { text: `${told}${content}` };
  if (Array.isArray(content)) return { text: `${told}${content.join('\n')}` };
  return { error: 'It is not text.' };
}
