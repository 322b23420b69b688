import { PlaceId } from '@contract/ids';
import { DEFAULT_PLACE_POLICY, type PlaceInfo } from '@contract/places';
import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { PlaceForm } from './place-form';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const place: PlaceInfo = {
  id: PlaceId.parse('p1'),
  path: '/build/',
  options: { kind: 'ssh', host: 'me@server', folder: '/srv', hostKeys: [] },
  projectId: null,
  policy: DEFAULT_PLACE_POLICY,
  createdAt: 1,
  state: { phase: 'unused', since: 1, error: null },
  hasSecret: true,
  runsCommands: true,
  isProject: false,
};

it('says that the stored password is for another host, until the host is the old one again', async () => {
  stop = panelHost({}, {}).stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <PlaceForm place={place} onDone={() => undefined} onCancel={() => undefined} />
    ) : null;
  render(<Gate />);
  const host = await screen.findByDisplayValue('me@server');
  const isWarned = () =>
    screen.queryByText('The stored password is for the previous host or account. Enter it again.') !== null;
  for (const [value, expected] of [
    ['me@server:2222', false],
    ['me@other', true],
    ['you@server', true],
    ['me@server', false],
  ] as const) {
    fireEvent.change(host, { target: { value } });
    expect([value, isWarned()]).toEqual([value, expected]);
  }
});

it('offers the hosts of the OpenSSH configuration', async () => {
  stop = panelHost({}, { 'places.sshHosts': () => ok({ hosts: ['build-server', 'nas'] }) }).stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <PlaceForm place={place} onDone={() => undefined} onCancel={() => undefined} />
    ) : null;
  render(<Gate />);
  const host = await screen.findByDisplayValue('me@server');
  await vi.waitFor(() => expect(host.getAttribute('list')).not.toBeNull());
  const list = document.getElementById(host.getAttribute('list') ?? '');
  expect([...(list?.querySelectorAll('option') ?? [])].map(({ value }) => value)).toEqual([
    'build-server',
    'nas',
  ]);
});
