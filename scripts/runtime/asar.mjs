// Writes asar archives, the format of Electron's own default app.

/**
 * An archive of text files in one folder.
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
  // Chromium pickles: the size of the size, then the header size outside and inside its own size field.
  const head = Buffer.alloc(16 + padded);
  head.writeUInt32LE(4, 0);
  head.writeUInt32LE(8 + padded, 4);
  head.writeUInt32LE(4 + padded, 8);
  head.writeUInt32LE(json.length, 12);
  json.copy(head, 16);
  return Buffer.concat([head, ...bodies.map(({ body }) => body)]);
}
