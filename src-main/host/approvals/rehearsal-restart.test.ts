import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { Approval } from '../../contract/approvals';
import { openStorage } from '../../storage';
import { isIdle, isWaiting } from '../testing/window';
import { execute, isOver, rehearsing } from './testing/rehearsing';

vi.setConfig({ testTimeout: 60_000 });

/** Leaves the database as a kill leaves it after the person chose to keep and before the call has a result. */
function killedWhileKeeping(dataDir: string, { threadId, id, digest }: Approval, manifest: string): void {
  const opened = openStorage(join(dataDir, 'deepdesk.db'));
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  const { threads, approvals } = opened.value;
  approvals.take(threadId, id, digest, { type: 'keep', manifest }, Date.now());
  const turn = threads.get(threadId)?.turn;
  if (turn?.phase !== 'waiting') throw new Error('The turn does not wait.');
  threads.change(threadId, { turn: { phase: 'running', turnId: turn.turnId, startedAt: Date.now() } });
  opened.value.close();
}

/** Records what `recoverKeeps` records of a keep that it finished. */
function recordKept(dataDir: string): void {
  const records = join(dataDir, 'rehearsals/records');
  for (const name of readdirSync(records)) {
    const record = JSON.parse(readFileSync(join(records, name), 'utf8'));
    writeFileSync(
      join(records, name),
      JSON.stringify({ ...record, kept: { paths: ['a.txt'], isAll: false } }),
    );
  }
}

describe('a command in a throwaway layer, after a restart or a lost layer', () => {
  it('is still pending after a restart and can be kept then', async () => {
    const t = await rehearsing('ask-risky', [[execute('date +%s%N > a.txt; cat a.txt')]]);
    await t.say('go');
    await t.window.until(isOver);
    const { manifest, output } = t.outcome();
    const window = await t.restarted();
    expect(window.state?.approvals[0]?.outcome).toMatchObject({ manifest });
    await window.decide(0, { type: 'keep', manifest });
    await window.until(isIdle);
    expect(t.text('a.txt')?.trim()).toBe(output.split('\n')[0]);
  });

  it.each([
    ['asks again after a kill before anything was kept', false],
    ['tells the agent after a kill when all was kept', true],
  ])('%s', async (_title, wasKept) => {
    const t = await rehearsing('ask-risky', [[execute('echo a > a.txt')]]);
    await t.say('go');
    await t.window.until(isOver);
    const { manifest } = t.outcome();
    const [approval] = t.window.state?.approvals ?? [];
    const window = await t.restarted(() => {
      killedWhileKeeping(t.dataDir, approval as Approval, manifest);
      if (wasKept) recordKept(t.dataDir);
    });
    if (wasKept) {
      await window.until(({ turn }) => turn.phase === 'interrupted');
      await window.must('thread.retry', { threadId: t.threadId });
      await window.until(isIdle);
      expect(window.calls[0]).toMatchObject({ rehearsal: { state: 'kept_in_part', paths: 1 } });
    } else {
      const { approvals } = await window.until(isWaiting(1));
      expect(approvals[0]?.outcome).toMatchObject({ manifest });
      expect(t.text('a.txt')).toBeNull();
      await window.decide(0, { type: 'keep', manifest });
      await window.until(isIdle);
      expect(t.text('a.txt')).toBe('a\n');
    }
  });

  it('reports that its layer is gone, removes what is left of it, and can run again', async () => {
    const t = await rehearsing('ask-risky', [[execute('echo a > a.txt')]]);
    await t.say('go');
    await t.window.until(isOver);
    const { manifest, layer } = t.outcome();
    rmSync(join(t.layers, layer, 'manifest'));
    await t.window.decide(0, { type: 'keep', manifest });
    const lost = await t.window.until((state) => state.approvals[0]?.outcome?.lost === true);
    expect(lost.approvals[0]?.allowed).toEqual(expect.arrayContaining(['again', 'discard']));
    await t.window.decide(0, { type: 'again' });
    const again = await t.window.until(
      (state) => isWaiting(1)(state) && state.approvals[0]?.outcome?.lost === undefined,
    );
    expect(readdirSync(t.layers)).toEqual([again.approvals[0]?.outcome?.layer]);
    await t.window.decide(0, { type: 'keep', manifest: t.outcome().manifest });
    await t.window.until(isIdle);
    expect(t.text('a.txt')).toBe('a\n');
  });
});
