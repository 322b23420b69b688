import { PlaceId } from '@contract/ids';
import { DEFAULT_PLACE_POLICY, type PlaceInfo } from '@contract/places';
import { fail, ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { sampleProject } from '../../testing/samples';
import { PlaceForm } from './place-form';
import { RemoteProjectDialog } from './remote-project-dialog';

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

it('shows the result of a test only until something is changed, the password too', async () => {
  const state: PlaceInfo['state'] = { phase: 'connected', since: 1, error: null };
  stop = panelHost({}, { 'places.test': () => ok({ state }) }).stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <PlaceForm place={place} onDone={() => undefined} onCancel={() => undefined} />
    ) : null;
  render(<Gate />);
  const host = await screen.findByDisplayValue('me@server');
  const password = document.querySelector<HTMLInputElement>('input[type=password]');
  for (const field of [host, password]) {
    fireEvent.click(screen.getByRole('button', { name: 'Test' }));
    await screen.findByText('Connected');
    fireEvent.input(field as Element, { target: { value: 'other' } });
    expect(screen.queryByText('Connected')).toBeNull();
  }
});

it('does not show a folder whose dialog was closed while it connected', async () => {
  let finish = () => {};
  const opened = vi.fn();
  const host = panelHost(
    {},
    {
      'places.openProject': async () => {
        await new Promise<void>((done) => {
          finish = done;
        });
        return ok({ project: sampleProject({ id: 'p' }), error: null });
      },
    },
  );
  stop = host.stop;
  const Gate = () => {
    const [isOpen, setOpen] = useState(true);
    if (usePort().phase !== 'ready') return null;
    return <RemoteProjectDialog open={isOpen} onClose={() => setOpen(false)} onOpened={opened} />;
  };
  render(<Gate />);
  fireEvent.change(await screen.findByRole('textbox', { name: 'Host' }), { target: { value: 'me@server' } });
  fireEvent.change(screen.getByRole('textbox', { name: 'Remote folder' }), { target: { value: '/srv' } });
  // Enter in a field sends the form, however often it is pressed.
  for (const _ of [1, 2]) fireEvent.submit(screen.getByRole('form'));
  await vi.waitFor(() => expect(host.asked('places.openProject')).toHaveLength(1));
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await act(async () => finish());
  expect(opened).not.toHaveBeenCalled();
  expect(host.asked('places.openProject')).toHaveLength(1);
});

/** The form of a new place, after its button was clicked. */
const addPlace = async (type: () => void) => {
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <PlaceForm place={null} onDone={() => undefined} onCancel={() => undefined} />
    ) : null;
  render(<Gate />);
  await screen.findByRole('button', { name: 'Add place' });
  type();
  fireEvent.click(screen.getByRole('button', { name: 'Add place' }));
};
const put = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const expectAt = async (label: string, message: string) => {
  const field = screen.getByLabelText(label);
  await vi.waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  const note = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  expect(note?.textContent).toBe(message);
  expect(screen.getAllByText(message)).toEqual([note]);
  await vi.waitFor(() => expect(document.activeElement).toBe(field));
  return field;
};

it.each([
  ['a folder', () => {}, 'Folder', 'Enter or choose a folder.'],
  [
    'a region',
    () => {
      put('Kind', 'bucket');
      put('Bucket', 'docs');
      put('Region', ' ');
    },
    'Region',
    'Enter the region of the bucket.',
  ],
  [
    'a usable path',
    () => {
      put('Folder', '/srv');
      put('Path', 'a b');
    },
    'Path',
    'Use letters, digits, dots, dashes and underscores for the path.',
  ],
])('asks at the field for %s, until something is typed', async (_name, type, label, message) => {
  stop = panelHost({}, {}).stop;
  await addPlace(type);
  const field = await expectAt(label, message);
  fireEvent.input(field, { target: { value: 'x' } });
  expect(screen.queryByText(message)).toBeNull();
});

it('says at the path that another place has it', async () => {
  stop = panelHost({}, { 'places.add': () => fail('conflict', 'place_path_taken', { path: '/srv/' }) }).stop;
  await addPlace(() => put('Folder', '/srv'));
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toContain('/srv/'));
  await expectAt('Path', screen.getByRole('alert').textContent ?? '');
});

it('says below the form what is about no field of it', async () => {
  const project = { ...place, isProject: true };
  stop = panelHost(
    {},
    { 'places.editProject': () => fail('conflict', 'place_path_taken', { path: '/srv/' }) },
  ).stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <PlaceForm place={project} onDone={() => undefined} onCancel={() => undefined} />
    ) : null;
  render(<Gate />);
  fireEvent.click(await screen.findByRole('button', { name: 'Save place' }));
  expect((await screen.findByRole('alert')).textContent).toContain('/srv/');
});
