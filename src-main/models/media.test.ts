import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { afterEach, describe, expect, it } from 'vitest';
import { inTurn } from '../../e2e/providers/script';
import type { ProviderServer } from '../../e2e/providers/server';
import { withMedia } from './chat/media';
import type { ModelRef } from './registry';
import { modelAt, startProvider } from './testing/provider-servers';

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

// Eight bytes that each service recognizes as a PNG.
const PNG = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');
const PDF = Buffer.from('%PDF-1.7').toString('base64');
const WAV = Buffer.from('RIFF').toString('base64');

const image = { type: 'image', mimeType: 'image/png', data: PNG, metadata: { filename: 'a.png' } };
const pdf = { type: 'file', mimeType: 'application/pdf', data: PDF, metadata: { filename: 'b.pdf' } };
const sound = { type: 'audio', mimeType: 'audio/wav', data: WAV, metadata: { filename: 'c.wav' } };

type Block = Exclude<BaseMessage['content'], string>[number];

const result = (id: string, words: string, ...blocks: Block[]) =>
  new ToolMessage({
    tool_call_id: id,
    name: 'read_file',
    content: [{ type: 'text', text: words }, ...blocks],
  });

/** The request messages as sent to the provider after three files were read. */
async function sent(ref: ModelRef): Promise<unknown> {
  const server = await startProvider(ref.provider, inTurn([{ text: 'Seen.' }]));
  servers.push(server);
  const model = await modelAt(ref, server);
  const calls = ['one', 'two', 'three'].map((id) => ({
    id,
    name: 'read_file',
    args: { file_path: `/${id}` },
    type: 'tool_call' as const,
  }));
  const answer = await model.invoke([
    new HumanMessage('Look at the files.'),
    new AIMessage({ content: '', tool_calls: calls }),
    result('one', 'The picture.', image),
    result('two', 'The document.', pdf),
    result('three', 'The sound.', sound),
  ]);
  expect(answer.text).toBe('Seen.');
  const body = server.requests[0]?.body as { messages?: unknown; input?: unknown; contents?: unknown };
  const list = (body.messages ?? body.input ?? body.contents) as unknown[];
  return list.slice(2);
}

const noSound = '[Audio c.wav (audio/wav, 4 bytes) was left out: the current model does not support audio.]';
const below = '[The file itself follows below.]';
const intro = '[What the call read_file gave, besides its words:]';

