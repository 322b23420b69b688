/** Bytes in which a page may name its character set, as in browsers. */
const HEAD = 1_024;

const MARKS = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
] as const;

/**
 * A page's text in the character set that its byte order mark, the server, or the page names; in UTF-8 by default.
 * `isCut`: its last character may be incomplete.
 */
export function decodedPage(bytes: Buffer, type: string, isCut: boolean): string {
  const start = bytes.subarray(0, 3).toString('hex');
  const marked = MARKS.find(([mark]) => start.startsWith(mark))?.[1];
  const named = marked ?? /charset\s*=\s*["']?([\w:-]+)/i.exec(type)?.[1] ?? namedIn(bytes, type) ?? 'utf-8';
  return decoderFor(named).decode(bytes, { stream: isCut });
}

function namedIn(bytes: Buffer, type: string): string | undefined {
  if (!/html|xml/.test(type)) return undefined;
  const head = bytes.subarray(0, HEAD).toString('latin1');
  const name =
    /<meta\s[^>]*charset\s*=\s*["']?\s*([\w:-]+)/i.exec(head)?.[1] ??
    /^<\?xml\s[^>]*encoding\s*=\s*["']([\w:-]+)/i.exec(head)?.[1];
  // What could be read up to here is not UTF-16.
  return name === undefined || /^utf-16/i.test(name) ? undefined : name;
}

function decoderFor(name: string) {
  try {
    return new TextDecoder(name);
  } catch {
    return new TextDecoder();
  }
}
