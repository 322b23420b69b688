import { ThreadId } from '@contract/ids';
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => localStorage.clear());

const threadId = ThreadId.parse('of-commits');

/** As after a restart: modules start empty, and the browser's storage is kept. */
async function startAgain() {
  vi.resetModules();
  const { useCommitDraft } = await import('./use-commit-draft');
  return renderHook(() => useCommitDraft(threadId));
}

it('keeps the message of a commit across a restart, until it is committed', async () => {
  const first = await startAgain();
  expect(first.result.current).toMatchObject({ message: '', isAmend: false });
  act(() => first.result.current.change({ message: 'Fix the' }));
  act(() => first.result.current.change({ isAmend: true }));
  const second = await startAgain();
  expect(second.result.current).toMatchObject({ message: 'Fix the', isAmend: true });
  act(() => second.result.current.change({ message: '', isAmend: false }));
  expect((await startAgain()).result.current).toMatchObject({ message: '', isAmend: false });
  expect(localStorage).toHaveLength(0);
});

it('takes a kept value of another form for none', async () => {
  localStorage.setItem(`deepdesk:commit:${threadId}`, '["Fix"');
  expect((await startAgain()).result.current).toMatchObject({ message: '', isAmend: false });
});
