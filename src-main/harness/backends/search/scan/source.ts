import { readSync } from 'node:fs';

/** Bytes decoded at a time. */
const BLOCK = 64 * 1024;

/** Reads the next bytes into `buffer` from `at` on. Returns 0 at the end. */
export type Source = (buffer: Buffer, at: number, position: number) => number;

export const fileSource =
  (fd: number): Source =>
  (buffer, at, position) =>
    readSync(fd, buffer, at, buffer.length - at, position);

export function textSource(text: string): Source {
  const bytes = Buffer.from(text);
  return (buffer, at, position) => bytes.copy(buffer, at, position);
}

/** The encoding of a byte order mark, if it is not UTF-8. */
export function wideEncoding(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

/** The same text in UTF-8. */
export function decodedSource(source: Source, encoding: string): Source {
  const decoder = new TextDecoder(encoding);
  const raw = Buffer.alloc(BLOCK);
  let consumed = 0;
  let ready = Buffer.alloc(0);
  let ended = false;
  return (buffer, at) => {
    while (ready.length === 0 && !ended) {
      const got = source(raw, 0, consumed);
      consumed += got;
      ended = got === 0;
      ready = Buffer.from(decoder.decode(raw.subarray(0, got), { stream: !ended }));
    }
    const taken = ready.copy(buffer, at);
    ready = ready.subarray(taken);
    return taken;
  };
}
