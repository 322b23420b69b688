import { cleanup, render, screen } from '@testing-library/react';
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
  stop = panelHost({ fallbackRuntime, settings } as never, {}).stop;
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

it('says nothing on the bundled Electron', async () => {
  await firstScreen(null);
  expect(screen.queryByText(/Runs on Electron/)).toBeNull();
});
