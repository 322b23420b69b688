// Writes asar archives, the format Electron loads its own default app from.

/**
 * An archive of text files that lie side by side, without folders.
 * @param {Record<string, string>} files text by name
 */
export function asar(files) {
  /** @type {Record<string, { size: number, offset: string }>} */
  const index = {};
  const bodies = Object.entries(files).map(([name, text]) => ({ name, body: Buffer.from(text) }));
  let offset = 0;
  for (const { name, body } of bodies) {
    index[name] = { size: body.length, offset: String(offset) };
    offset += body.length;
  }
  const json = Buffer.from(JSON.stringify({ files: index }));
  const padded = Math.ceil(json.length / 4) * 4;
  // Chromium pickles: the length of the length, then the header's length outside and inside its own length field.
  const head = Buffer.alloc(16 + padded);
  head.writeUInt32LE(4, 0);
  head.writeUInt32LE(8 + padded, 4);
  head.writeUInt32LE(4 + padded, 8);
  head.writeUInt32LE(json.length, 12);
  json.copy(head, 16);
  return Buffer.concat([head, ...bodies.map(({ body }) => body)]);
}
