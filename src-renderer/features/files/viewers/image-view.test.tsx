import { ProjectId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { usePort } from '../../../link';
import { panelHost } from '../../../testing/panel-host';
import { ImageView } from './image-view';

const place = { projectId: ProjectId.parse('p'), threadId: null, path: '/home/me/api/photo.png' };
let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
  vi.restoreAllMocks();
});

it('keeps the point under the pointer in place when the image is enlarged', async () => {
  const host = panelHost(
    {},
    { 'files.address': () => ok({ url: 'app://file/photo.png', mimeType: 'image/png', size: 9 }) },
  );
  stop = host.stop;
  const Gate = () => (usePort().phase === 'ready' ? <ImageView place={place} /> : null);
  render(<Gate />);
  const image = await screen.findByRole<HTMLImageElement>('img', { name: 'photo.png' });
  for (const [name, value] of [
    ['naturalWidth', 1_000],
    ['naturalHeight', 500],
  ] as const)
    Object.defineProperty(image, name, { configurable: true, value });
  const box = image.parentElement;
  if (box === null) throw new Error('It has no parent.');
  // Lays the image out as a browser would: at the start of the scroll area, with the given width.
  vi.spyOn(image, 'getBoundingClientRect').mockImplementation(() => {
    const width = Number.parseFloat(image.style.width) || 1_000;
    return new DOMRect(-box.scrollLeft, -box.scrollTop, width, width / 2);
  });
  vi.spyOn(box, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 400, 300));
  fireEvent.load(image);
  fireEvent.click(screen.getByRole('button', { name: 'Actual size' }));
  // A wheel event of the test DOM has no modifier keys and no position.
  const turn = new MouseEvent('wheel', { ctrlKey: true, clientX: 320, clientY: 80, cancelable: true });
  fireEvent(box, Object.assign(turn, { deltaY: -1 }));
  expect(image.style.width).toBe('1250px');
  // At 1.25 times the size, the point at 320, 80 would be at 400, 100.
  expect([box.scrollLeft, box.scrollTop]).toEqual([80, 20]);
});
