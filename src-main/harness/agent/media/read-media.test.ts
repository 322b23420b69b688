import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { createAgent } from 'langchain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FilesystemBackend } from '../../backends/filesystem';
import { partsInRows } from '../../tools/read-media';
import { createFilesystemMiddleware } from '../middleware/filesystem';
import { ScriptedModel, type ScriptedStep } from '../testing/scripted-model';
import { setDocumentWorker } from './documents';
import { scrubMedia } from './scrub';
import { builtDocumentWorker } from './testing/document-worker';
import { docxOf, pdfOf, pngOf, pptxOf, wavOf } from './testing/files';

let folder = '';
const put = (name: string, bytes: Uint8Array | string) => writeFile(join(folder, name), bytes);

beforeAll(async () => {
  setDocumentWorker(await builtDocumentWorker());
  folder = await mkdtemp(join(tmpdir(), 'deepdesk-media-'));
  const png = pngOf(40, 30);
  await Promise.all([
    put('a.png', png),
    put('a.jpg', png),
    put('cut.png', png.subarray(0, png.length - 20)),
    put(
      'bad.png',
      png.map((byte, i) => (i === 45 ? byte ^ 1 : byte)),
    ),
    put('wide.png', pngOf(9_000, 1)),
    put('none.png', new Uint8Array([0, 1, 2, 3])),
    put('empty.png', ''),
    put('a.svg', '<svg/>'),
    put('a.json', '{}'),
    put('a.pdf', pdfOf(['First page', '', 'Third page'])),
    put('cut.pdf', Buffer.from('%PDF-1.7\n\0nothing')),
    put('a.pptx', pptxOf(['Hello', 'World'])),
    put('a.docx', docxOf(['Title', 'Text'])),
    put('a.wav', wavOf(3)),
    put('old.doc', OLE),
    put('old.PPT', OLE),
    put('old.bin', OLE),
    put('a.dat', new Uint8Array([0, 159, 146, 150])),
  ]);
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const OLE = new Uint8Array(Buffer.from('d0cf11e0a1b11ae10000', 'hex'));

class SensingModel extends ScriptedModel {
  constructor(
    next: (messages: unknown, request: number) => ScriptedStep,
    private readonly modalities: Record<string, boolean>,
  ) {
    super(next);
  }
  override get profile() {
    return this.modalities;
  }
}

const ALL = { imageInputs: true, pdfInputs: true, audioInputs: true, videoInputs: true };
const NONE = { imageInputs: false, pdfInputs: false, audioInputs: false, videoInputs: false };

/** The result of one `read_file`, as the thread stores it. */
async function read(args: Record<string, unknown>, modalities: Record<string, boolean> = ALL) {
  const model = new SensingModel(
    (_m, request) =>
      request === 0
        ? { calls: [{ name: 'read_file', args: { offset: 0, limit: 100, column: 0, ...args } }] }
        : { text: 'Done.' },
    modalities,
  );
  const backend = new FilesystemBackend({ rootDir: folder, virtualMode: true });
  const agent = createAgent({ model, middleware: [createFilesystemMiddleware({ backend })] });
  const { messages } = await agent.invoke({ messages: [new HumanMessage('go')] });
  const result = messages.find((message) => ToolMessage.isInstance(message));
  return { content: result?.content, status: result?.status };
}

const file = (text: string, type: string, mimeType: string, filename: string) => ({
  status: 'success',
  content: [
    { type: 'text', text },
    { type, mimeType, data: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/u) as unknown, metadata: { filename } },
  ],
});
const words = (content: string) => ({ status: 'success', content });
const failed = (content: string) => ({ status: 'error', content });

describe('read_file on a file that is not text', () => {
  it('gives it to a model that supports the type, with a line that describes it', async () => {
    expect(await read({ file_path: '/a.png' })).toEqual(
      file('[Image a.png: PNG, 40 x 30 pixels, 75 bytes]', 'image', 'image/png', 'a.png'),
    );
    expect(await read({ file_path: '/a.pdf' })).toEqual(
      file('[Document a.pdf: PDF, 3 pages, 1.0 KB]', 'file', 'application/pdf', 'a.pdf'),
    );
    expect(await read({ file_path: '/a.wav' })).toEqual(
      file('[Audio a.wav: audio/wav, 3.0 s, 23.5 KB]', 'audio', 'audio/wav', 'a.wav'),
    );
  });

  it('names the actual type, not the one in the file name', async () => {
    expect(await read({ file_path: '/a.jpg' })).toEqual(
      file('[Image a.jpg: PNG, 40 x 30 pixels, 75 bytes]', 'image', 'image/png', 'a.jpg'),
    );
  });

  it('describes it in text for a model that does not support it', async () => {
    expect(await read({ file_path: '/a.png' }, NONE)).toEqual(
      words(
        '[Image a.png: PNG, 40 x 30 pixels, 75 bytes. It cannot be shown to you: the current model does not support images.]',
      ),
    );
    expect(await read({ file_path: '/a.wav' }, NONE)).toEqual(
      words(
        '[Audio a.wav: audio/wav, 3.0 s, 23.5 KB. It cannot be shown to you: the current model does not support audio.]',
      ),
    );
  });

  it('gives the text of a PDF by page to a model without PDF input', async () => {
    expect(await read({ file_path: '/a.pdf' }, NONE)).toEqual(
      words(
        '[Document a.pdf: PDF, 3 pages, 1.0 KB; its text:]\n\nPage 1\nFirst page\n\nPage 2\n(no text on this page)\n\nPage 3\nThird page',
      ),
    );
    expect(await read({ file_path: '/a.pdf', offset: 1, limit: 1 }, NONE)).toEqual(
      words(
        '[Document a.pdf: PDF, 3 pages, 1.0 KB; its text:]\n\nPage 2\n(no text on this page)\n\n[Read 1 page (pages 2-2 of 3 total). 1 page remaining from offset 2.]',
      ),
    );
    expect(await read({ file_path: '/a.pdf', offset: 7 }, NONE)).toEqual(
      failed('Error: Offset 7 exceeds the length of the document (3 pages)'),
    );
  });

  it('gives the text of presentations and Word documents to any model', async () => {
    expect((await read({ file_path: '/a.pptx' })).content).toMatch(
      /^\[Document a\.pptx: PowerPoint presentation, 2 slides, .*; its text:\]\n\nSlide 1\nHello\n\nSlide 2\nWorld$/u,
    );
    expect((await read({ file_path: '/a.docx' })).content).toMatch(/; its text:\]\n\nTitle\nText$/u);
  });

  it('reads svg and json as text', async () => {
    expect(await read({ file_path: '/a.svg' })).toEqual(words('     1\t<svg/>'));
    expect(await read({ file_path: '/a.json' })).toEqual(words('     1\t{}'));
  });

  it('says what is wrong with a damaged file, so that no request fails because of it', async () => {
    const answers = ['cut.png', 'bad.png', 'none.png', 'empty.png', 'cut.pdf', 'a.dat'].map(async (name) => {
      const { content, status } = await read({ file_path: `/${name}` });
      return [status, content];
    });
    expect(await Promise.all(answers)).toEqual([
      ['error', "Error: the image '/cut.png' (PNG, 55 bytes) cannot be shown: it ends too early."],
      ['error', "Error: the image '/bad.png' (PNG, 75 bytes) cannot be shown: its bytes were damaged."],
      [
        'error',
        "Error: '/none.png' is named as image/png but is not: it is damaged, or of another type (4 bytes).",
      ],
      ['error', "Error: '/empty.png' is empty."],
      [
        'error',
        "Error: the document '/cut.pdf' (17 bytes) cannot be read: it is damaged and cannot be opened.",
      ],
      [
        'error',
        "Error: '/a.dat' is a binary file (application/octet-stream, 4 bytes) and cannot be read as text.",
      ],
    ]);
    expect((await read({ file_path: '/wide.png' })).content).toMatch(/It is too large to show/u);
  });

  it('says what to do with a file in an old Office format', async () => {
    const answers = ['old.doc', 'old.PPT', 'old.bin'].map((name) => read({ file_path: `/${name}` }));
    expect(await Promise.all(answers)).toEqual([
      failed(
        "Error: '/old.doc' (10 bytes) is a Word document in the format of before 2007, which cannot be read here. Have it saved as .docx or PDF and read that: in the office program with Save as, or where LibreOffice is installed with `soffice --headless --convert-to docx FILE`.",
      ),
      failed(
        "Error: '/old.PPT' (10 bytes) is a PowerPoint presentation in the format of before 2007, which cannot be read here. Have it saved as .pptx or PDF and read that: in the office program with Save as, or where LibreOffice is installed with `soffice --headless --convert-to pptx FILE`.",
      ),
      failed(
        "Error: '/old.bin' (10 bytes) is a file of an old office program and cannot be read here. Save it in a newer format (.docx, .pptx, .xlsx) or as PDF, and read that.",
      ),
    ]);
  });

  it('refuses files larger than 10 MB', async () => {
    await put('large.png', new Uint8Array(11 * 1024 * 1024));
    expect((await read({ file_path: '/large.png' })).content).toMatch(/^Error: .*too large/u);
  });
});

