import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { CallId } from '../../contract/ids';
import { SlowModel } from '../testing/slow-model';
import { isIdle, isWaiting } from '../testing/window';
import { execute, isOver, rehearsing } from './testing/rehearsing';

vi.setConfig({ testTimeout: 60_000 });

describe('a command in a throwaway layer, in each mode', () => {
  it('keeps ignored files without asking', async () => {
    const t = await rehearsing('ask-risky', [[execute('mkdir cache; echo x > cache/made')]]);
    await t.say('go');
    expect((await t.window.until(isOver)).approvals).toEqual([]);
    expect(t.text('cache/made')).toBe('x\n');
    expect(t.window.calls[0]).toMatchObject({ rehearsal: { state: 'kept_ignored', paths: 1 } });
  });

  it.each(['ask-risky', 'auto-sandbox'] as const)(
    'asks in the mode %s about code of an installed package that git ignores, which would run unseen later',
    async (mode) => {
      const files = { 'cache/node_modules/tool/index.js': 'module.exports = 1;\n' };
      const t = await rehearsing(mode, [[execute('echo evil >> cache/node_modules/tool/index.js')]], files);
      await t.say('go');
      const { approvals } = await t.window.until(isOver);
      expect(approvals[0]).toMatchObject({
        risk: 'medium',
        reason: [{ code: 'outcome_changed_package' }],
        outcome: { buildFiles: 1 },
      });
      expect(t.text('cache/node_modules/tool/index.js')).toBe('module.exports = 1;\n');
    },
  );

  it('asks about a file that undo could not bring back, in the mode that asks least', async () => {
    const files = { '.gitignore': '*.db\n', 'dev.db': 'x'.repeat(6_000_000) };
    const t = await rehearsing('auto-sandbox', [[execute('sh reset.sh')]], {
      ...files,
      'reset.sh': 'rm dev.db',
    });
    await t.say('go');
    const { approvals } = await t.window.until(isOver);
    expect(approvals[0]?.outcome).toMatchObject({ beyondUndo: 1, rows: [{ path: 'dev.db' }] });
    expect(t.text('dev.db')).not.toBeNull();
    await t.window.decide(0, { type: 'discard' });
    await t.window.until(isIdle);
  });

  it('discards what was kept without asking, as if the command had not run', async () => {
    const command =
      'echo more >> cache/old; rm cache/gone; chmod 600 cache/mode; mkdir cache/new; echo x > cache/new/x';
    const t = await rehearsing('ask-risky', [[execute(command)]], {
      'cache/old': 'old\n',
      'cache/gone': 'gone\n',
      'cache/mode': 'mode\n',
    });
    await t.say('go');
    await t.window.until(isIdle);
    const [call] = t.window.calls;
    expect(call).toMatchObject({ rehearsal: { state: 'kept_ignored' } });
    expect([t.text('cache/old'), t.text('cache/gone'), t.text('cache/new/x')]).toEqual([
      'old\nmore\n',
      null,
      'x\n',
    ]);
    const scope = { kind: 'call' as const, callId: call?.callId as CallId };
    const undone = await t.window.must('changes.revert', { threadId: t.threadId, scope, force: false });
    expect(undone).toMatchObject({ status: 'done' });
    const files = ['old', 'gone', 'mode', 'new/x'].map((name) => t.text(`cache/${name}`));
    expect(files).toEqual(['old\n', 'gone\n', 'mode\n', null]);
    expect(readdirSync(join(t.folder, 'cache')).toSorted()).toEqual(['gone', 'mode', 'old']);
    expect(statSync(join(t.folder, 'cache/mode')).mode & 0o777).toBe(0o644);
  });

  it.each(['ask-risky', 'ask-all'] as const)(
    'says why it could not run in a layer, on the card and to the model, in %s',
    async (mode) => {
      const t = await rehearsing(mode, [
        [execute('echo x >> a.txt; echo invalid cross-device link; exit 1')],
      ]);
      await t.say('go');
      if (mode === 'ask-all') {
        await t.window.until(isWaiting(1));
        await t.window.decide(0, { type: 'approve' });
      }
      const about = { why: { code: 'renames_folder_in_layer' } };
      const reason = { code: 'not_rehearsed', values: about };
      await t.window.until(({ approvals }) =>
        approvals.some((one) => one.reason.some(({ code }) => code === reason.code)),
      );
      expect(t.window.state?.approvals[0]).toMatchObject({
        reason: expect.arrayContaining([reason]),
        allowed: expect.arrayContaining(['approve', 'reject']),
      });
      expect(t.text('a.txt')).toBeNull();
      await t.window.decide(0, { type: 'approve' });
      await t.window.until(isIdle);
      expect(t.text('a.txt')).toBe('x\n');
      expect(t.window.calls[0]?.result).toContain(
        'could not run in a throwaway layer first: it renames a folder',
      );
    },
  );

  it('keeps nothing in plan mode and asks nobody', async () => {
    const t = await rehearsing('plan', [[execute('echo a > a.txt; echo printed')]]);
    await t.say('go');
    expect((await t.window.until(isOver)).approvals).toEqual([]);
    expect(t.text('a.txt')).toBeNull();
    expect(t.window.calls[0]?.result).toMatch(/plan mode[^\n]*Nothing[^\n]*kept[\s\S]*printed/);
  });

  it('keeps changes within the rules in the sandbox mode, and asks about hooks', async () => {
    const t = await rehearsing('auto-sandbox', [[execute('echo a > a.txt')], [execute('rm -rf .git')]], {
      '.git/HEAD': 'ref: x\n',
    });
    await t.say('go');
    const { approvals } = await t.window.until(isOver);
    expect(t.text('a.txt')).toBe('a\n');
    expect(t.window.calls[0]).toMatchObject({ rehearsal: { state: 'kept' } });
    expect(approvals[0]?.outcome?.git).toMatchObject([{ facts: [{ what: 'deleted' }] }]);
    await t.window.decide(0, { type: 'discard' });
    await t.window.until(isIdle);
  });

  it.each([
    ['a build file', 'echo x > package.json'],
    ['a build file, even if the network was missing', 'echo x > package.json; echo unreachable'],
    ['a deleted repository, even if the network was missing', 'rm -r .git; echo unreachable'],
  ])('asks in the sandbox mode about %s', async (_, change) => {
    const files = { '.git/HEAD': 'ref: x\n', 'change.sh': change };
    const t = await rehearsing('auto-sandbox', [[execute('sh change.sh')]], files);
    await t.say('go');
    const { approvals } = await t.window.until(isOver);
    expect(approvals[0]?.outcome).toBeDefined();
    expect([t.text('package.json'), t.text('.git/HEAD')]).toEqual([null, 'ref: x\n']);
    await t.window.decide(0, { type: 'discard' });
    await t.window.until(isIdle);
  });

  it('runs what a rule allows in a layer if it may run changes that nobody was asked about', async () => {
    const npmTest = execute('npm test');
    const plant = execute("echo 'echo planted > marker; cat marker' > cache/check");
    const t = await rehearsing('ask-risky', [[npmTest], [plant], [npmTest]], {
      'package.json': JSON.stringify({ scripts: { test: 'sh cache/check' } }),
      'cache/check': 'echo fine\n',
    });
    const save = () =>
      t.window.must('rules.save', {
        draft: {
          effect: 'allow',
          match: { kind: 'command', words: ['npm', 'test'], exact: false },
          scope: { kind: 'project', projectId: t.projectId },
        },
      });
    await save();
    await t.say('go');
    const { approvals } = await t.window.until(isOver);
    expect(t.window.calls.slice(0, 2)).toMatchObject([
      { result: expect.stringContaining('fine') },
      { rehearsal: { state: 'kept_ignored' } },
    ]);
    expect(t.window.calls[0]).not.toHaveProperty('rehearsal');
    expect(approvals[0]).toMatchObject({
      reason: [
        { code: 'outcome_changed_file' },
        { code: 'may_run_auto_approved', values: { names: 'cache/check' } },
      ],
      outcome: { output: expect.stringContaining('planted'), rows: [{ path: 'marker' }] },
    });
    expect(t.text('marker')).toBeNull();
    await t.window.decide(0, { type: 'discard' });
    await t.window.until(isIdle);
    // A new rule covers what is there now.
    const tried = { projectId: t.projectId, command: 'npm test' };
    expect(await t.window.must('rules.test', tried)).toMatchObject({
      verdict: 'ask',
      reason: [{ code: 'may_run_auto_approved' }, { code: 'part' }],
    });
    await save();
    expect(await t.window.must('rules.test', tried)).toMatchObject({ verdict: 'allow', rules: [{}] });
  });

  const PLANTED = 'echo planted > marker; cat marker';
  it.each([
    [
      'a file tool',
      (folder: string) => ({
        name: 'write_file',
        args: { file_path: `${folder}/check.sh`, content: PLANTED },
      }),
    ],
    ['a command', () => execute(`echo '${PLANTED}' > check.sh`)],
  ])('does not let an older rule run what %s changed in the sandbox mode', async (_, plant) => {
    const t = await rehearsing('auto-sandbox', [], {
      'package.json': JSON.stringify({ scripts: { test: 'sh check.sh' } }),
    });
    SlowModel.into(t.host, [[plant(t.folder)], ['Done.'], [execute('npm test')], ['Done.']]);
    await t.window.must('rules.save', {
      draft: {
        effect: 'allow',
        match: { kind: 'command', words: ['npm', 'test'], exact: false },
        scope: { kind: 'project', projectId: t.projectId },
      },
    });
    await t.say('go');
    await t.window.until((state) => isIdle(state) && t.text('check.sh') !== null);
    await t.window.must('project.setMode', { projectId: t.projectId, mode: 'ask-risky' });
    await t.say('go on');
    const { approvals } = await t.window.until(isWaiting(1));
    expect(approvals[0]).toMatchObject({
      reason: [
        { code: 'outcome_changed_file' },
        { code: 'may_run_auto_approved', values: { names: 'check.sh' } },
      ],
      outcome: { output: expect.stringContaining('planted') },
    });
    expect(t.text('marker')).toBeNull();
    await t.window.decide(0, { type: 'discard' });
    await t.window.until(isIdle);
  });

  it('asks both before the run and about its changes if everything asks', async () => {
    const t = await rehearsing('ask-all', [[execute('echo a > a.txt')]]);
    await t.say('go');
    const first = await t.window.until(isOver);
    expect(first.approvals[0]?.outcome).toBeUndefined();
    const { preview } = first.approvals[0] ?? {};
    expect(preview).toMatchObject({ kind: 'command', thenInLayer: true });
    expect(preview).not.toHaveProperty('outsideSandbox');
    await t.window.decide(0, { type: 'approve' });
    await t.window.until((state) => state.approvals[0]?.outcome !== undefined);
    expect(t.text('a.txt')).toBeNull();
    await t.window.decide(0, { type: 'keep', manifest: t.outcome().manifest });
    await t.window.until(isIdle);
    expect(t.text('a.txt')).toBe('a\n');
  });
});
