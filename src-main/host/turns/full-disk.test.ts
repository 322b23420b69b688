import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { inWords } from '../../contract/testing/in-words';
import { withCode } from '../../contract/testing/with-code';
import { cleanups, FakeWindow, isIdle, isWaiting, setUp, startHost, temp } from '../testing/window';

// Mounting disks and starting hosts takes time on busy machines.
vi.setConfig({ testTimeout: 60_000 });

/** Bytes; enough for the database and its log, and little more. */
const SIZE = 24 * 1024 * 1024;

/** A separate small disk; null if only root may mount one. */
function smallDisk(): string | null {
  const place = temp('disk');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=700`, 'tmpfs', place], {
      stdio: 'ignore',
    });
  } catch {
    return null;
  }
  cleanups.push(() => execFileSync('umount', ['--lazy', place]));
  return place;
}

/** Fills a disk completely. */
function fill(disk: string): () => void {
  const path = join(disk, 'filler');
  const file = openSync(path, 'w');
  try {
    for (const bytes of [1024 * 1024, 4096]) {
      const block = Buffer.alloc(bytes, 1);
      try {
        while (writeSync(file, block) === bytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(file);
  }
  return () => rmSync(path);
}

it('reports what a full disk cannot store, loses nothing, and continues when there is space', async ({
  skip,
}) => {
  const disk = smallDisk();
  if (disk === null) return skip('Only root may mount a disk of its own.');
  const dataDir = join(disk, 'data');
  const t = await setUp({ dataDir });
  await t.say('create a.txt with "1"');
  const waiting = await t.window.until(isWaiting(1));
  const free = fill(disk);
  const approved = inWords(await t.window.decide(0, { type: 'approve' }));
  expect(approved).toMatchObject({
    ok: false,
    error: {
      kind: 'storage',
      message: expect.stringContaining('Make sure that the disk has space') as unknown,
    },
  });
  const sent = await t.window.client.call('thread.send', {
    threadId: t.threadId,
    text: 'a long message '.repeat(100_000),
  });
  expect(sent).toMatchObject({ ok: false });
  expect(existsSync(join(t.folder, 'a.txt'))).toBe(false);
  expect(t.window.state?.turn).toEqual(waiting.turn);

  // An app started on the full disk reports it; the next one finds the earlier data.
  await t.host.close();
  await expect(startHost(dataDir)).rejects.toThrow('Make sure that the disk has space');
  free();
  const host = await startHost(dataDir);
  cleanups.push(() => host.close());
  const next = new FakeWindow(host);
  await next.open(t.threadId);
  expect(next.state?.messages).toEqual(waiting.messages);
  expect(next.state?.approvals).toEqual(waiting.approvals);
  expect(await next.decide(0, { type: 'approve' })).toMatchObject({ ok: true });
  await next.until(isIdle);
  expect(readFileSync(join(t.folder, 'a.txt'), 'utf8')).toBe('1');
});

it('names the full disk if there is no room to open the database', async ({ skip }) => {
  const disk = smallDisk();
  if (disk === null) return skip('Only root may mount a disk of its own.');
  const dataDir = join(disk, 'data');
  await (await startHost(dataDir)).close();
  const free = fill(disk);
  await expect(startHost(dataDir)).rejects.toThrow('the disk is full. Free some space');
  free();
  await (await startHost(dataDir)).close();
});

it('ends a turn when the disk fills up, and asks before it repeats the call', async ({ skip }) => {
  const disk = smallDisk();
  if (disk === null) return skip('Only root may mount a disk of its own.');
  const t = await setUp({ dataDir: join(disk, 'data') });
  const filler = join(disk, 'filler');
  const ran = () => readFileSync(join(t.folder, 'ran'), 'utf8');
  await t.say(`run echo once >> ran; test -e began || { touch began; cat /dev/zero > ${filler}; }`);
  await t.window.until(isWaiting(1));
  await t.window.decide(0, { type: 'approve' });
  const failed = await t.window.until((state) => isIdle(state) || state.turn.phase === 'failed');
  expect(failed.turn).toMatchObject({ phase: 'failed', error: { kind: 'storage' } });
  expect(failed.messages.at(-1)).toMatchObject({ role: 'notice', error: { kind: 'storage' } });
  expect(ran()).toBe('once\n');
  rmSync(filler);
  await t.window.must('thread.retry', { threadId: t.threadId });
  const { approvals } = await t.window.until((state) => isIdle(state) || isWaiting(1)(state));
  expect(approvals).toMatchObject([{ risk: 'high', reason: withCode('started_before') }]);
  expect(ran()).toBe('once\n');
  await t.window.decide(0, { type: 'approve' });
  await t.window.until(isIdle);
  expect(ran()).toBe('once\nonce\n');
  await t.window.open(t.threadId);
  expect(t.host.storage.messages.all(t.threadId)).toEqual(t.window.state?.messages);
});
