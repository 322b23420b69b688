import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { rehearsedInEnglish } from '../../../src-renderer/i18n/english';
import type { ThreadState } from '../../contract/conversation';
import type { CallId } from '../../contract/ids';
import { inCopies } from '../testing/copied-layers';
import { isIdle, isWaiting, temp } from '../testing/window';
import { execute, isOver, rehearsing } from './testing/rehearsing';

vi.setConfig({ testTimeout: 60_000 });

describe('a command in a throwaway layer', () => {
  it('asks nobody if it changed nothing, and its output is the result', async () => {
    const t = await rehearsing('ask-risky', [[execute('node -p 6*7')]]);
    await t.say('go');
    expect((await t.window.until(isOver)).approvals).toEqual([]);
    expect(t.window.calls[0]).toMatchObject({
      status: 'done',
      exitCode: 0,
      rehearsal: { state: 'unchanged', paths: 0 },
      terminalId: expect.any(String),
      result: expect.stringMatching(/throwaway layer[^\n]*changed no file[\s\S]*42/),
    });
  });

  it('asks about its changes, and none of them is in the folder', async () => {
    const t = await rehearsing('ask-risky', [[execute('echo new > a.txt; rm b.txt; echo printed')]], {
      'b.txt': 'one\ntwo\n',
    });
    await t.say('go');
    const { approvals } = await t.window.until(isOver);
    expect(approvals[0]).toMatchObject({
      tool: 'execute',
      risk: 'medium',
      allowed: expect.arrayContaining(['keep', 'discard', 'run']),
      preview: { kind: 'command' },
      outcome: {
        exitCode: 0,
        output: expect.stringContaining('printed'),
        rows: [
          { path: 'a.txt', kind: 'created', added: 1, removed: 0 },
          { path: 'b.txt', kind: 'deleted', added: 0, removed: 2 },
        ],
        totals: { files: 2, added: 1, removed: 2 },
      },
    });
    expect([t.text('a.txt'), t.text('b.txt')]).toEqual([null, 'one\ntwo\n']);
    const diff = await t.window.must('rehearsal.diff', {
      threadId: t.threadId,
      approvalId: approvals[0]?.id,
      path: 'a.txt',
    });
    expect(diff).toMatchObject({ kind: 'text', hunks: [{ lines: ['+new'] }] });
  });

  it('says so if it changed only folders, and is kept like any other', async () => {
    const t = await rehearsing('ask-risky', [[execute('mkdir -p made/below')]]);
    await t.say('go');
    const { approvals } = await t.window.until(isWaiting(1));
    expect(approvals[0]?.reason.map(({ code }) => code)).toEqual(['outcome_changed_folders']);
    await t.window.decide(0, { type: 'keep', manifest: t.outcome().manifest });
    await t.window.until(isIdle);
    expect(existsSync(join(t.folder, 'made/below'))).toBe(true);
    const [call] = t.window.calls;
    expect(call?.rehearsal && rehearsedInEnglish(call.rehearsal)).toBe('kept all changes');
  });

  it('applies exactly its changes when they are kept, tells the model, and can be undone', async () => {
    const t = await rehearsing('ask-risky', [[execute('date +%s%N > a.txt; cat a.txt')]]);
    await t.say('go');
    await t.window.until(isOver);
    const shown = t.outcome().output.split('\n')[0];
    await t.window.decide(0, { type: 'keep', manifest: t.outcome().manifest });
    await t.window.until(isIdle);
    // It did not run again: the time is that of the rehearsal.
    expect(t.text('a.txt')?.trim()).toBe(shown);
    expect(t.window.calls[0]).toMatchObject({
      status: 'done',
      rehearsal: { state: 'kept', paths: 1 },
      result: expect.stringContaining('All that it changed is kept'),
    });
    expect(readdirSync(t.layers)).toEqual([]);
    const listed = await t.window.must('changes.list', { threadId: t.threadId });
    expect(listed).toMatchObject({ files: [{ path: 'a.txt', change: 'added', others: false }] });
    const callId = t.window.calls[0]?.callId;
    const scope = { kind: 'call' as const, callId: callId as CallId };
    await t.window.must('changes.revert', { threadId: t.threadId, scope, force: false });
    expect(t.text('a.txt')).toBeNull();
  });

  it('can be undone exactly if it deletes more ignored files than undo keeps of other commands [safety 30]', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, one) => [`.git/objects/${one}`, `${one}`]),
    );
    const files = {
      ...many,
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.gitignore': 'ignored\n',
      'ignored/a': 'a',
    };
    const t = await rehearsing('ask-risky', [[execute('rm -rf .git ignored')]], files, { namedFiles: 50 });
    await t.say('go');
    await t.window.until(isOver);
    await t.window.decide(0, { type: 'keep', manifest: t.outcome().manifest });
    await t.window.until(isIdle);
    expect([t.text('.git/HEAD'), t.text('ignored/a')]).toEqual([null, null]);
    const scope = { kind: 'call' as const, callId: t.window.calls[0]?.callId as CallId };
    const undone = await t.window.must('changes.revert', { threadId: t.threadId, scope, force: false });
    expect(undone).toMatchObject({ status: 'done', conflicts: [] });
    const lost = Object.entries(many).filter(([path, text]) => t.text(path) !== text);
    expect(lost).toEqual([]);
    expect([t.text('.git/HEAD'), t.text('ignored/a')]).toEqual(['ref: refs/heads/main\n', 'a']);
  });

  it('keeps chosen files and hunks and tells the model which', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');
    const t = await rehearsing(
      'ask-risky',
      [[execute('sed -i "s/line 1$/first/; s/line 18$/last/" a.txt; echo b > b.txt; echo c > c.txt')]],
      { 'a.txt': lines },
    );
    await t.say('go');
    await t.window.until(isOver);
    const { manifest } = t.outcome();
    await t.window.decide(0, {
      type: 'keep',
      manifest,
      paths: ['a.txt', 'b.txt'],
      hunks: { 'a.txt': [1] },
    });
    await t.window.until(isIdle);
    expect(t.text('a.txt')).toBe(lines.replace('line 18\n', 'last\n'));
    expect([t.text('b.txt'), t.text('c.txt')]).toEqual(['b\n', null]);
    expect(t.window.calls[0]).toMatchObject({
      rehearsal: { state: 'kept_in_part', paths: 2 },
      result: expect.stringMatching(/kept only a part of it, in: a\.txt, b\.txt/),
    });
  });

  it('can be undone exactly if a kept file is in a folder that replaced something', async () => {
    const command = 'rm a; mkdir a; echo 1 > a/kept; echo 2 > a/left';
    const t = await rehearsing('ask-risky', [[execute(command)]], { a: 'a file' });
    await t.say('go');
    await t.window.until(isOver);
    await t.window.decide(0, { type: 'keep', manifest: t.outcome().manifest, paths: ['a/kept'] });
    await t.window.until(isIdle);
    expect([t.text('a/kept'), t.text('a/left')]).toEqual(['1\n', null]);
    const scope = { kind: 'call' as const, callId: t.window.calls[0]?.callId as CallId };
    const undone = await t.window.must('changes.revert', { threadId: t.threadId, scope, force: false });
    expect(undone).toMatchObject({ status: 'done', conflicts: [] });
    expect(t.text('a')).toBe('a file');
  });

  it('keeps nothing for a decision about other changes, and still asks', async () => {
    const t = await rehearsing('ask-risky', [[execute('echo a > a.txt')]]);
    await t.say('go');
    await t.window.until(isOver);
    const { manifest } = t.outcome();
    const refused = await t.window.decide(0, { type: 'keep', manifest: 'other' });
    expect(refused).toMatchObject({ ok: false, error: { kind: 'stale' } });
    expect([t.window.state?.approvals.length, t.text('a.txt')]).toEqual([1, null]);
    await t.window.decide(0, { type: 'keep', manifest });
    await t.window.until(isIdle);
    expect(t.text('a.txt')).toBe('a\n');
  });

  it('drops its changes when they are discarded and tells the model why', async () => {
    const t = await rehearsing('ask-risky', [[execute('rm -rf .git')]], { '.git/HEAD': 'ref: x\n' });
    await t.say('go');
    const { approvals } = await t.window.until(isOver);
    expect(approvals[0]).toMatchObject({
      risk: 'high',
      outcome: { git: [{ path: '.git', facts: [{ what: 'deleted' }] }] },
    });
    await t.window.decide(0, { type: 'discard', message: 'I need that history.' });
    await t.window.until(isIdle);
    expect(t.text('.git/HEAD')).toBe('ref: x\n');
    expect(t.window.calls[0]).toMatchObject({
      status: 'rejected',
      rehearsal: { state: 'discarded', paths: 0 },
      result: expect.stringMatching(/discarded what it changed[^\n]*I need that history\./),
    });
  });

  it('shows a conflict and overwrites nothing', async () => {
    const t = await rehearsing('ask-risky', [[execute('echo agent > a.txt; echo b > b.txt')]]);
    await t.say('go');
    await t.window.until(isOver);
    writeFileSync(join(t.folder, 'a.txt'), 'mine');
    const { manifest } = t.outcome();
    const [asked] = t.window.state?.approvals ?? [];
    await t.window.decide(0, { type: 'keep', manifest });
    const isAskedAgain = (state: ThreadState) => isWaiting(1)(state) && state.approvals[0]?.id !== asked?.id;
    const { approvals } = await t.window.until(isAskedAgain);
    expect(approvals[0]?.outcome?.rows).toMatchObject([{ path: 'a.txt', conflict: true }, { path: 'b.txt' }]);
    expect([t.text('a.txt'), t.text('b.txt')]).toEqual(['mine', null]);
    await t.window.decide(0, { type: 'keep', manifest });
    await t.window.until(isIdle);
    expect([t.text('a.txt'), t.text('b.txt')]).toEqual(['mine', 'b\n']);
    expect(t.window.calls[0]).toMatchObject({ rehearsal: { state: 'kept_in_part', paths: 1 } });
  });

  it('asks again about the same changes if the disk is full, and keeps them once there is space', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const { layers } = inCopies();
    const keep = vi.fn(layers.keep).mockRejectedValueOnce(full).mockRejectedValueOnce(full);
    const t = await rehearsing('ask-risky', [[execute('date +%s%N | tee a.txt')]], {}, inCopies({ keep }));
    await t.say('go');
    await t.window.until(isOver);
    const { manifest, output } = t.outcome();
    for (const _attempt of ['first', 'second']) {
      const [asked] = t.window.state?.approvals ?? [];
      await t.window.decide(0, { type: 'keep', manifest });
      const isAskedAgain = (state: ThreadState) =>
        isWaiting(1)(state) && state.approvals[0]?.id !== asked?.id;
      const { approvals } = await t.window.until(isAskedAgain);
      expect(approvals[0]).toMatchObject({ outcome: { manifest }, reason: [{ code: 'outcome_disk_full' }] });
      expect(t.text('a.txt')).toBeNull();
    }
    await t.window.decide(0, { type: 'keep', manifest });
    await t.window.until(isIdle);
    expect(t.text('a.txt')?.trim()).toBe(output.split('\n')[0]);
    expect(readdirSync(t.layers)).toEqual([]);
  });

  it('shows a conflict of a repository, and keeps the rest', async () => {
    const t = await rehearsing('ask-risky', [[execute('echo agent > .git/HEAD; echo b > b.txt')]], {
      '.git/HEAD': 'first',
    });
    await t.say('go');
    await t.window.until(isOver);
    writeFileSync(join(t.folder, '.git/HEAD'), 'mine');
    const { manifest } = t.outcome();
    const [asked] = t.window.state?.approvals ?? [];
    await t.window.decide(0, { type: 'keep', manifest });
    const isAskedAgain = (state: ThreadState) => isWaiting(1)(state) && state.approvals[0]?.id !== asked?.id;
    const { approvals } = await t.window.until(isAskedAgain);
    expect(approvals[0]?.outcome?.git).toMatchObject([{ path: '.git', conflict: true }]);
    await t.window.decide(0, { type: 'keep', manifest });
    await t.window.until(isIdle);
    expect([t.text('.git/HEAD'), t.text('b.txt')]).toEqual(['mine', 'b\n']);
  });

  it('reports what was missing in its layer', async () => {
    const t = await rehearsing('ask-risky', [[execute('node -e "console.log(\'unreachable\')"')]]);
    await t.say('go');
    const { approvals } = await t.window.until(isOver);
    expect(approvals[0]).toMatchObject({
      outcome: { refused: [{ what: 'network', name: 'unreachable' }] },
      allowed: expect.arrayContaining(['run', 'approve', 'discard']),
    });
    await t.window.decide(0, { type: 'reject' });
    await t.window.until(isIdle);
  });

  it.each(['approve', 'run', 'keep'] as const)(
    'covers a script that changed while the card was open only if it does not run again: %s [safety 9]',
    async (type) => {
      const t = await rehearsing('ask-risky', [[execute('sh x.sh')]], {
        'x.sh': 'echo unreachable; touch shown\n',
      });
      await t.say('go');
      const { approvals } = await t.window.until(isOver);
      // As another thread of the agent may do without asking.
      writeFileSync(join(t.folder, 'x.sh'), 'touch other\n');
      const [first] = approvals;
      await t.window.decide(0, type === 'keep' ? { type, manifest: t.outcome().manifest } : { type });
      const again = await t.window.until(
        (state) => isIdle(state) || (isWaiting(1)(state) && state.approvals[0]?.id !== first?.id),
      );
      if (type === 'keep') return expect([t.text('shown'), t.text('other')]).toEqual(['', null]);
      expect([t.text('shown'), t.text('other')]).toEqual([null, null]);
      const file = { what: 'file', name: join(t.folder, 'x.sh') };
      expect(again.approvals[0]).toMatchObject({
        outcome: { layer: first?.outcome?.layer },
        changed: [file],
      });
      await t.window.decide(0, type === 'approve' ? { type } : { type: 'reject' });
      await t.window.until(isIdle);
      expect([t.text('shown'), t.text('other')]).toEqual([null, type === 'approve' ? '' : null]);
    },
  );

  it.each(['npm install', 'curl https://example.com', 'git push'])(
    'asks before it runs if it needs the network: %s',
    async (command) => {
      const t = await rehearsing('ask-risky', [[execute(command)]]);
      await t.say('go');
      const { approvals } = await t.window.until(isOver);
      expect(approvals[0]?.outcome).toBeUndefined();
      expect(approvals[0]?.allowed).toContain('approve');
      await t.window.decide(0, { type: 'reject' });
      await t.window.until(isIdle);
    },
  );

  it('shows exactly what it printed, without secrets, and how long its terminal ran', async () => {
    const token = 'ghp_kJ82hs91ksOq02nsLa91MspZk38Q1aPq92mX';
    const command = `echo printed; cat config.ts; echo new > a.txt; exit 1`;
    const t = await rehearsing('ask-risky', [[execute(command)]], { 'config.ts': `${token}\n` });
    await t.window.must('app.open', {});
    await t.say('go');
    await t.window.until(isOver);
    const { output, durationMs } = t.outcome();
    expect(output).toMatch(/^printed\n\[secret redacted[^\n]*\]\n$/);
    const ran = t.window.events.findLast((event) => event.type === 'terminal.changed')?.terminal;
    expect(durationMs).toBe((ran?.endedAt ?? 0) - (ran?.startedAt ?? 0));
    await t.window.decide(0, { type: 'keep', manifest: t.outcome().manifest });
    await t.window.until(isIdle);
    expect(t.window.calls[0]?.durationMs).toBe(durationMs);
    expect(t.window.calls[0]?.result).toContain('[Command failed with exit code 1]');
  });

  it('runs one at a time per thread', async () => {
    const mark = JSON.stringify(join(temp('mark'), 'runs'));
    const code = `const fs = require("fs"); console.log(fs.existsSync(${mark}) ? "both" : "alone"); fs.writeFileSync(${mark}, ""); setTimeout(() => fs.rmSync(${mark}), 300)`;
    const t = await rehearsing('ask-risky', [[execute(`node -e '${code}'`), execute(`node -e '${code};'`)]]);
    await t.say('go');
    expect((await t.window.until(isOver)).approvals).toEqual([]);
    expect(t.window.calls.map(({ result }) => /alone|both/.exec(result ?? '')?.[0])).toEqual([
      'alone',
      'alone',
    ]);
  });
});
