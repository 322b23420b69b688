import { expect, it } from 'vitest';
import { readNotebook } from './notebook';

const notebook = (cells: object[], more: object = {}) => JSON.stringify({ nbformat: 4, cells, ...more });

it('reads cells and what they put out, and leaves out markup', () => {
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
            { output_type: 'display_data', data: { 'image/png': 'aGk=\n' } },
            { output_type: 'display_data', data: { 'image/png': '"><script>', 'text/html': '<b>' } },
          ],
        },
      ],
      { metadata: { kernelspec: { language: 'julia' } } },
    ),
  );
  expect(read).toEqual({
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
          { kind: 'image', mimeType: 'image/png', data: 'aGk=' },
          { kind: 'hidden', types: ['image/png', 'text/html'] },
        ],
      },
    ],
  });
});

it('says of what is no notebook that it is none', () => {
  expect([readNotebook('{'), readNotebook('[]'), readNotebook('{"a":1}')]).toEqual([null, null, null]);
});
