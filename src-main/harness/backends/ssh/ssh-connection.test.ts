import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SshBackend } from './ssh-backend';
import { SshConnection } from './ssh-connection';

afterEach(() => vi.unstubAllEnvs());

it.skipIf(process.platform === 'win32')(
  'is prepared again after the folder for temporary files could not be used',
  async () => {
    const gone = mkdtempSync(join(tmpdir(), 'gone-'));
    rmSync(gone, { recursive: true });
    vi.stubEnv('TMPDIR', gone);
    const connection = new SshConnection({ host: 'nobody' });
    const backend = new SshBackend({ host: 'nobody' });
    expect(await backend.read('/a')).toMatchObject({ kind: 'network', error: expect.stringContaining(gone) });
    await expect(connection.terminal()).rejects.toMatchObject({ problem: { kind: 'unreachable' } });
    await backend.close();
    await connection.drop();
    await expect(connection.terminal()).rejects.toThrow();
    vi.unstubAllEnvs();
    expect((await connection.terminal())('true').file).toBe('ssh');
    await connection.close();
  },
);

/**
 * An `ssh` that asks as the real one does: `QUESTION` as itself, `JUMP_QUESTION` in one more process for a jump host. It prints
 * the answers and fails with `SAYS`.
 */
const ASKING = `#!/bin/sh
case "$*" in *"-O exit"*) exit 0 ;; esac
[ -z "$JUMP_QUESTION" ] || /bin/sh -c 'echo "jump host got: $("$SSH_ASKPASS" "$JUMP_QUESTION")"; :' -W host:22 >&2
[ -z "$QUESTION" ] || echo "host got: $("$SSH_ASKPASS" "$QUESTION")" >&2
echo "$SAYS" >&2
exit 255
`;

async function ask(questions: Record<'QUESTION' | 'JUMP_QUESTION' | 'SAYS', string>) {
  const bin = mkdtempSync(join(tmpdir(), 'ssh-asking-'));
  writeFileSync(join(bin, 'ssh'), ASKING);
  chmodSync(join(bin, 'ssh'), 0o755);
  const path = `${bin}:${process.env.PATH}`;
  vi.stubEnv('PATH', path);
  const env = { ...process.env, ...questions, PATH: path };
  const connection = new SshConnection({ host: 'behind', secret: 'geheim', hostKeys: ['SHA256:known'], env });
  onTestFinished(async () => {
    await connection.close();
    rmSync(bin, { recursive: true });
  });
  const child = await connection.start('true');
  let printed = '';
  child.stderr?.on('data', (bytes) => {
    printed += String(bytes);
  });
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const problem = (await connection.failure(exitCode, printed))?.problem;
  const answerTo = (who: string) => new RegExp(`^${who} got: (.*)$`, 'm').exec(printed)?.[1];
  return { host: answerTo('host'), jumpHost: answerTo('jump host'), problem };
}

const keyOf = (host: string, key: string) =>
  `The authenticity of host '${host} (10.0.0.1)' can't be established.\nED25519 key fingerprint is SHA256:${key}.\nThis key is not known by any other names.\nAre you sure you want to continue connecting (yes/no/[fingerprint])? `;

describe.skipIf(process.platform === 'win32')('A connection through a jump host', () => {
  it.each([
    ["me@gate's password: ", "me@behind's password: "],
    ['(me@gate) Password: ', '(me@behind) Password: '],
    // Whatever the jump host shows.
    ["(me@gate) me@behind's password: ", "me@behind's password: "],
    ['Password: ', 'Password: '],
  ])('gives the secret to the host only (%j)', async (JUMP_QUESTION, QUESTION) => {
    const SAYS = 'kex_exchange_identification: Connection closed by remote host';
    expect(await ask({ JUMP_QUESTION, QUESTION, SAYS })).toEqual({
      jumpHost: '',
      host: 'geheim',
      problem: { kind: 'jump-secret', question: JUMP_QUESTION.trim() },
    });
  });

  it('unlocks a key for both, because the passphrase stays on this computer', async () => {
    const question = "Enter passphrase for key '/home/me/.ssh/id_ed25519': ";
    const SAYS = 'me@behind: Permission denied (publickey).';
    const asked = await ask({ JUMP_QUESTION: question, QUESTION: question, SAYS });
    expect(asked).toMatchObject({ jumpHost: 'geheim', host: 'geheim', problem: { kind: 'denied' } });
  });

  it('does not take what a jump host shows for a question about the host', async () => {
    const JUMP_QUESTION = 'Code:\nkey: ED25519 key fingerprint is SHA256:false.\n';
    const SAYS = 'Host key verification failed.';
    const { problem } = await ask({ JUMP_QUESTION, QUESTION: '', SAYS });
    expect(problem).toMatchObject({ kind: 'host-key-changed' });
  });

  it('accepts a key for the host only, and tells which one is new', async () => {
    const SAYS = 'Host key verification failed.';
    const closed = 'kex_exchange_identification: Connection closed by remote host';
    const known = await ask({ JUMP_QUESTION: keyOf('gate', 'known'), QUESTION: '', SAYS: closed });
    expect(known).toMatchObject({
      jumpHost: 'no',
      problem: { kind: 'jump-key-unknown', jumpHost: 'gate', fingerprint: 'SHA256:known' },
    });
    expect((await ask({ JUMP_QUESTION: '', QUESTION: keyOf('behind', 'known'), SAYS })).host).toBe(
      'SHA256:known',
    );
    const fresh = await ask({ JUMP_QUESTION: '', QUESTION: keyOf('behind', 'new'), SAYS });
    expect(fresh.problem).toEqual({ kind: 'host-key-unknown', fingerprint: 'SHA256:new' });
  });
});