describe('the pages of a document', () => {
  it('can be continued within a page that exceeds the result limit', () => {
    const text = {
      format: 'PDF',
      unit: 'page' as const,
      total: 2,
      parts: ['abcdefghijklmnopqrstuvwxyz', 'z'],
    };
    expect(partsInRows('[D]', text, { offset: 0, column: 0, budget: 20 })).toBe(
      '[D]\n\nPage 1\nabcdefghijklm\n\n[Page 1 continues: read it with offset=0 and column=13.]',
    );
    expect(partsInRows('[D]', text, { offset: 0, column: 13, budget: 40 })).toBe(
      '[D]\n\nPage 1, continued\nnopqrstuvwxyz\n\n[Read 1 page (pages 1-1 of 2 total). 1 page remaining from offset 1.]',
    );
  });

  it('follow their marks, which no column counts', () => {
    const rows = { format: 'W', unit: 'row' as const, total: 2, parts: ['Sheet S', 'abcdef'] };
    const marks = ['(hidden) ', '7\t'];
    expect(partsInRows('[D]', { ...rows, marks }, { offset: 0, column: 0, budget: 99 })).toBe(
      '[D]\n\n(hidden) Sheet S\n7\tabcdef',
    );
    const long = { ...rows, parts: ['abcdef'], marks: ['7\t'] };
    expect(partsInRows('[D]', long, { offset: 1, column: 0, budget: 5 })).toContain(
      '7\tabc\n\n[Row 2 continues: read it with offset=1 and column=3.]',
    );
  });

  it('are shown whole, as many as fit, and the note counts the rest', () => {
    const text = {
      format: 'PDF',
      unit: 'page' as const,
      total: 9,
      parts: ['a'.repeat(50), 'b'.repeat(50), 'c'],
    };
    expect(partsInRows('[D]', text, { offset: 2, column: 0, budget: 80 })).toBe(
      `[D]\n\nPage 3\n${'a'.repeat(50)}\n\n[Read 1 page (pages 3-3 of 9 total). 6 pages remaining from offset 3.]`,
    );
  });
});

