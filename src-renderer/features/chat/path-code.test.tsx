import { ProjectId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { onIntent, usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { PathCode, PathProject } from './path-code';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const project = { projectId: ProjectId.parse('p'), mount: '/home/me/api' };

/** `listings`: the files of the folder, by search; the folder is still being listed until the last one. */
function answerNaming(name: string, listings: readonly (readonly string[])[]) {
  let searches = 0;
  const host = panelHost(
    {},
    {
      'files.find': () => {
        const names = listings[Math.min(searches, listings.length - 1)] ?? [];
        searches += 1;
        const matches = names.map((one) => ({ name: one, path: `${project.mount}/${one}`, ranges: [] }));
        return ok({ matches, total: names.length, files: names.length, listing: searches < listings.length });
      },
    },
  );
  stop = host.stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <PathProject value={project}>
        <PathCode text={name} />
      </PathProject>
    ) : null;
  render(<Gate />);
  return () => searches;
}

it('links to a file that was just written, once the folder has been listed again', async () => {
  const opened: unknown[] = [];
  const stopIntents = onIntent((intent) => intent.type === 'openFile' && opened.push(intent.path));
  answerNaming('notes/new.md:3', [[], [], ['notes/new.md']]);
  fireEvent.click(await screen.findByRole('button', { name: 'notes/new.md:3' }));
  stopIntents();
  expect(opened).toEqual(['/home/me/api/notes/new.md']);
});

it('shows code that names no file as it is', async () => {
  const searches = answerNaming('notes/none.md', [[], []]);
  await expect.poll(searches).toBe(2);
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.getByText('notes/none.md')).toBeTruthy();
});
