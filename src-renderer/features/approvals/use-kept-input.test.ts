import type { Approval } from '@contract/approvals';
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { questionApproval } from '../../testing/sample-approvals';

afterEach(() => localStorage.clear());

/** As after a restart: modules start empty, and the browser's storage is kept. */
async function startAgain() {
  vi.resetModules();
  const { forgetInput, isRecordOf, isText, useWrittenInput } = await import('./use-kept-input');
  const fieldOf = (approval: Approval) =>
    renderHook(() => useWrittenInput(approval, 'reason', isText, () => ''));
  const write = (approval: Approval, text: string) => {
    const { result } = fieldOf(approval);
    act(() => result.current[1](() => text));
  };
  const read = (approval: Approval) => fieldOf(approval).result.current[0];
  return { forgetInput, isRecordOf, isText, write, read };
}

it('keeps what was written in a card across a restart, until the call is decided or asks for something else', async () => {
  const approval = questionApproval({ id: 'a' });
  (await startAgain()).write(approval, 'because');
  const { read, forgetInput } = await startAgain();
  expect(read(approval)).toBe('because');
  expect(read({ ...approval, digest: 'another' })).toBe('');
  forgetInput(approval);
  expect(read(approval)).toBe('');
  expect(localStorage).toHaveLength(0);
});

it('takes a kept value of another form for none', async () => {
  const approval = questionApproval({ id: 'b' });
  const first = await startAgain();
  first.write(approval, 'because');
  const [key = ''] = Object.keys(localStorage);
  for (const text of ['{', '{"at":1}', '{"at":1,"fields":{"reason":7}}', '[]']) {
    localStorage.setItem(key, text);
    expect((await startAgain()).read(approval)).toBe('');
  }
  expect(first.isRecordOf(first.isText)({ one: 'a' })).toBe(true);
  expect(first.isRecordOf(first.isText)({ one: 1 })).toBe(false);
  expect(first.isRecordOf(first.isText)(['a'])).toBe(false);
});

it('keeps the fields of the latest thirty cards', async () => {
  vi.spyOn(Date, 'now').mockImplementation(() => 1_000 + localStorage.length);
  const { write } = await startAgain();
  const idOf = (card: number) => questionApproval({ id: `card-${card}` });
  for (let card = 0; card < 32; card += 1) write(idOf(card), `${card}`);
  expect(localStorage).toHaveLength(30);
  const { read } = await startAgain();
  expect([0, 1, 2, 31].map((card) => read(idOf(card)))).toEqual(['', '', '2', '31']);
  vi.restoreAllMocks();
});
