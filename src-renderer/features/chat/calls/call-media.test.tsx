import type { CallMedia as Medium } from '@contract/conversation';
import { ThreadId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start } from '../../../link';
import { type FakeHost, fakeHost } from '../../../testing/fake-host';
import { sampleApp } from '../../../testing/samples';
import { CallMedia } from './call-media';

const T = ThreadId.parse('t1');
const picture = (id: string): Medium => ({
  id: id.repeat(64),
  kind: 'image',
  mimeType: 'image/png',
  name: 'chart.png',
  bytes: 75,
  width: 880,
  height: 440,
});

describe('media in a result', () => {
  let host: FakeHost;
  let stop: () => void;
  beforeEach(() => {
    host = fakeHost(sampleApp());
    stop = start(host.port);
  });
  afterEach(() => {
    cleanup();
    stop();
  });

  it('shows an image in space that was reserved for it, and enlarges it on click', async () => {
    host.answers['thread.media'] = () => ok({ mimeType: 'image/png', data: 'AAAA' });
    render(<CallMedia threadId={T} media={[picture('a')]} />);
    const button = screen.getByRole('button');
    expect([button.style.width, button.style.aspectRatio]).toEqual(['440px', '880 / 440']);
    const shown = await screen.findByRole('img', { name: 'Image chart.png' });
    expect(shown.getAttribute('src')).toBe('data:image/png;base64,AAAA');
    fireEvent.click(button);
    expect(button.style.width).toBe('880px');
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(host.calls.filter(({ command }) => command === 'thread.media')).toEqual([
      { command: 'thread.media', input: { threadId: T, mediaId: 'a'.repeat(64) } },
    ]);
  });

  it('shows name and size for other types, and for an image that is gone', async () => {
    host.answers['thread.media'] = () => fail('not_found', 'external', { text: 'Gone.' });
    const document: Medium = {
      id: null,
      kind: 'file',
      mimeType: 'application/pdf',
      name: 'a.pdf',
      bytes: 2_048,
    };
    const { container } = render(<CallMedia threadId={T} media={[picture('b'), document]} />);
    await screen.findByText('This image is no longer available.');
    expect(container.textContent).toBe(
      'Imagechart.png75 BThis image is no longer available.Documenta.pdf2 kB',
    );
    expect(screen.queryByRole('img')).toBeNull();
  });

  it('says why an image that is too large is not shown, and what to do [safety 24]', async () => {
    const why = 'This image is too large to show here. Ask the agent for a smaller one.';
    host.answers['thread.media'] = () => fail('too_large', 'call_picture_too_large');
    const refused: Medium = { ...picture('c'), id: null, refused: 'too_large' };
    render(<CallMedia threadId={T} media={[picture('d'), refused]} />);
    await waitFor(() => expect(screen.getAllByText(why)).toHaveLength(2));
    expect(screen.queryByText('This image is no longer available.')).toBeNull();
  });
});
