import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { CopyButton } from './markdown/code-block';
import { CopyToldProvider, useCopy } from './use-copy';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('tells what was copied, once it is', async () => {
  const told = vi.fn();
  const Path = () => {
    const copy = useCopy();
    return (
      <button type="button" onClick={() => copy('src/a.ts', 'Path copied')}>
        Copy path
      </button>
    );
  };
  let written = () => {};
  vi.spyOn(navigator.clipboard, 'writeText').mockReturnValueOnce(
    new Promise((resolve) => {
      written = resolve;
    }),
  );
  render(
    <CopyToldProvider value={told}>
      <Path />
    </CopyToldProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Copy path' }));
  expect(told).not.toHaveBeenCalled();
  written();
  await waitFor(() => expect(told.mock.calls).toEqual([['Path copied']]));
});

it('reports that the system refused to copy, and tries again', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText');
  writeText.mockRejectedValueOnce(new DOMException('Document is not focused.', 'NotAllowedError'));
  writeText.mockResolvedValueOnce();
  const told = vi.fn();
  render(
    <CopyToldProvider value={told}>
      <CopyButton text="npm test" />
    </CopyToldProvider>,
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
