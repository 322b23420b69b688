import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { CopyButton } from './markdown/code-block';
import { CopyFailedProvider } from './use-copy';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('reports that the system refused to copy, and tries again', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText');
  writeText.mockRejectedValueOnce(new DOMException('Document is not focused.', 'NotAllowedError'));
  writeText.mockResolvedValueOnce();
  const told = vi.fn();
  render(
    <CopyFailedProvider value={told}>
      <CopyButton text="npm test" />
    </CopyFailedProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
  await waitFor(() => expect(told).toHaveBeenCalledOnce());
  const [message, again] = told.mock.lastCall ?? [];
  expect([message, again.label]).toEqual([
    "Couldn't copy. Try again, or select and copy the text.",
    'Try again',
  ]);
  expect(screen.queryByRole('button', { name: 'Copied' })).toBeNull();
  again.run();
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy();
  expect(writeText.mock.calls).toEqual([['npm test'], ['npm test']]);
});
