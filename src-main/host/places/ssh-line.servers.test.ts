import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DEFAULT_PLACE_POLICY } from '../../contract/places';
import { because } from '../../contract/shared/reasons';
import { type FaultyLine, faultyLine } from '../../harness/backends/testing/faulty-line';
import { type SshServer, startSshServer } from '../../harness/backends/testing/ssh-server';
import { alive, uniqueSleep } from '../../terminal/testing/processes';
import { type Part, SlowModel } from '../testing/slow-model';
import { isIdle, isWaiting, setUp, temp } from '../testing/window';

const started = await startSshServer();
const why = typeof started === 'string' ? ` (skipped: ${started})` : '';
const server = started as SshServer;
let line: FaultyLine | undefined;
afterAll(async () => {
  await line?.close();
  if (typeof started !== 'string') await started.stop();
});

/** The person's OpenSSH with the test's configuration. */
function personEnvironment(): NodeJS.ProcessEnv {
  const bin = temp('bin');
  writeFileSync(join(bin, 'ssh'), `#!/bin/sh\nPATH=\${PATH#*:}; exec ssh -F '${server.config}' "$@"\n`);
  chmodSync(join(bin, 'ssh'), 0o755);
  return { ...process.env, PATH: `${bin}:${process.env.PATH}` };
}

async function overLine(script: readonly (readonly Part[])[]) {
  line ??= await faultyLine(Number(server.host.split(':').at(-1)));
  line.traffic = 'flowing';
  const t = await setUp({
    sandbox: { kind: null, reason: because('bubblewrap_missing') },
    env: personEnvironment(),
  });
  await t.window.must('app.open', {});
  const folder = join(server.home, `notes-${Math.random()}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'start.md'), 'Begin here.\n');
  const host = server.host.replace(/\d+$/, String(line.port));
  const options = { kind: 'ssh' as const, host, folder, hostKeys: [server.fingerprint] };
  const policy = { ...DEFAULT_PLACE_POLICY, writing: 'allow' as const };
  SlowModel.into(t.host, script);
  await t.window.must('places.add', {
    draft: { path: '/server/', options, projectId: null, policy },
    secret: null,
  });
  return { ...t, folder, line };
}

const read = { name: 'read_file', args: { file_path: '/server/start.md' } };

describe.skipIf(why !== '')(`A stalled line to another computer${why}`, () => {
  it('does not hold up a stop of a command, and the next turn connects again', {
    timeout: 25_000,
  }, async () => {
    const sleep = uniqueSleep();
    const command = { name: 'execute', args: { command: `sleep ${sleep}; :`, place: '/server/' } };
    const t = await overLine([[command], [read], ['Done.']]);
    await t.say('go');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await expect.poll(() => alive(sleep).length).toBeGreaterThan(0);
    t.line.traffic = 'stalled';
    await t.window.must('thread.stop', { threadId: t.threadId });
    await t.window.until(isIdle);
    t.line.traffic = 'flowing';
    await t.say('again');
    await t.window.until((state) => isIdle(state) && t.window.calls.length === 2);
    expect(t.window.calls[1]?.result).toContain('Begin here.');
    await expect.poll(() => alive(sleep)).toEqual([]);
  });

  it('leaves nothing of a write behind if it breaks', { timeout: 60_000 }, async () => {
    const content = 'line of text\n'.repeat(80_000);
    const write = { name: 'write_file', args: { file_path: '/server/big.txt', content } };
    const t = await overLine([[read], [write], ['Done.']]);
    await t.say('go');
    await t.window.until(() => t.window.calls[0]?.result !== undefined);
    t.line.cutAfterSent = 400_000;
    await t.window.until(isIdle);
    expect(t.window.calls[1]?.result).toContain("the place '/server/' cannot be used now");
    await expect.poll(() => readdirSync(t.folder)).toEqual(['start.md']);
  });
});
