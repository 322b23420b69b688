import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../../../src-renderer/i18n/errors';
import type { SandboxDetails } from '../../../contract/commands/sandbox';
import type { ToolCall } from '../../../contract/conversation';
import { because } from '../../../contract/shared/reasons';
import { inWords } from '../../../contract/testing/in-words';
import { withCode } from '../../../contract/testing/with-code';
import { folderForTest, whySkipped } from '../../../harness/sandbox/testing/bubblewrap';
import type { HostOptions } from '../../host-options';
import { cleanups, isIdle, isWaiting, setUp, WITHOUT_LAYERS } from '../../testing/window';

const why = whySkipped === null ? '' : ` (skipped: ${whySkipped})`;

async function inAuto(more: Partial<HostOptions> = {}) {
  const t = await setUp(more);
  const mode = { projectId: t.projectId, mode: 'auto-sandbox', loosen: true } as const;
  await t.window.must('project.setMode', mode);
  const run = async (line: string): Promise<ToolCall | undefined> => {
    await t.say(line);
    await t.window.until((state) => isIdle(state) && state.messages.at(-1)?.role === 'agent');
    return t.window.calls.at(-1);
  };
  return { ...t, run };
}

describe.skipIf(whySkipped !== null)(`commands of a thread in the sandbox${why}`, () => {
  it('run without asking in the sandbox mode, and the call says where it ran', async () => {
    const t = await inAuto(WITHOUT_LAYERS);
    expect(await t.run('run echo new > a.txt')).toMatchObject({
      status: 'done',
      sandbox: { refused: [] },
      unasked: { reason: withCode('in_sandbox') },
    });
    expect(existsSync(join(t.folder, 'a.txt'))).toBe(true);
    const app: { terminals: unknown[] } = await t.window.must('app.open', {});
    expect(app.terminals).toMatchObject([{ sandboxed: true }]);
  });

  it('cannot reach anything outside, and the agent and the window are told', async () => {
    const t = await inAuto();
    const place = folderForTest();
    cleanups.push(() => rmSync(place, { recursive: true, force: true }));
    const call = await t.run(`run touch ${place}/x`);
    expect(call?.result).toContain('run it again with outside_sandbox');
    expect(call?.sandbox).toEqual({ refused: [{ what: 'write', name: `${place}/x` }] });
    expect(existsSync(join(place, 'x'))).toBe(false);
  });

  it("see neither Deepdesk's own data nor the folder's secrets", async () => {
    const t = await inAuto();
    writeFileSync(join(t.folder, '.env'), 'KEY=secret');
    const call = await t.run(`run node -e "console.log(require('fs').readFileSync('.e'+'nv','utf8'))"`);
    expect(call?.result).not.toContain('KEY=secret');
    expect(call?.result).toContain('EACCES');
  });

  it('run outside once the person allows them', async () => {
    const t = await setUp();
    const place = folderForTest();
    cleanups.push(() => rmSync(place, { recursive: true, force: true }));
    await t.say(`run touch ${place}/x`);
    const { approvals } = await t.window.until(isWaiting(1));
    expect(approvals[0]?.preview).toMatchObject({ outsideSandbox: true });
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(existsSync(join(place, 'x'))).toBe(true);
    expect(t.window.calls[0]?.sandbox).toBeUndefined();
  });

  it('run outside as the prompt said, even if the mode would now run them inside', async () => {
    const t = await setUp();
    const place = folderForTest();
    cleanups.push(() => rmSync(place, { recursive: true, force: true }));
    await t.say(`run touch ${place}/x`);
    const { approvals } = await t.window.until(isWaiting(1));
    expect(approvals[0]?.preview).toMatchObject({ outsideSandbox: true });
    await t.window.must('project.setMode', { projectId: t.projectId, mode: 'auto-sandbox', loosen: true });
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(existsSync(join(place, 'x'))).toBe(true);
    expect(t.window.calls[0]?.sandbox).toBeUndefined();
  });

  it('never run once the person rejected them, even if the mode would now allow them', async () => {
    const t = await setUp();
    await t.say('run echo new > a.txt');
    await t.window.until(isWaiting(1));
    await t.window.must('project.setMode', { projectId: t.projectId, mode: 'auto-sandbox', loosen: true });
    await t.window.decide(0, { type: 'reject' });
    await t.window.until(isIdle);
    expect(existsSync(join(t.folder, 'a.txt'))).toBe(false);
    expect(t.window.calls[0]?.status).toBe('rejected');
  });

  it('run inside even if they only read, unless the person turned that off', async () => {
    const t = await setUp();
    mkdirSync(join(t.folder, 'src'));
    writeFileSync(join(t.folder, 'src/a'), 'text');
    await t.say('run cat src/a');
    await t.window.until(isIdle);
    expect(t.window.calls[0]).toMatchObject({ status: 'done', sandbox: { refused: [] } });
    await t.window.must('project.setSandbox', { projectId: t.projectId, on: false });
    await t.say('run cat src/a');
    await t.window.until(
      (state) => isIdle(state) && t.window.calls.length === 2 && t.window.lastAnswer !== '',
    );
    expect(t.window.calls[1]).toMatchObject({ status: 'done' });
    expect(t.window.calls[1]?.sandbox).toBeUndefined();
  });

  it('have their own settings page', async () => {
    const t = await setUp();
    const details: SandboxDetails = await t.window.must('sandbox.read', {});
    expect(details).toMatchObject({ kind: 'bubblewrap', reason: null });
    expect(details.hidden).toContain(t.dataDir);
    expect(details.readOnly).toContain('.git/hooks');
  });
});

describe('a machine without a sandbox', () => {
  it('reports that, does not offer the mode, and asks', async () => {
    const reason = because('bubblewrap_missing');
    const t = await setUp({ sandbox: { kind: null, reason } });
    const mode = { projectId: t.projectId, mode: 'auto-sandbox', loosen: true } as const;
    expect(inWords(await t.window.client.call('project.setMode', mode))).toMatchObject({
      ok: false,
      error: {
        kind: 'unsupported',
        message: expect.stringMatching(/^There is no sandbox here\. bubblewrap is not installed\./),
      },
    });
    expect(await t.window.must('sandbox.read', {})).toMatchObject({ kind: null, reason, hidden: [] });
    await t.say('run touch a');
    const { approvals } = await t.window.until(isWaiting(1));
    expect(approvals[0]?.preview).not.toHaveProperty('outsideSandbox');
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(existsSync(join(t.folder, 'a'))).toBe(true);
  });

  it('asks again in a project that used the mode', async () => {
    const t = await setUp({ sandbox: { kind: null, reason: because('sandbox_exec_missing') } });
    const project = t.host.projects.get(t.projectId);
    if (!project.ok) throw new Error(inEnglish(project.error));
    t.host.projects.change({ ...project.value, mode: 'auto-sandbox' });
    await t.say('run touch a');
    const { approvals } = await t.window.until(isWaiting(1));
    expect(approvals[0]?.reason).toContainEqual(
      because('no_sandbox_for_it', { why: because('sandbox_exec_missing') }),
    );
  });
});
