import { ProjectId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, it } from 'vitest';
import { usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { useSearch } from './use-search';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});
const place = { projectId: ProjectId.parse('p'), threadId: null, path: '/home/me/api/build.log' };

it('stays at the match where it was when the file changes', async () => {
  let lines = [3, 8, 20];
  const host = panelHost({}, { 'files.search': () => ok({ lines, cut: false }) });
  stop = host.stop;
  const Shown = ({ changed }: { changed: number }) => {
    const { search, setQuery, step } = useSearch(place, changed);
    return (
      <>
        <input aria-label="Query" onChange={({ target }) => setQuery(target.value)} />
        <button type="button" onClick={() => step(1)}>
          Next
        </button>
        <p>
          {search.isSearching ? 'searching' : `line ${search.lines[search.at]} of ${search.lines.length}`}
        </p>
      </>
    );
  };
  const Gate = ({ changed }: { changed: number }) =>
    usePort().phase === 'ready' ? <Shown changed={changed} /> : null;
  const view = render(<Gate changed={0} />);
  const field = await screen.findByRole('textbox');
  fireEvent.change(field, { target: { value: 'error' } });
  await screen.findByText('line 3 of 3');
  fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  await screen.findByText('line 8 of 3');
  lines = [3, 8, 20, 31];
  view.rerender(<Gate changed={1} />);
  await screen.findByText('line 8 of 4');
  // A line above it went away.
  lines = [3, 7, 19, 30];
  view.rerender(<Gate changed={2} />);
  await screen.findByText('line 7 of 4');
  fireEvent.change(field, { target: { value: 'warning' } });
  await screen.findByText('line 3 of 4');
});
