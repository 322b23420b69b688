import { ProjectId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { usePort } from '../../link';
import { giveElementsSize } from '../../testing/layout';
import { panelHost } from '../../testing/panel-host';
import { lineAt } from './lines';
import { useFile } from './use-file';

giveElementsSize();
let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const LONG = 'x'.repeat(70_000);

/** A host that ends an answer after a long line, as the real one does, and knows no number of lines. */
function open(lines: readonly string[]) {
  const host = panelHost(
    {},
    {
      'files.read': ({ path, offset, limit }) => {
        if (offset > 0 && offset >= lines.length)
          return fail('invalid', 'external', { text: `There is no line ${offset + 1}.` });
        const long = lines.indexOf(LONG, offset);
        const end = Math.min(lines.length, offset + limit, long < 0 ? lines.length : long + 1);
        const isCut = long >= 0 && end === long + 1;
        return ok({
          path,
          kind: 'text' as const,
          mimeType: 'text/plain',
          size: 1e6,
          lines: lines.slice(offset, end),
          offset,
          totalLines: null,
          nextOffset: end < lines.length || isCut ? end : null,
        });
      },
    },
  );
  stop = host.stop;
  const Shown = () => {
    const { file, show, reload } = useFile(ProjectId.parse('p'), null, '/home/me/api/app.min.js');
    if (file.phase !== 'text') return <p>{file.phase}</p>;
    return (
      <>
        <button type="button" onClick={() => show(0, file.count - 1)}>
          Show
        </button>
        <button type="button" onClick={reload}>
          Reload
        </button>
        <p>{file.isWhole ? `${file.count} lines` : `more than ${file.count - 1}`}</p>
        <output>
          {Array.from({ length: file.count }, (_, at) => lineAt(file, at)?.slice(0, 10) ?? 'missing').join()}
        </output>
      </>
    );
  };
  const Gate = () => (usePort().phase === 'ready' ? <Shown /> : null);
  render(<Gate />);
  return host;
}
const shown = () => screen.getByRole('status').textContent;
const show = () => fireEvent.click(screen.getByRole('button', { name: 'Show' }));

it('reads on behind a line so long that it ended the answer', async () => {
  open(['// license', LONG, LONG, '// map']);
  await screen.findByText('more than 2');
  show();
  await screen.findByText('more than 3');
  show();
  await screen.findByText('4 lines');
  expect(shown()).toBe('// license,xxxxxxxxxx,xxxxxxxxxx,// map');
});

it('finds the end of a file of one long line', async () => {
  open([LONG]);
  await screen.findByText('more than 1');
  show();
  await screen.findByText('1 lines');
  expect(shown()).toBe('xxxxxxxxxx');
});

it('reads a page from its start again after a change', async () => {
  const lines = ['one', LONG, 'two'];
  open(lines);
  await screen.findByText('more than 2');
  show();
  await screen.findByText('3 lines');
  lines[0] = 'new';
  fireEvent.click(screen.getByRole('button', { name: 'Reload' }));
  await screen.findByText(/^new,/);
  show();
  await waitFor(() => expect(shown()).toBe('new,xxxxxxxxxx,two'));
});

it('shows the bytes of a file that is too large to be read whole', async () => {
  const host = panelHost(
    {},
    { 'files.read': () => fail('too_large', 'external', { text: 'huge.bin is too large.' }) },
  );
  stop = host.stop;
  const Shown = () => <p>{useFile(ProjectId.parse('p'), null, '/home/me/api/huge.bin').file.phase}</p>;
  const Gate = () => (usePort().phase === 'ready' ? <Shown /> : null);
  render(<Gate />);
  await screen.findByText('binary');
});

it('reads a file again when a folder that it is in comes back', async () => {
  let isThere = false;
  const host = panelHost(
    {},
    {
      'files.read': ({ path, offset }) =>
        isThere
          ? ok({
              path,
              kind: 'text',
              mimeType: 'text/plain',
              size: 3,
              lines: ['one'],
              offset,
              totalLines: 1,
              nextOffset: null,
            })
          : fail('not_found', 'external', { text: 'gone' }),
    },
  );
  stop = host.stop;
  const projectId = ProjectId.parse('p');
  const Shown = () => <p>{useFile(projectId, null, '/home/me/api/dist/js/app.js').file.phase}</p>;
  const Gate = () => (usePort().phase === 'ready' ? <Shown /> : null);
  render(<Gate />);
  await screen.findByText('failed');
  isThere = true;
  const [directories, files] = [['/home/me/api'], ['/home/me/api/dist']];
  host.emit({ type: 'files.changed', projectId, directories, files, all: false });
  await screen.findByText('text');
});
