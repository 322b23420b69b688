import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { english } from '../../../src-renderer/i18n/english';
import type { Approval, Decision } from '../../contract/approvals';
import { because } from '../../contract/shared/reasons';
import { LocalShellBackend } from '../../harness/backends';
import { SlowModel } from '../testing/slow-model';
import { isIdle, isWaiting, setUp, temp } from '../testing/window';

vi.setConfig({ testTimeout: 60_000 });
afterEach(() => vi.restoreAllMocks());
const NO_SANDBOX = { sandbox: { kind: null, reason: because('bubblewrap_missing') } } as const;

/** Runs `change` at the last moment before a command starts, after the decision and with its tool already running. */
function atStart(change: (start: number) => void): { starts: number } {
  const seen = { starts: 0 };
  const execute = LocalShellBackend.prototype.execute;
  vi.spyOn(LocalShellBackend.prototype, 'execute').mockImplementation(function (
    this: LocalShellBackend,
    ...args
  ) {
    change(++seen.starts);
    return execute.apply(this, args);
  });
  return seen;
}

async function asking(args: Record<string, unknown>, files: Record<string, string> = {}) {
  const t = await setUp(NO_SANDBOX);
  const write = (name: string, text: string) => writeFileSync(join(t.folder, name), text, { mode: 0o755 });
  for (const [name, text] of Object.entries(files)) write(name, text);
  const model = SlowModel.into(t.host, [[{ name: 'execute', args }]]);
  await t.say('go');
  const seen: string[] = [];
  const card = async (): Promise<Approval> => {
    const state = await t.window.until(
      (now) => isWaiting(1)(now) && !seen.includes(now.approvals[0]?.digest ?? ''),
    );
    const [approval] = state.approvals;
    if (approval === undefined) throw new Error('Nothing waits.');
    seen.push(approval.digest);
    return approval;
  };
  const decide = (decision: Decision) => t.window.decide(0, decision);
  const ran = (name: string) => existsSync(join(t.folder, name));
  return { ...t, model, write, card, decide, ran };
}

describe.runIf(process.platform !== 'win32')('the last check before a command starts', () => {
  it.each([
    ['sh x.sh', 'x.sh', 'touch shown', 'touch other', {}],
    ['sh x.sh', 'x.sh', 'touch shown', 'touch other', { background: true }],
    [
      'npm run build',
      'package.json',
      '{"scripts":{"build":"touch shown"}}',
      '{"scripts":{"build":"touch other"}}',
      {},
    ],
  ])(
    '%s: asks again if %s changes between decision and start, and then runs what was shown [safety 9]',
    async (command, file, before, after, more) => {
      const t = await asking({ command, ...more }, { [file]: before });
      const seen = atStart((start) => start === 1 && t.write(file, after));
      await t.card();
      await t.decide({ type: 'approve' });
      const again = await t.card();
      expect(seen.starts).toBe(1);
      expect([t.ran('shown'), t.ran('other')]).toEqual([false, false]);
      expect(again.changed).toMatchObject([{ what: 'file', name: join(t.folder, file) }]);
      expect(t.window.calls[0]?.status).toBe('waiting');
      await t.decide({ type: 'approve' });
      await t.window.until(isIdle);
      await vi.waitFor(() => expect(t.ran('other')).toBe(true), { timeout: 20_000 });
      expect(t.ran('shown')).toBe(false);
    },
  );

  it('runs neither a script that changed while pending, nor one that changes again at the start [safety 9]', async () => {
    const t = await asking({ command: 'sh x.sh' }, { 'x.sh': 'touch one' });
    atStart((start) => start === 1 && t.write('x.sh', 'touch three'));
    await t.card();
    t.write('x.sh', 'touch two');
    await t.decide({ type: 'approve' });
    const second = await t.card();
    expect(JSON.stringify(second.changed)).toContain('+touch two');
    await t.decide({ type: 'approve' });
    const third = await t.card();
    expect(JSON.stringify(third.changed)).toContain('+touch three');
    await t.decide({ type: 'reject' });
    await t.window.until(isIdle);
    expect(['one', 'two', 'three'].filter(t.ran)).toEqual([]);
    expect(t.window.calls[0]?.status).toBe('rejected');
  });

  it('asks about an auto-approved command if a path in it now leads outside the folder [safety 3]', async () => {
    const outside = join(temp('outside'), 'private.txt');
    writeFileSync(outside, 'private words');
    const t = await setUp(NO_SANDBOX);
    const name = join(t.folder, 'a.txt');
    writeFileSync(name, 'own words');
    SlowModel.into(t.host, [[{ name: 'execute', args: { command: 'cat a.txt' } }]]);
    atStart(() => {
      rmSync(name);
      symlinkSync(outside, name);
    });
    await t.say('go');
    const { approvals } = await t.window.until((now) => isWaiting(1)(now) || isIdle(now));
    expect(english.sentences(approvals[0]?.reason ?? [])).toContain('outside your folder');
    expect(JSON.stringify(t.window.state)).not.toContain('private words');
  });

  it('does not run an edited command if its script changes at the start [safety 9]', async () => {
    const t = await asking({ command: 'sh x.sh' }, { 'x.sh': 'touch shown', 'y.sh': 'touch typed' });
    const seen = atStart(() => t.write('y.sh', 'touch other'));
    await t.card();
    await t.decide({ type: 'edit', args: { command: 'sh y.sh' } });
    await t.window.until(isIdle);
    expect(seen.starts).toBe(1);
    expect(['shown', 'typed', 'other'].filter(t.ran)).toEqual([]);
    expect(t.window.calls[0]).toMatchObject({ status: 'failed' });
    expect(t.window.calls[0]?.result).toContain('changed');
  });

  it('does not start a command that a rule or mode has forbidden since the decision [safety 14]', async () => {
    const t = await asking({ command: 'touch made' });
    atStart(() => {
      const project = t.host.storage.projects.get(t.projectId);
      if (project) t.host.storage.projects.save({ ...project, mode: 'plan' });
    });
    await t.card();
    await t.decide({ type: 'approve' });
    await t.window.until(isIdle);
    expect(t.ran('made')).toBe(false);
    expect(t.window.calls[0]?.result).toContain('plan mode');
  });

  it('leaves no trace of a run that it stopped: the call is asked about as a new one', async () => {
    const t = await asking({ command: 'sh x.sh' }, { 'x.sh': 'echo one >> log' });
    atStart((start) => start === 1 && t.write('x.sh', 'echo two >> log'));
    await t.card();
    await t.decide({ type: 'approve' });
    expect((await t.card()).reason).not.toContainEqual(because('started_before'));
    await t.decide({ type: 'approve' });
    await t.window.until(isIdle);
    expect(readFileSync(join(t.folder, 'log'), 'utf8')).toBe('two\n');
  });
});
