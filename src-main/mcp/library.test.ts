import { describe, expect, it, vi } from 'vitest';
import { inWords } from '../contract/testing/in-words';
import { place, trial } from './testing/place';

// Programs start slowly on test machines.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe('resources of a server', () => {
  it("are listed and read by two tools in addition to the server's tools", async () => {
    const t = place({ trial: trial('library') });
    expect(await t.call('trial__list_resources')).toEqual({
      status: 'success',
      content:
        '- book://one (One, text/plain): The first book.\nURI templates:\n- book://{title} (By title)\n[There are more: continue with cursor="next".]',
    });
    expect(await t.call('trial__list_resources', { cursor: 'next' })).toEqual({
      status: 'success',
      content: '- book://two (Two)',
    });
    expect(await t.call('trial__read_resource', { uri: 'book://one' })).toEqual({
      status: 'success',
      content: 'Once upon a time.',
    });
    expect(await t.call('trial__read_resource', { uri: 'book://two' })).toEqual({
      status: 'success',
      content: [{ type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) as unknown }],
    });
    const missing = await t.call('trial__read_resource', { uri: 'book://none' });
    expect(missing.status).toBe('error');
    expect(missing.content).toContain('There is no book://none.');
  });

  it('add no tools if the server has none', async () => {
    const t = place({ trial: trial() });
    const names = (await t.tools()).map(({ tool }) => tool.name);
    expect(names).toContain('trial__echo');
    expect(names).not.toContain('trial__list_resources');
  });
});

describe('resources for messages', () => {
  const { signal } = new AbortController();

  it('are offered to the user, with all pages, and read as files', async () => {
    const t = place({ trial: trial('library'), other: trial() });
    await t.tools();
    expect(await t.mcp.resources(t.project)).toEqual([
      {
        id: 'person:trial',
        server: 'trial',
        isComing: false,
        offers: [
          { uri: 'book://one', name: 'One', description: 'The first book.' },
          { uri: 'book://two', name: 'Two', description: '' },
        ],
      },
      { id: 'person:other', server: 'other', isComing: false, offers: [] },
    ]);
    expect(await t.mcp.resource(t.project, { id: 'person:trial', uri: 'book://one' }, signal)).toEqual({
      ok: true,
      value: { name: 'one.txt', bytes: Buffer.from('Once upon a time.'), isText: true },
    });
    expect(await t.mcp.resource(t.project, { id: 'person:trial', uri: 'book://two' }, signal)).toMatchObject({
      ok: true,
      value: { name: 'two.png', isText: false },
    });
    expect(
      inWords(await t.mcp.resource(t.project, { id: 'person:trial', uri: 'book://none' }, signal)),
    ).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('There is no book://none.') as unknown },
    });
  });
});

describe('prompts of a server', () => {
  const { signal } = new AbortController();

  it('are offered to the user and become one text', async () => {
    const t = place({ trial: trial('library'), other: trial() });
    await t.tools();
    expect(await t.mcp.prompts(t.project)).toEqual([
      {
        id: 'person:trial',
        server: 'trial',
        isComing: false,
        offers: [
          {
            name: 'review',
            description: 'Reviews a book.',
            arguments: [{ name: 'title', description: 'Of the book', required: true }],
          },
        ],
      },
      { id: 'person:other', server: 'other', isComing: false, offers: [] },
    ]);
    const wanted = { id: 'person:trial', prompt: 'review', args: { title: 'One' } };
    expect(await t.mcp.prompt(t.project, wanted, signal)).toEqual({
      ok: true,
      value: 'Review One.\n\n[As if you had said:]\nIn how many words?\n\n[An image is left out.]',
    });
  });

  it("return the server's error message when they fail", async () => {
    const t = place({ trial: trial('library') });
    await t.tools();
    const wanted = { id: 'person:trial', prompt: 'review', args: {} };
    expect(inWords(await t.mcp.prompt(t.project, wanted, signal))).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('Which book?') as unknown },
    });
    expect(await t.mcp.prompt(t.project, { ...wanted, id: 'person:gone' }, signal)).toMatchObject({
      ok: false,
      error: { kind: 'not_found' },
    });
  });
});
