import type { Output } from '@contract/commands';
import { ProjectId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { RehearsalNote } from './rehearsal-note';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

function show(answer: Output<'rehearsal.available'>) {
  const host = panelHost({}, { 'rehearsal.available': () => ok(answer) });
  stop = () => host.stop();
  const Gate = () =>
    usePort().phase === 'ready' ? <RehearsalNote projectId={ProjectId.parse('p1')} /> : null;
  render(<Gate />);
}

it('says what stops a command in a layer', async () => {
  const GB = 1024 ** 3;
  show({ reason: null, limits: { bytes: 4 * GB, files: 300_000, processes: 2_000, memory: 8 * GB } });
  expect(await screen.findByText(/Commands run in a throwaway layer first/)).toBeDefined();
  const limits = screen.getByText(/stops a command/).textContent;
  for (const limit of ['4.3 GB of disk space', '300,000 files', '2,000 processes', '8.6 GB of memory'])
    expect(limits).toContain(limit);
});

it('says why commands cannot run in a layer', async () => {
  show({ reason: 'mounts_below', detail: '/p/sub' });
  expect(await screen.findByText(/Another disk is mounted inside the folder/)).toBeDefined();
  expect(screen.getByText('/p/sub')).toBeDefined();
  expect(screen.queryByText(/stops a command/)).toBeNull();
});

it("says of a folder on another computer and of layers that are off why in the person's language", async () => {
  show({ reason: 'remote' });
  expect(await screen.findByText(/The folder is on another computer/)).toBeDefined();
  cleanup();
  stop();
  show({ reason: 'turned_off' });
  expect(await screen.findByText(/Throwaway layers are turned off/)).toBeDefined();
});
