import { ProjectId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, it } from 'vitest';
import { usePort } from '../../../link';
import { giveElementsSize } from '../../../testing/layout';
import { panelHost } from '../../../testing/panel-host';
import { HexView } from './hex-view';

giveElementsSize();
let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

it('shows the bytes of a file that changed', async () => {
  let text = 'before';
  const host = panelHost({}, { 'files.bytes': () => ok({ data: btoa(text), size: text.length }) });
  stop = host.stop;
  const projectId = ProjectId.parse('p');
  const place = { projectId, threadId: null, path: '/home/me/api/data.bin' };
  const Gate = () => (usePort().phase === 'ready' ? <HexView place={place} size={null} /> : null);
  render(<Gate />);
  await screen.findByText(/^before/);
  text = 'afterwards';
  const directories = ['/home/me/api'];
  host.emit({ type: 'files.changed', projectId, directories, files: [place.path], all: false });
  await screen.findByText(/^afterwards/);
});
