import { describe, expect, it } from 'vitest';
import { StateBackend } from '../harness/backends';
import { createGate } from './gate';

const folder = '/home/me/project';

/** Verdict and risk of a call on an empty folder. */
async function judge(tool: string, args: Record<string, unknown>): Promise<string> {
  const backend = new StateBackend({ files: { read: () => ({}), send: () => undefined } });
  const gate = createGate({ places: { folder, memories: '/memories' }, backend, timeoutSeconds: 1 });
  const judged = await gate.judge({ callId: 'c', tool, args }, new AbortController().signal);
  return judged.verdict === 'ask' ? `ask, ${judged.question.risk}` : judged.verdict;
}

const write = (path: string) => judge('write_file', { file_path: path, content: 'x' });

describe('names that need approval', () => {
  it.each([
    ['/x/gpj.\u202eexe', 'P43'],
    ['/x/a\u200bb.txt', 'P44'],
    ['/x/two\nlines.txt', 'P47'],
    ['/x/\u001b[2J.md', 'P48'],
    ['/x/a.txt\u{e0041}', 'P44'],
    ['/x/a.txt\u00a0', 'P44'],
    ['/x/\u034fa.txt', 'P44'],
  ])('include new names that hide something: %j [%s]', async (name) => {
    expect(await write(`${folder}${name}`)).toBe('ask, high');
    expect(await write(`/memories${name}`)).toBe('ask, high');
    const remove = { file_path: `${folder}${name}` };
    expect([await judge('read_file', remove), await judge('delete', remove)]).toEqual(['allow', 'ask, high']);
    expect(await write('/memories/x/plain.md')).toBe('allow');
    expect(await write(`${folder}/x/plain.md`)).toBe('ask, low');
  });

  it.skipIf(process.platform === 'win32')('are judged in the form that is used [safety 31]', async () => {
    expect(await write(`${folder}/a\\b`)).toBe('ask, low');
    expect(await write(`${folder}/a\\xffb`)).toBe('ask, low');
    // Other spellings of the folder, which would never be written to.
    for (const path of ['/home/me/proj\\x65ct/x', '/home/me\\x2fproject/x', `${folder}/\\x2e\\x2e/x`])
      expect([path, await write(path)]).toEqual([path, 'deny']);
  });
});