describe('files in tool results', () => {
  it("are image and document blocks in Anthropic's results", async () => {
    expect(await sent({ provider: 'anthropic', name: 'claude-sonnet-4-5' })).toEqual([
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'one',
            content: [
              { type: 'text', text: 'The picture.' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
            ],
          },
          {
            type: 'tool_result',
            tool_use_id: 'two',
            content: [
              { type: 'text', text: 'The document.' },
              {
                type: 'document',
                title: 'b.pdf',
                source: { type: 'base64', media_type: 'application/pdf', data: PDF },
              },
            ],
          },
          {
            type: 'tool_result',
            tool_use_id: 'three',
            content: [
              { type: 'text', text: 'The sound.' },
              { type: 'text', text: noSound, cache_control: { type: 'ephemeral' } },
            ],
          },
        ],
      },
    ]);
  });

  it("are inputs in the results of OpenAI's Responses API", async () => {
    const list = (await sent({ provider: 'openai', name: 'gpt-5' })) as { type: string }[];
    expect(list.filter(({ type }) => type === 'function_call_output')).toMatchObject([
      {
        call_id: 'one',
        output: [
          { type: 'input_text', text: 'The picture.' },
          { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
        ],
      },
      {
        call_id: 'two',
        output: [
          { type: 'input_text', text: 'The document.' },
          { type: 'input_file', filename: 'b.pdf', file_data: `data:application/pdf;base64,${PDF}` },
        ],
      },
      {
        call_id: 'three',
        output: [
          { type: 'input_text', text: 'The sound.' },
          { type: 'input_text', text: noSound },
        ],
      },
    ]);
  });

  it("follow the results in OpenAI's Chat Completions in the person's name, since results are text only", async () => {
    expect(await sent({ provider: 'openai', name: 'gpt-4.1' })).toMatchObject([
      { role: 'tool', tool_call_id: 'one', content: `The picture.\n${below}` },
      { role: 'tool', tool_call_id: 'two', content: `The document.\n${below}` },
      { role: 'tool', tool_call_id: 'three', content: `The sound.\n${noSound}` },
      {
        role: 'user',
        content: [
          { type: 'text', text: intro },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
          { type: 'text', text: intro },
          {
            type: 'file',
            file: { filename: 'b.pdf', file_data: `data:application/pdf;base64,${PDF}` },
          },
        ],
      },
    ]);
  });

  it("follow Gemini's results as inline data, including audio", async () => {
    const list = (await sent({ provider: 'google-genai', name: 'gemini-2.5-flash' })) as {
      parts: object[];
    }[];
    expect(list.flatMap(({ parts }) => parts)).toEqual([
      { functionResponse: { name: 'read_file', response: { result: `The picture.\n${below}` } } },
      { functionResponse: { name: 'read_file', response: { result: `The document.\n${below}` } } },
      { functionResponse: { name: 'read_file', response: { result: `The sound.\n${below}` } } },
      { text: intro },
      { inlineData: { mimeType: 'image/png', data: PNG } },
      { text: intro },
      { inlineData: { mimeType: 'application/pdf', data: PDF } },
      { text: intro },
      { inlineData: { mimeType: 'audio/wav', data: WAV } },
    ]);
  });

  it('are images beside the text for an Ollama vision model, and sentences for other models', async () => {
    const noPdf =
      '[Document b.pdf (application/pdf, 8 bytes) was left out: the current model does not support PDF documents; read_file gives their text.]';
    expect(await sent({ provider: 'ollama', name: 'llava:7b' })).toEqual([
      { role: 'tool', content: `The picture.\n${below}` },
      { role: 'tool', content: `The document.\n${noPdf}` },
      { role: 'tool', content: `The sound.\n${noSound}` },
      { role: 'user', content: intro },
      { role: 'user', content: '', images: [PNG] },
    ]);
    expect(((await sent({ provider: 'ollama', name: 'qwen3' })) as object[])[0]).toEqual({
      role: 'tool',
      content:
        'The picture.\n[Image a.png (image/png, 8 bytes) was left out: the current model does not support images.]',
    });
  });
});

describe('a file that would make a request fail', () => {
  const all = { images: true, audio: true, video: true, pdf: true };
  const shown = (dialect: Parameters<typeof withMedia>[0], ...blocks: Block[]) =>
    withMedia(dialect, [new HumanMessage({ content: blocks })], all).map((message) => message.content);

  it('becomes a sentence: an image that is too large, an unknown type, an empty file', () => {
    const large = { ...image, data: 'A'.repeat(6_000_000) };
    expect(shown('anthropic', large, { ...image, mimeType: 'image/heic' }, { ...image, data: '' })).toEqual([
      [
        {
          type: 'text',
          text: '[Image a.png (image/png, 4.3 MB) was left out: the image is larger than the current model takes.]',
        },
        {
          type: 'text',
          text: '[Image a.png (image/heic, 8 bytes) was left out: the current model does not support images of the type image/heic.]',
        },
        { type: 'text', text: '[Image a.png (image/png, 0 bytes) was left out: it is empty.]' },
      ],
    ]);
    expect(shown('google', { ...pdf, mimeType: 'application/vnd.ms-powerpoint' })).toEqual([
      [
        {
          type: 'text',
          text: '[Document b.pdf (application/vnd.ms-powerpoint, 8 bytes) was left out: models do not support this type of document.]',
        },
      ],
    ]);
  });

  it('is dropped, oldest first, if all files together are too large', () => {
    const video = { type: 'video', mimeType: 'video/mp4', data: 'A'.repeat(8_000_000) };
    const [content] = shown('google', video, video, video);
    expect((content as { type: string }[]).map(({ type }) => type)).toEqual(['text', 'media', 'media']);
  });
});
