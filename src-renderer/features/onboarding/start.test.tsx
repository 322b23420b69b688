import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { sampleProject } from '../../testing/samples';
import { Start } from './start';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

async function firstScreen(fallbackRuntime: string | null) {
  const settings = {
    theme: 'system',
    language: 'en',
    model: 'offline:guide',
    onboarded: false,
    spending: { thread: null, day: null },
    fallbacks: [],
  };
  const answers = { 'files.list': () => ok({ entries: [], total: 0, nextOffset: null }) };
  stop = panelHost({ fallbackRuntime, settings } as never, answers).stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <Start
        project={sampleProject()}
        model="offline:guide"
        modelPicker={null}
        modes={null}
        onUse={() => {}}
        onChooseFolder={() => {}}
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

it('says nothing on the bundled Electron', async () => {
  await firstScreen(null);
  expect(screen.queryByText(/Runs on Electron/)).toBeNull();
});
