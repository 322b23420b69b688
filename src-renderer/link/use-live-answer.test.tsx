import { ProjectId } from '@contract/ids';
import { ok } from '@contract/result';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { panelHost } from '../testing/panel-host';
import { usePort } from './hooks';
import { useLiveAnswer } from './use-live-answer';

beforeEach(() => {
  vi.useFakeTimers();
});
let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
  vi.useRealTimers();
});

const NO_EVENTS = [] as const;
const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('is answered while files change all the time, and once more after the last change', async () => {
  let asked = 0;
  const host = panelHost(
    {},
    {
      'memories.list': async () => {
        asked += 1;
        await new Promise((done) => setTimeout(done, 1_000));
        return ok({ memories: [] });
      },
    },
  );
  stop = host.stop;
  const answered = vi.fn();
  const Shown = () => {
    const { answer } = useLiveAnswer('memories.list', {});
    if (answer.phase === 'loaded') answered();
    return null;
  };
  const Gate = () => (usePort().phase === 'ready' ? <Shown /> : null);
  render(<Gate />);
  await later(100);
  for (let at = 0; at < 50; at += 1) {
    host.emit({
      type: 'files.changed',
      projectId: ProjectId.parse('p'),
      directories: [],
      files: [],
      all: true,
    });
    await later(100);
  }
  expect(answered.mock.calls.length).toBeGreaterThan(2);
  const before = asked;
  for (let at = 0; at < 50; at += 1) await later(100);
  expect(asked).toBeGreaterThan(before);
  expect(answered.mock.calls.length).toBe(asked);
});

it('is repeated five seconds after a slow answer at the latest', async () => {
  let asked = 0;
  const host = panelHost(
    {},
    {
      'memories.list': async () => {
        asked += 1;
        await new Promise((done) => setTimeout(done, 2_000));
        return ok({ memories: [] });
      },
    },
  );
  stop = host.stop;
  const Shown = () => {
    useLiveAnswer('memories.list', {}, NO_EVENTS, true);
    return null;
  };
  const Gate = () => (usePort().phase === 'ready' ? <Shown /> : null);
  render(<Gate />);
  await later(100);
  expect(asked).toBe(1);
  await later(2_000);
  await later(4_500);
  expect(asked).toBe(1);
  await later(1_000);
  expect(asked).toBe(2);
});
