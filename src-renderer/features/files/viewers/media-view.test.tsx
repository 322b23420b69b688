import { ProjectId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { usePort } from '../../../link';
import { panelHost } from '../../../testing/panel-host';
import { MediaView } from './media-view';

const place = { projectId: ProjectId.parse('p'), threadId: null, path: '/home/me/api/talk.webm' };
let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
  vi.restoreAllMocks();
});

/** A video of the given size whose metadata has loaded. */
const showVideo = async (width: number, height: number) => {
  const host = panelHost(
    {},
    { 'files.address': () => ok({ url: 'app://file/talk.webm', mimeType: 'video/webm', size: 9 }) },
  );
  stop = host.stop;
  const load = vi.spyOn(HTMLMediaElement.prototype, 'load').mockReturnValue(undefined);
  const Gate = () => (usePort().phase === 'ready' ? <MediaView place={place} kind="video" /> : null);
  render(<Gate />);
  const video = await screen.findByLabelText<HTMLVideoElement>('talk.webm');
  expect(video.controls).toBe(false);
  Object.defineProperty(video, 'videoWidth', { value: width });
  Object.defineProperty(video, 'videoHeight', { value: height });
  fireEvent.loadedMetadata(video);
  return { video, load };
};

it('allows a video to play once it is measured', async () => {
  const { video } = await showVideo(10_000, 10_000);
  expect(video.isConnected).toBe(true);
  expect(video.controls).toBe(true);
});

it('refuses a video with more than 100 megapixels in a frame, and releases its source', async () => {
  const { video, load } = await showVideo(10_001, 10_000);
  expect(screen.getByRole('alert').textContent).toContain('This video is too large to show here');
  expect(video.isConnected).toBe(false);
  expect(video.getAttribute('src')).toBeNull();
  expect(load).toHaveBeenCalled();
});
