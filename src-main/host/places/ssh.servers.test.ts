import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { TerminalInfo } from '../../contract/app';
import type { HostEvent } from '../../contract/events';
import { DEFAULT_PLACE_POLICY, type PlaceState } from '../../contract/places';
import { because } from '../../contract/shared/reasons';
import { type SshServer, startSshServer } from '../../harness/backends/testing/ssh-server';
import { type Part, SlowModel } from '../testing/slow-model';
import { isIdle, isWaiting, setUp, temp } from '../testing/window';

const started = await startSshServer();
const why = typeof started === 'string' ? ` (skipped: ${started})` : '';
const server = started as SshServer;
afterAll(async () => {
  if (typeof started !== 'string') await started.stop();
});

/** The person's OpenSSH with the test's configuration. */
function personEnvironment(): NodeJS.ProcessEnv {
  const bin = temp('bin');
  writeFileSync(join(bin, 'ssh'), `#!/bin/sh\nPATH=\${PATH#*:}; exec ssh -F '${server.config}' "$@"\n`);
  chmodSync(join(bin, 'ssh'), 0o755);
  return { ...process.env, PATH: `${bin}:${process.env.PATH}` };
}

async function onServer(script: readonly (readonly Part[])[] = []) {
  const t = await setUp({
    sandbox: { kind: null, reason: because('bubblewrap_missing') },
    env: personEnvironment(),
  });
  await t.window.must('app.open', {});
  const folder = join(server.home, `notes-${Math.random()}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'start.md'), 'Begin here.\n');
  const options = { kind: 'ssh' as const, host: server.host, folder, hostKeys: [server.fingerprint] };
  const draft = { path: '/server/', options, projectId: null, policy: DEFAULT_PLACE_POLICY };
  const test = async (given: typeof draft) =>
    ((await t.window.must('places.test', { draft: given, secret: null, id: null })) as { state: PlaceState })
      .state;
  SlowModel.into(t.host, script);
  return { ...t, folder, draft, test };
}

const read = { name: 'read_file', args: { file_path: '/server/start.md' } };
const edit = {
  name: 'edit_file',
  args: { file_path: '/server/start.md', old_string: 'Begin', new_string: 'Start' },
};

/** As the window was told last. */
function terminalsOf({ events }: { events: readonly HostEvent[] }): TerminalInfo[] {
  const known = new Map(
    events.flatMap((event) =>
      event.type === 'terminal.changed' ? [[event.terminal.id, event.terminal] as const] : [],
    ),
  );
  return [...known.values()];
}

const command = (text: string) => ({ name: 'execute', args: { command: text, place: '/server/' } });

describe.skipIf(why !== '')(`A folder on another computer as a place${why}`, () => {
  it('shows the key of a new host, and connects once the person has accepted it', async () => {
    const t = await onServer();
    const unknown = { ...t.draft, options: { ...t.draft.options, hostKeys: [] } };
    expect(await t.test(unknown)).toMatchObject({
      phase: 'refused',
      error: { code: 'place_host_unknown', values: { fingerprint: server.fingerprint } },
    });
    expect(await t.test(t.draft)).toMatchObject({ phase: 'connected', error: null });
  });

  it.each([
    ['-oProxyCommand=touch /tmp/x', 'place_ssh_host'],
    ['host;touch /tmp/x', 'place_ssh_host'],
  ])('takes %s for no host', async (host, code) => {
    const t = await onServer();
    const draft = { ...t.draft, options: { ...t.draft.options, host } };
    expect(await t.test(draft)).toMatchObject({ phase: 'refused', error: { code } });
  });

  it('is read, changed after approval, and undone, even after a cut', async () => {
    const t = await onServer([[read], [edit], ['Done.']]);
    await t.window.must('places.add', { draft: t.draft, secret: null });
    await t.say('go');
    await t.window.until(isWaiting(1));
    expect(t.window.calls[0]?.result).toContain('Begin here.');
    server.drop();
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(readFileSync(join(t.folder, 'start.md'), 'utf8')).toBe('Start here.\n');
    const revert = { threadId: t.threadId, scope: { kind: 'thread' }, force: false };
    expect(await t.window.must('changes.revert', revert)).toMatchObject({ status: 'done', files: 1 });
    expect(readFileSync(join(t.folder, 'start.md'), 'utf8')).toBe('Begin here.\n');
  });

  it('runs commands there after approval, shows them in a terminal, and connects again after a cut', async () => {
    const t = await onServer([[command('pwd; cat start.md')], [command('cat start.md')], ['Done.']]);
    await t.window.must('places.add', { draft: t.draft, secret: null });
    await t.say('go');
    await t.window.until(isWaiting(1));
    const [asked] = t.window.state?.approvals ?? [];
    expect(asked).toMatchObject({
      preview: { kind: 'command', machine: server.host, cwd: t.folder },
      reason: [{ code: 'runs_on', values: { machine: server.host } }],
      risk: 'medium',
    });
    await t.window.decide(0, { type: 'approve' });
    await t.window.until((state) => isWaiting(1)(state) && state.approvals[0]?.id !== asked?.id);
    expect(t.window.calls[0]?.result).toContain(t.folder);
    expect(t.window.calls[0]?.result).toContain('Begin here.');
    server.drop();
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(t.window.calls[1]?.result).toContain('Begin here.');
    const terminals = terminalsOf(t.window);
    expect(terminals).toHaveLength(2);
    expect(terminals[0]).toMatchObject({ machine: server.host, cwd: t.folder, exitCode: 0 });
    expect(await t.window.must('terminal.rerun', { terminalId: terminals[0]?.id ?? '' })).toMatchObject({
      status: 'denied',
      reason: [{ code: 'run_on_again' }],
    });
  });

  it('offers no rule for a command there', async () => {
    const t = await onServer([[command('ls')], ['Done.']]);
    await t.window.must('places.add', { draft: t.draft, secret: null });
    await t.say('go');
    await t.window.until(isWaiting(1));
    const approvalId = t.window.state?.approvals[0]?.id;
    expect(await t.window.must('rules.suggest', { threadId: t.threadId, approvalId })).toMatchObject({
      matches: [],
      refused: { code: 'rule_other_machine' },
    });
    await t.window.decide(0, { type: 'reject' });
    await t.window.until(isIdle);
  });

  it('runs no command where the agent may not write', async () => {
    const t = await onServer([[command('ls')], ['Done.']]);
    const policy = { ...DEFAULT_PLACE_POLICY, writing: 'deny' as const };
    await t.window.must('places.add', { draft: { ...t.draft, policy }, secret: null });
    await t.say('go');
    await t.window.until(isIdle);
    expect(t.window.calls[0]?.result).toContain('Commands cannot run on "/server/".');
    expect(terminalsOf(t.window)).toEqual([]);
  });

  it('says in the result of a command that its folder is gone', async () => {
    const t = await onServer([[command('ls')], ['Done.']]);
    await t.window.must('places.add', { draft: t.draft, secret: null });
    renameSync(t.folder, `${t.folder}-away`);
    await t.say('go');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(t.window.calls[0]?.result).toContain('nothing was run');
    expect(t.window.calls[0]?.result).toContain(`The folder ${t.folder} doesn't exist.`);
  });

  it('says that its folder is gone', async () => {
    const t = await onServer([[read], ['Done.']]);
    await t.window.must('places.add', { draft: t.draft, secret: null });
    renameSync(t.folder, `${t.folder}-away`);
    await t.say('go');
    await t.window.until(isIdle);
    expect(t.window.calls[0]?.result).toContain(`The folder ${t.folder} doesn't exist.`);
  });
});
