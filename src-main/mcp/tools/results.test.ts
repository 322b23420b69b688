import { expect, it } from 'vitest';
import { contentOf, resourceContent, ToolFailed } from './results';

it('converts data without text to text', () => {
  expect(contentOf({ content: [], structuredContent: { a: [1] } })).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(contentOf({ content: [] })).toBe('The tool answered without any content.');
});

it('adds data that the text does not have', () => {
  const text = (words: string) => [{ type: 'text' as const, text: words }];
  const data = { rows: [1, 2] };
  expect(contentOf({ content: text('Found 2 rows.'), structuredContent: data })).toBe(
    'Found 2 rows.\n{\n  "rows": [\n    1,\n    2\n  ]\n}',
  );
  const said = '{ "rows": [1, 2] }';
  expect(contentOf({ content: text(said), structuredContent: data })).toBe(said);
  expect(contentOf({ content: text('two'), structuredContent: { result: 'two' } })).toBe('two');
});

it('omits data that is nested too deep to convert [safety 24]', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  expect(contentOf({ content: [], structuredContent: deep })).toMatch(/nested more than 64 levels deep/);
});

it('keeps images and audio, heads resources with their address, and names linked files', () => {
  const link = { type: 'resource_link' as const, uri: 'demo://two', name: 'two', mimeType: 'text/plain' };
  expect(
    contentOf({
      content: [
        { type: 'text', text: 'See:' },
        { type: 'image', data: 'aW1n', mimeType: 'image/png' },
        { type: 'audio', data: 'd2F2', mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'demo://one', text: 'Once.' } },
        { type: 'resource', resource: { uri: 'demo://gz', blob: 'H4s=', mimeType: 'application/gzip' } },
        link,
      ],
    }),
  ).toEqual([
    { type: 'text', text: 'See:' },
    { type: 'image', mimeType: 'image/png', data: 'aW1n' },
    { type: 'audio', mimeType: 'audio/wav', data: 'd2F2' },
    { type: 'text', text: '[demo://one]\nOnce.' },
    { type: 'file', mimeType: 'application/gzip', data: 'H4s=' },
    { type: 'text', text: '[A file (text/plain): demo://two]' },
  ]);
});

it('heads the texts of a resource only if there are several', () => {
  const [one, two] = [
    { uri: 'a://1', text: 'One.' },
    { uri: 'a://2', text: 'Two.' },
  ];
  expect(resourceContent([one])).toBe('One.');
  expect(resourceContent([one, two])).toBe('[a://1]\nOne.\n[a://2]\nTwo.');
});

it('leaves out media of more than 10 MB', () => {
  const data = 'A'.repeat(14_000_001);
  expect(contentOf({ content: [{ type: 'image', data, mimeType: 'image/png' }] })).toBe(
    '[An image (image/png) of more than 10 MB was left out.]',
  );
});

it('gives services base64 without line breaks and with its end, and leaves out empty media', () => {
  const image = (data: string) => [{ type: 'image' as const, data, mimeType: 'image/png' }];
  const blob = { uri: 'a://1', mimeType: 'image/png', blob: 'aW1n\r\nYQ' };
  expect(contentOf({ content: image('aW1n\nYQ==\n') })).toMatchObject([{ data: 'aW1nYQ==' }]);
  expect(resourceContent([blob])).toMatchObject([{ type: 'image', data: 'aW1nYQ==' }]);
  expect(contentOf({ content: image(' ') })).toBe('[An image (image/png) without content was left out.]');
});

it('throws the data of a failed call without words', () => {
  const answer = { content: [], structuredContent: { code: 'LOCKED' }, isError: true };
  expect(() => contentOf(answer)).toThrow(new ToolFailed('{\n  "code": "LOCKED"\n}'));
});

it('throws the words of a failed call', () => {
  const answer = { content: [{ type: 'text' as const, text: 'The disk is on fire.' }], isError: true };
  expect(() => contentOf(answer)).toThrow(new ToolFailed('The disk is on fire.'));
});
