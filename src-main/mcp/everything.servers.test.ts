import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { CallProgress } from '../contract/conversation';
import type { ServerQuestion } from './questions';
import { place } from './testing/place';
import type { CallsOfRun } from './tools/server-tool';

// Programs start slowly on test machines.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const { signal } = new AbortController();

/** The protocol's reference server, which has each of its features. */
const require = createRequire(import.meta.url);
const folder = dirname(require.resolve('@modelcontextprotocol/server-everything/package.json'));
const everything = { command: process.execPath, args: [join(folder, 'dist', 'index.js'), 'stdio'] };

it('answers calls of its tools, with an error in its own words', async () => {
  const t = place({ every: everything });
  expect(await t.call('every__echo', { message: 'hello' })).toEqual({
    status: 'success',
    content: 'Echo: hello',
  });
  expect(await t.call('every__get-sum', { a: 2, b: 3 })).toEqual({
    status: 'success',
    content: 'The sum of 2 and 3 is 5.',
  });
  const failed = await t.call('every__get-resource-reference', { resourceType: 'Text', resourceId: -1 });
  expect(failed).toMatchObject({
    status: 'error',
    content: expect.stringContaining('resourceId') as unknown,
  });
});

it('answers with images, structured data, and resources', async () => {
  const t = place({ every: everything });
  expect(await t.call('every__get-tiny-image')).toMatchObject({
    content: [
      { type: 'text' },
      { type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) as unknown },
      { type: 'text' },
    ],
  });
  const weather = await t.call('every__get-structured-content', { location: 'Chicago' });
  expect(JSON.parse(String(weather.content))).toMatchObject({ conditions: expect.any(String) as unknown });
  const links = await t.call('every__get-resource-links', { count: 2 });
  expect(links.content).toContain('[A file (text/plain): demo://resource/dynamic/text/');
  const reference = await t.call('every__get-resource-reference', { resourceType: 'Text', resourceId: 1 });
  expect(reference.content).toContain('[demo://resource/dynamic/text/1]\n');
});

it('asks with a form that has every kind of field, and with a page', async () => {
  const opened: string[] = [];
  const t = place({ every: everything }, { browse: async (url) => opened.push(url.href) > 0 });
  const asked: ServerQuestion[] = [];
  const answers = (values: object): CallsOfRun => {
    return () => ({
      progressed: () => undefined,
      ask: async (question) => {
        asked.push(question);
        return { action: 'accept', text: JSON.stringify(values) };
      },
    });
  };
  const form = await t.call('every__trigger-elicitation-request', {}, signal, answers({ name: 'Ada' }));
  expect(JSON.stringify(form.content)).toContain('Ada');
  expect(new Set(asked[0]?.fields.map(({ kind }) => kind))).toEqual(
    new Set(['text', 'boolean', 'integer', 'number', 'choice', 'choices']),
  );
  const url = 'https://example.com/confirm';
  await t.call('every__trigger-url-elicitation', { url }, signal, answers({}));
  expect(asked[1]).toMatchObject({ url, fields: [] });
  expect(opened).toEqual([url]);
  const first = await t.call('every__trigger-url-elicitation', { url, errorPath: true }, signal, answers({}));
  expect(first).toMatchObject({ status: 'success' });
  expect(asked.slice(2).map(({ step }) => step)).toEqual(['first', 'finish', undefined]);
  expect(opened).toEqual([url, 'https://modelcontextprotocol.io/', url]);
});

it('reports progress', async () => {
  const t = place({ every: everything });
  const seen: CallProgress[] = [];
  const calls: CallsOfRun = () => ({
    progressed: (progress) => void seen.push(progress),
    ask: async () => ({ action: 'cancel' }),
  });
  const args = { duration: 0.2, steps: 2 };
  expect(await t.call('every__trigger-long-running-operation', args, signal, calls)).toMatchObject({
    status: 'success',
  });
  expect(seen[0]).toMatchObject({ done: 1, total: 2 });
});

it('has resources and prompts', async () => {
  const t = place({ every: everything });
  const { content } = await t.call('every__list_resources');
  expect(content).toContain('demo://resource/static/document/architecture.md');
  expect(content).toContain('demo://resource/dynamic/text/{resourceId}');
  const uri = 'demo://resource/dynamic/text/7';
  expect((await t.call('every__read_resource', { uri })).content).toContain('Resource 7');
  const [offered] = await t.mcp.prompts(t.project);
  expect(offered?.offers.map(({ name }) => name)).toContain('args-prompt');
  const wanted = { id: 'person:every', prompt: 'args-prompt', args: { city: 'Oslo' } };
  expect(await t.mcp.prompt(t.project, wanted, signal)).toMatchObject({
    ok: true,
    value: expect.stringContaining('Oslo') as unknown,
  });
});
