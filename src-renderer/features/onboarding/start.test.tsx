import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { sampleProject } from '../../testing/samples';
import { Start } from './start';

let stop = () => {};
const onModel = vi.fn();
const onFill = vi.fn();
afterEach(() => {
  cleanup();
  stop();
});

async function firstScreen(
  fallbackRuntime: string | null,
  more = {},
  models: object = { providers: [], keychain: true, overrides: {} },
) {
  const settings = {
    theme: 'system',
    language: 'en',
    model: 'offline:guide',
    onboarded: false,
    spending: { thread: null, day: null },
    fallbacks: [],
  };
  const answers = { 'files.list': () => ok({ entries: [], total: 0, nextOffset: null }), ...more };
  stop = panelHost({ fallbackRuntime, settings, models } as never, answers).stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <Start
        project={sampleProject()}
        model="offline:guide"
        modelPicker={null}
        modes={null}
        onUse={() => {}}
        onFill={onFill}
        onChooseFolder={() => {}}
        onModel={onModel}
      />
    ) : null;
  render(<Gate />);
  await screen.findByRole('heading', { name: 'Welcome to Deepdesk' });
}

it('says on the first screen that it runs on a different Electron', async () => {
  await firstScreen('33.2.1');
  expect(screen.getByText('Runs on Electron 33.2.1 (fallback runtime)')).toBeDefined();
});

it('shows what is chosen in the other steps', async () => {
  await firstScreen(null);
  expect(screen.getByRole('button', { name: /^Model/ }).textContent).toContain('Offline assistant');
  expect(screen.getByRole('button', { name: /^Approvals/ }).textContent).toContain('Ask before changes');
  fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  expect(screen.getByRole('button', { name: /^Folder/ }).textContent).toContain(sampleProject().name);
});

it('fills in the first prompt once the last step is open', async () => {
  await firstScreen(null);
  for (let step = 1; step < 4; step += 1) {
    expect(onFill).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  }
  expect(onFill.mock.calls).toEqual([['create notes.md with "First note"', undefined]]);
});

it('says nothing on the bundled Electron', async () => {
  await firstScreen(null);
  expect(screen.queryByText(/Runs on Electron/)).toBeNull();
});

const services = (tested: boolean) => ({
  keychain: true,
  overrides: {},
  providers: [
    {
      id: 'anthropic',
      needsKey: true,
      key: 'environment',
      keyVariable: 'ANTHROPIC_API_KEY',
      baseUrl: null,
      needsBaseUrl: false,
      ready: true,
      models: [{ name: 'claude-sonnet-4-5', label: 'Claude' }],
    },
    {
      id: 'ollama',
      needsKey: false,
      key: 'none',
      baseUrl: null,
      needsBaseUrl: false,
      ready: true,
      ...(tested ? { tested: true } : {}),
      models: [{ name: 'qwen3', label: 'qwen3' }],
    },
  ],
});

it('offers a key of the environment and a server on this machine, and uses them with one click', async () => {
  const tests: unknown[] = [];
  const answers = {
    'models.test': (input: unknown) => {
      tests.push(input);
      return ok({ outcome: tests.length === 1 ? 'bad_key' : 'answered', model: 'm', took: 1 });
    },
  };
  await firstScreen(null, answers, services(true));
  expect(screen.getByRole('button', { name: /^Model/ }).textContent).toContain('2 model services found');
  fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  const rows = screen.getByRole('list', { name: 'Models found' });
  expect(rows.textContent).toContain('Key in ANTHROPIC_API_KEY');
  expect(rows.textContent).toContain('http://127.0.0.1:11434 · 1 model · Ready');
  fireEvent.click(screen.getByRole('button', { name: 'Use qwen3' }));
  expect([tests, onModel.mock.calls]).toEqual([[], [['ollama:qwen3']]]);
  // A key that the service refuses is not used.
  fireEvent.click(screen.getByRole('button', { name: 'Use claude-sonnet-4-5' }));
  await screen.findByText(/did not accept|rejected|key/i, { selector: '[role=alert] *' });
  expect(onModel).toHaveBeenCalledTimes(1);
  fireEvent.click(screen.getByRole('button', { name: 'Use claude-sonnet-4-5' }));
  await waitFor(() => expect(onModel).toHaveBeenLastCalledWith('anthropic:claude-sonnet-4-5'));
});