const picture = { type: 'image', mimeType: 'image/png', data: 'AAAA', metadata: { filename: 'a.png' } };
const seen = (block: object) =>
  new ToolMessage({
    id: 'm',
    tool_call_id: 'c',
    content: [
      { type: 'text', text: 'Here.' },
      { ...picture, ...block },
    ],
  });
const MODALITIES = { images: true, audio: true, video: true, pdf: true };

describe('media in the history', () => {
  it('become a sentence for a model that does not support them, and stay in the thread', () => {
    const messages = [new HumanMessage('go'), seen({})];
    const [, scrubbed] = scrubMedia(messages, { ...MODALITIES, images: false });
    expect(scrubbed?.text).toBe(
      'Here.[Image a.png (image/png, 3 bytes) was left out: the current model does not support images.]',
    );
    expect(messages[1]?.content).toHaveLength(2);
    expect(scrubMedia(messages, MODALITIES)).toBe(messages);
  });

  it('are read even if a checkpoint turned their bytes into an object of numbers [H58]', () => {
    const [scrubbed] = scrubMedia([seen({ data: { 0: 1, 1: 2, 2: 3 } })], MODALITIES);
    expect(scrubbed?.content).toEqual([
      { type: 'text', text: 'Here.' },
      { ...picture, data: 'AQID' },
    ]);
  });

  it('are sent with the type of their bytes', () => {
    const data = Buffer.from(pngOf(2, 2)).toString('base64');
    const [scrubbed] = scrubMedia([seen({ mimeType: 'image/jpeg', data })], MODALITIES);
    expect(scrubbed?.content).toEqual([
      { type: 'text', text: 'Here.' },
      { ...picture, data },
    ]);
  });

  it('are left out if the service refuses them, and the thread continues', async () => {
    class Fussy extends ScriptedModel {
      override async _generate(messages: Parameters<ScriptedModel['_generate']>[0]) {
        const holds = messages.some(
          ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image'),
        );
        if (holds) throw Object.assign(new Error('Could not process image'), { status: 400 });
        return super._generate(messages);
      }
    }
    const model = new Fussy((messages) =>
      AIMessage.isInstance(messages.at(-1)) || messages.length > 2
        ? { text: 'Done.' }
        : { calls: [{ name: 'read_file', args: { file_path: '/a.png', offset: 0, limit: 100, column: 0 } }] },
    );
    const backend = new FilesystemBackend({ rootDir: folder, virtualMode: true });
    const agent = createAgent({ model, middleware: [createFilesystemMiddleware({ backend })] });
    const { messages } = await agent.invoke({ messages: [new HumanMessage('go')] });
    expect(messages.at(-1)?.text).toBe('Done.');
    expect(model.requests.at(-1)?.at(-1)?.text).toBe(
      '[Image a.png: PNG, 40 x 30 pixels, 75 bytes][Image a.png (image/png, 75 bytes) was left out: the service could not read it.]',
    );
  });
});
