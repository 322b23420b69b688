import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { rehearsedInEnglish } from '../../../src-renderer/i18n/english';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { Approval } from '../../contract/approvals';
import type { ApprovalMode } from '../../contract/control';
import type { ThreadState } from '../../contract/conversation';
import type { CallId } from '../../contract/ids';
import type { Outcome } from '../../contract/outcome';
import { openStorage } from '../../storage';
import type { HostOptions } from '../host-options';
import { inCopies } from '../testing/copied-layers';
import { type Part, SlowModel } from '../testing/slow-model';
import { cleanups, FakeWindow, isIdle, isWaiting, setUp, startHost, temp } from '../testing/window';

vi.setConfig({ testTimeout: 60_000 });

/** A command that runs until there is a file. */
const SLOW: Part = { name: 'execute', args: { command: 'sh wait.sh', timeout: 1 } };
const WAITING = {
  'wait.sh': 'echo $$ >> a.txt; echo started; until [ -e go ]; do sleep 0.05; done; echo over\n',
};

const execute = (command: string): Part => ({ name: 'execute', args: { command } });
/** While the turn runs. */
const isAsked = ({ approvals }: ThreadState) => approvals.length === 1;
const isOver = (state: ThreadState) =>
  isWaiting(1)(state) || (isIdle(state) && state.messages.at(-1)?.role === 'agent');

async function rehearsing(
  mode: ApprovalMode,
  script: Part[][],
  files: Record<string, string> = {},
  options: Pick<HostOptions, 'overtime' | 'namedFiles' | 'layers'> = {},
) {
  const more = { ...inCopies(), ...options };
  const t = await setUp(more);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(t.folder, path, '..'), { recursive: true });
    writeFileSync(join(t.folder, path), text);
  }
  if (mode !== 'ask-risky')
    await t.window.must('project.setMode', { projectId: t.projectId, mode, loosen: true });
  SlowModel.into(t.host, [...script, ['done']]);
  const text = (path: string) =>
    existsSync(join(t.folder, path)) ? readFileSync(join(t.folder, path), 'utf8') : null;
  const layers = join(t.dataDir, 'rehearsals/layers');
  const outcome = () => t.window.state?.approvals[0]?.outcome as Outcome;
  const restarted = async (meanwhile = () => {}) => {
    await t.host.close();
    meanwhile();
    t.host.close = async () => undefined;
    const host = await startHost(t.dataDir, t.reports, more);
    cleanups.push(() => host.close());
    SlowModel.into(host, [['done']]);
    const window = new FakeWindow(host);
    await window.open(t.threadId);
    return window;
  };
  return { ...t, text, layers, outcome, restarted };
}

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
