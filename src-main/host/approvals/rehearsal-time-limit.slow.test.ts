import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Approval } from '../../contract/approvals';
import type { ThreadState } from '../../contract/conversation';
import type { Part } from '../testing/slow-model';
import { isIdle } from '../testing/window';
import { isOver, rehearsing } from './testing/rehearsing';

vi.setConfig({ testTimeout: 60_000 });

/** A command that runs until there is a file. */
const SLOW: Part = { name: 'execute', args: { command: 'sh wait.sh', timeout: 1 } };
const WAITING = {
  'wait.sh': 'echo $$ >> a.txt; echo started; until [ -e go ]; do sleep 0.05; done; echo over\n',
};

/** While the turn runs. */
const isAsked = ({ approvals }: ThreadState) => approvals.length === 1;

describe('a command in a throwaway layer, at its time limit', () => {
  it('runs on at its time limit while the person is asked, and ends as they say', async () => {
    const t = await rehearsing('ask-risky', [[SLOW]], WAITING);
    await t.say('go');
    const { approvals, turn } = await t.window.until(isAsked);
    expect(turn.phase).toBe('running');
    expect(approvals[0]).toMatchObject({
      preview: { kind: 'timeout', command: 'sh wait.sh', seconds: 1 },
      allowed: ['wait', 'reject'],
      risk: 'low',
    });
    await t.window.decide(0, { type: 'wait' });
    await t.window.until((state) => state.approvals.length === 0 && t.window.calls[0]?.status === 'running');
    // It has the same time again, and is asked about again.
    const again = await t.window.until(isAsked);
    expect(again.approvals[0]?.id).not.toBe(approvals[0]?.id);
    const [layer = ''] = readdirSync(t.layers);
    writeFileSync(join(t.layers, layer, 'merged/go'), '');
    await t.window.until((state) => state.approvals[0]?.outcome !== undefined);
    expect(t.outcome()).toMatchObject({ exitCode: 0, output: expect.stringMatching(/started\nover/) });
    expect(t.outcome().limit).toBeUndefined();
    expect(t.window.state?.approvals).toHaveLength(1);
    await t.window.decide(0, { type: 'keep', manifest: t.outcome().manifest });
    await t.window.until(isIdle);
    // One process wrote it: it started once.
    expect(t.text('a.txt')?.trim().split('\n')).toHaveLength(1);
  });

  it('stops when nobody decides about its time limit, or the turn is stopped first', async () => {
    const slow: Part = { name: 'execute', args: { command: 'tail -f /dev/null', timeout: 1 } };
    const t = await rehearsing('ask-risky', [[slow]]);
    await t.say('go');
    await t.window.until(isAsked);
    await t.window.must('thread.stop', { threadId: t.threadId });
    const { approvals } = await t.window.until(isIdle);
    expect(approvals).toEqual([]);
    expect(t.window.calls[0]?.status).toBe('cancelled');
    expect(readdirSync(t.layers)).toEqual([]);
  });

  it('withdraws the question after a restart', async () => {
    const slow: Part = { name: 'execute', args: { command: 'tail -f /dev/null', timeout: 1 } };
    const t = await rehearsing('ask-risky', [[slow]]);
    await t.say('go');
    await t.window.until(isAsked);
    const window = await t.restarted();
    await window.until(({ turn }) => turn.phase === 'interrupted');
    expect(window.state?.approvals).toEqual([]);
  });

  it.each([
    [true, { exitCode: 0, output: expect.stringContaining('over') }],
    [false, { limit: 'time' }],
  ] as const)('lets the start option decide without a person (continues: %s)', async (goesOn, ended) => {
    const asked: string[] = [];
    const overtime = async ({ preview }: Approval) => {
      if (preview.kind === 'timeout') asked.push(preview.command);
      const [layer = ''] = readdirSync(t.layers);
      if (goesOn) writeFileSync(join(t.layers, layer, 'merged/go'), '');
      return goesOn;
    };
    const t = await rehearsing('ask-risky', [[SLOW]], WAITING, { overtime });
    await t.say('go');
    await t.window.until(isOver);
    expect(asked[0]).toBe('sh wait.sh');
    expect(t.outcome()).toMatchObject(ended);
  });

  it('offers more time after a timeout', async () => {
    const slow: Part = { name: 'execute', args: { command: 'echo a > a.txt; tail -f a.txt', timeout: 1 } };
    const t = await rehearsing('ask-risky', [[slow]]);
    await t.say('go');
    await t.window.until(isAsked);
    await t.window.decide(0, { type: 'reject' });
    const { approvals } = await t.window.until((state) => state.approvals[0]?.outcome !== undefined);
    expect(approvals[0]).toMatchObject({
      outcome: { limit: 'time', rows: [{ path: 'a.txt' }] },
      allowed: expect.arrayContaining(['wait', 'run', 'keep', 'discard']),
    });
    await t.window.decide(0, { type: 'wait' });
    const { layer } = approvals[0]?.outcome ?? {};
    await t.window.until(({ turn }) => turn.phase === 'running');
    await t.window.until(() => t.window.calls[0]?.status === 'running');
    await t.window.must('thread.stop', { threadId: t.threadId });
    await t.window.until(isIdle);
    expect(layer).toBeDefined();
    expect([t.text('a.txt'), readdirSync(t.layers)]).toEqual([null, []]);
  });
});
