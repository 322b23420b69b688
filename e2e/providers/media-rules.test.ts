import { describe, expect, it } from 'vitest';
import { anthropicMedia, googleMedia, ollamaImages, openaiFile, openaiImage } from './media-rules';

const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');
const jpeg = Buffer.from('ffd8ffe0', 'hex').toString('base64');
const pdf = Buffer.from('%PDF-1.7').toString('base64');

const image = (media_type: string, data: string) => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
});

describe('a file that a service would reject', () => {
  it('is rejected by Anthropic, also within a result', () => {
    const refused = (block: Parameters<typeof anthropicMedia>[1]) =>
      [...anthropicMedia('m', block)].length > 0;
    expect([
      refused(image('image/png', png)),
      refused({ type: 'tool_result', content: [image('image/png', png)] }),
      refused(image('image/png', jpeg)),
      refused(image('image/heic', png)),
      refused({ type: 'tool_result', content: [image('image/png', 'no base64')] }),
      refused({ type: 'tool_result', content: [{ type: 'file', data: png }] }),
      refused({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: png } }),
    ]).toEqual([false, false, true, true, true, true, true]);
  });

  it('is rejected by OpenAI', () => {
    expect([
      openaiImage(`data:image/png;base64,${png}`),
      openaiFile('a.pdf', `data:application/pdf;base64,${pdf}`),
    ]).toEqual([null, null]);
    expect([
      openaiImage('data:image/heic;base64,AAAA') === null,
      openaiImage(png) === null,
      openaiFile('', `data:application/pdf;base64,${pdf}`) === null,
      openaiFile('a.pdf', pdf) === null,
    ]).toEqual([false, false, false, false]);
  });

  it('is rejected by Gemini, also within the text of a result', () => {
    const refused = (part: Parameters<typeof googleMedia>[0]) => [...googleMedia(part)].length > 0;
    expect([
      refused({ inlineData: { mimeType: 'image/png', data: png } }),
      refused({ inlineData: { mimeType: 'image/gif', data: png } }),
      refused({ inlineData: { mimeType: 'image/png', data: jpeg } }),
      refused({ functionResponse: { response: { result: [{ inlineData: { data: png } }] } } }),
    ]).toEqual([false, true, true, true]);
  });

  it('is rejected by Ollama', () => {
    expect([...ollamaImages({ images: [png] })]).toEqual([]);
    expect([...ollamaImages({ images: [`data:image/png;base64,${png}`, pdf] })]).toEqual([
      'illegal base64 data at input byte 0',
      'Failed to load image or audio file',
    ]);
  });
});
