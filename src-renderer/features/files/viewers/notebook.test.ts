import { expect, it } from 'vitest';
import { readNotebook } from './notebook';

/** A one-pixel GIF. */
const PIXEL = 'R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=';
const notebook = (cells: object[], more: object = {}) => JSON.stringify({ nbformat: 4, cells, ...more });

it('reads cells and their output, and drops markup', () => {
  const read = readNotebook(
    notebook(
      [
        { cell_type: 'markdown', source: ['# A\n', 'b'] },
        {
          cell_type: 'code',
          execution_count: 2,
          source: 'x',
          outputs: [
            { output_type: 'stream', name: 'stderr', text: '\u001b[31mred\u001b[0m' },
            { output_type: 'execute_result', data: { 'text/html': '<b>1</b>', 'text/plain': '1' } },
            { output_type: 'display_data', data: { 'image/png': `${PIXEL}\n` } },
            { output_type: 'display_data', data: { 'image/png': '"><script>', 'text/html': '<b>' } },
          ],
        },
      ],
      { metadata: { kernelspec: { language: 'julia' } } },
    ),
  );
  expect(read).toEqual({
    cut: false,
    language: 'julia',
    cells: [
      { kind: 'markdown', text: '# A\nb' },
      {
        kind: 'code',
        text: 'x',
        count: 2,
        outputs: [
          { kind: 'text', text: 'red', isError: true },
          { kind: 'text', text: '1', isError: false },
          { kind: 'image', mimeType: 'image/png', data: PIXEL },
          { kind: 'hidden', types: ['image/png', 'text/html'] },
        ],
      },
    ],
  });
});

it('reports a file that is not a notebook', () => {
  expect([readNotebook('{'), readNotebook('[]'), readNotebook('{"a":1}')]).toEqual([null, null, null]);
});

it('shows part of an oversized notebook, and reads one with endless nesting [safety 24]', () => {
  const many = readNotebook(
    notebook(Array.from({ length: 50_000 }, () => ({ cell_type: 'raw', source: 'x' }))),
  );
  expect([many?.cells.length, many?.cut]).toEqual([1_000, true]);
  const outputs = Array.from({ length: 50_000 }, () => ({ output_type: 'stream', text: 'x' }));
  const loud = readNotebook(notebook([{ cell_type: 'code', source: '', outputs }]));
  const [cell] = loud?.cells ?? [];
  expect([cell?.kind === 'code' && cell.outputs.length, loud?.cut]).toEqual([100, true]);
  const all = Array.from({ length: 500 }, () => ({
    cell_type: 'code',
    source: '',
    outputs: outputs.slice(0, 100),
  }));
  const sum = readNotebook(notebook(all));
  expect([sum?.cells.length, sum?.cut]).toEqual([30, true]);
  const types = Object.fromEntries(
    Array.from({ length: 50_000 }, (_, at) => [`${'x'.repeat(200)}${at}`, '']),
  );
  const odd = readNotebook(notebook([{ cell_type: 'code', source: '', outputs: [{ data: types }] }]));
  const [first] = odd?.cells ?? [];
  expect(first?.kind === 'code' && first.outputs).toEqual([
    { kind: 'hidden', types: Array.from({ length: 20 }, () => 'x'.repeat(100)) },
  ]);
  const long = readNotebook(
    notebook([1, 2, 3].map(() => ({ cell_type: 'raw', source: 'x'.repeat(2_000_000) }))),
  );
  expect([long?.cells.length, long?.cut]).toEqual([2, true]);
  const deep = `{"cells":[{"cell_type":"raw","source":"x","metadata":${'['.repeat(200_000)}${']'.repeat(200_000)}}]}`;
  expect(readNotebook(deep)?.cells).toEqual([{ kind: 'raw', text: 'x' }]);
});

it('hides an image with more pixels than can be decoded in time [safety 24]', () => {
  const picture = (width: number) => {
    const bytes = Buffer.alloc(60);
    bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(20_000, 20);
    return { output_type: 'display_data', data: { 'image/png': bytes.toString('base64') } };
  };
  const [cell] =
    readNotebook(notebook([{ cell_type: 'code', source: '', outputs: [picture(5_000), picture(5_001)] }]))
      ?.cells ?? [];
  expect(cell?.kind === 'code' && cell.outputs.map(({ kind }) => kind)).toEqual(['image', 'hidden']);
});
