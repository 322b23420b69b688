import { PlaceId, ProjectId } from '@contract/ids';
import { DEFAULT_PLACE_POLICY } from '@contract/places';
import { ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { panelHost } from '../../testing/panel-host';
import { sampleProject } from '../../testing/samples';
import { MissingFolder } from './missing-folder';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('checks for the folder repeatedly, one check at a time, until it is unmounted', async () => {
  vi.useFakeTimers();
  const project = sampleProject({ id: 'p', name: 'api', folder: '/p', missing: true });
  const answers: (() => void)[] = [];
  const host = panelHost(
    { projects: [project] },
    { 'project.look': () => new Promise((resolve) => answers.push(() => resolve(ok(project)))) },
  );
  const { unmount } = render(<MissingFolder project={project} />);
  const wait = () => act(() => vi.advanceTimersByTimeAsync(10_000));
  await wait();
  expect(host.asked('project.look')).toEqual([{ projectId: 'p' }]);
  answers.shift()?.();
  await wait();
  expect(host.asked('project.look')).toHaveLength(2);
  unmount();
  answers.shift()?.();
  await wait();
  expect(host.asked('project.look')).toHaveLength(2);
  host.stop();
});

it('checks for the folder immediately on request', async () => {
  vi.useFakeTimers();
  const project = sampleProject({ id: 'p', name: 'api', folder: '/p', missing: true });
  const host = panelHost(
    { projects: [project] },
    { 'project.look': () => ok({ ...project, missing: false }) },
  );
  render(<MissingFolder project={project} />);
  fireEvent.click(screen.getByRole('button', { name: 'Check again' }));
  // Less than the time between two checks.
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(host.asked('project.look')).toEqual([{ projectId: 'p' }]);
  host.stop();
});

it.each([
  ['unused', 1],
  ['offline', 0],
] as const)(
  'connects to the computer of a project automatically if it is %s since the start',
  async (phase, times) => {
    const placeId = PlaceId.parse('there');
    const project = sampleProject({ id: 'p', missing: true, remote: { placeId, machine: 'build' } });
    const place = {
      id: placeId,
      path: '/srv/app/',
      options: { kind: 'ssh' as const, host: 'build', folder: '/srv/app', hostKeys: [] },
      projectId: ProjectId.parse('p'),
      policy: DEFAULT_PLACE_POLICY,
      createdAt: 0,
      state: { phase, since: 0, error: null },
      hasSecret: false,
      runsCommands: true,
      isProject: true,
    };
    const host = panelHost(
      { projects: [project] },
      {
        'places.list': () => ok({ places: [place], keychain: true }),
        'project.look': () => ok(project),
      },
    );
    const { findByText } = render(<MissingFolder project={project} />);
    expect(
      await findByText("Can't reach build. The project is on hold. Everything else continues."),
    ).toBeDefined();
    await vi.waitFor(() => expect(host.asked('places.list')).toHaveLength(1));
    await vi.waitFor(() => expect(host.asked('project.look')).toHaveLength(times));
    host.stop();
  },
);
