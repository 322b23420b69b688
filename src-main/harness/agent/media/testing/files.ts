import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

/** A small GIF with any number of pixels and frames. */
export function gifOf(width: number, height: number, frames = 1): Uint8Array {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  const frame = Buffer.concat([Buffer.from('2c00000000', 'hex'), size, Buffer.from('0002024c0100', 'hex')]);
  const all = Array.from({ length: frames }, () => frame);
  return new Uint8Array(
    Buffer.concat([Buffer.from('GIF89a'), size, Buffer.alloc(3), ...all, Buffer.from([0x3b])]),
  );
}

/** A decodable grayscale image: black, or with noise that does not compress. */
export function pngOf(width: number, height: number, noise = false): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const rows = noise ? randomBytes((width + 1) * height) : Buffer.alloc((width + 1) * height);
  // Each row starts with its filter byte: none.
  for (let row = 0; row < height; row++) rows.writeUInt8(0, row * (width + 1));
  const pixels = deflateSync(rows);
  return new Uint8Array(
    Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      chunk('IHDR', header),
      chunk('IDAT', pixels),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  );
}

/** A PDF with one line of text on each page. */
export function pdfOf(pages: readonly string[]): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, i) => {
      const drawing = text === '' ? '' : `BT /F1 12 Tf 72 700 Td (${text}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * i} 0 R >>`,
        `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
      ];
    }),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const at of offsets) text += `${String(at).padStart(10, '0')} 00000 n \n`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

export const zip = (files: Record<string, string | Uint8Array>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        typeof content === 'string' ? strToU8(content) : new Uint8Array(content),
      ]),
    ),
  );

/** A presentation whose slides are in a different order in the archive than on screen. */
export function pptxOf(slides: readonly string[]): Uint8Array {
  const file = (i: number) => `slides/slide${slides.length - i}.xml`;
  return zip({
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships>${slides.map((_, i) => `<Relationship Id="rId${i}" Target="${file(i)}"/>`).join('')}</Relationships>`,
    ...Object.fromEntries(
      slides.map((text, i) => [
        `ppt/${file(i)}`,
        `<p:sld>${text
          .split('\n')
          .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
          .join('')}</p:sld>`,
      ]),
    ),
  });
}

export const docxOf = (paragraphs: readonly string[]): Uint8Array =>
  zip({
    'word/document.xml': `<w:document><w:body>${paragraphs.map((text) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`).join('')}</w:body></w:document>`,
  });

/** `content`: the XML inside the document's text. */
export const odtOf = (content: string): Uint8Array =>
  zip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content><office:body><office:text>${content}</office:text></office:body></office:document-content>`,
  });

export const xlsxOf = (): Uint8Array =>
  zip({
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="Q1 &amp; Q2" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/sharedStrings.xml': '<sst><si><t>Item</t></si><si><r><t>Pri</t></r><r><t>ce</t></r></si></sst>',
    'xl/worksheets/sheet1.xml':
      '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>Tea</t></is></c><c r="B2"/><c r="C2"><f>1+2</f><v>3</v></c></row></sheetData></worksheet>',
  });

/** Audio without speech: 8,000 one-byte samples per second. */
export function wavOf(seconds: number): Uint8Array {
  const data = Buffer.alloc(8_000 * seconds, 128);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8_000, 24);
  header.writeUInt32LE(8_000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(data.length, 40);
  return new Uint8Array(Buffer.concat([header, data]));
}
