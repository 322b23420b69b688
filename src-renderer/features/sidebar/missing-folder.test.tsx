import { ok } from '@contract/result';
import { act, cleanup, render } from '@testing-library/react';
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
