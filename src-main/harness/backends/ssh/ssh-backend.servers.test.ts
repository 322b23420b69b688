import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeBackend } from '../backend.contract';
import { type SshServer, startSshServer } from '../testing/ssh-server';
import { SshBackend, type SshBackendOptions } from './ssh-backend';
import { SshConnection } from './ssh-connection';

const started = await startSshServer();
const why = typeof started === 'string' ? ` (skipped: ${started})` : '';
const server = started as SshServer;
afterAll(async () => {
  if (typeof started !== 'string') await started.stop();
});

function open(more: Partial<SshBackendOptions> = {}) {
  const root = mkdtempSync(join(server.home, 'folder-'));
  const backend = new SshBackend({
    host: server.host,
    config: server.config,
    knownHosts: server.knownHosts,
    hostKeys: [server.fingerprint],
    root,
    ...more,
  });
  return { backend, root, close: () => backend.close() };
}

function setUp(more: Partial<SshBackendOptions> = {}) {
  const opened = open(more);
  onTestFinished(opened.close);
  return opened;
}

/** Takes only command lines that mean the same in every shell, which fish and tcsh would not. */
const CAREFUL = `#!/bin/sh
case $2 in *'
'* | *'!'* | *'\\\\'* | *"\\'"*) echo "refused: $2" >&2; exit 2 ;; esac
exec /bin/sh "$@"
`;

/** Each with why it is not tried; null: it is. */
function loginShells(): { name: string; shell: string; skipped: string | null }[] {
  const folder = mkdtempSync(join(tmpdir(), 'dd-shell-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const careful = join(folder, 'careful');
  writeFileSync(careful, CAREFUL);
  chmodSync(careful, 0o755);
  const real = ['fish', 'tcsh', 'zsh', 'bash'].map((name): [string, string] => [name, `/usr/bin/${name}`]);
  return [['that takes only what all shells read alike', careful] as const, ...real].map(([name, shell]) => {
    const skipped =
      process.getuid?.() !== 0 ? 'only root can choose it' : existsSync(shell) ? null : 'it is not installed';
    return { name: skipped === null ? name : `${name} (skipped: ${skipped})`, shell, skipped };
  });
}

describe.skipIf(why !== '')(`A folder over SSH${why}`, () => {
  describeBackend('SshBackend', async () => open());

  it('reads a page in one round trip', async () => {
    const { backend, root } = setUp();
    writeFileSync(join(root, 'long.txt'), Array.from({ length: 10_000 }, (_, n) => `line ${n}`).join('\n'));
    await backend.ls('/');
    const trips = vi.spyOn(SshConnection.prototype, 'start');
    onTestFinished(() => trips.mockRestore());
    const page = await backend.read('/long.txt', 5_000, 100);
    expect([page.content?.slice(0, 9), page.totalLines, page.nextOffset]).toEqual([
      'line 5000',
      10_000,
      5_100,
    ]);
    expect(trips).toHaveBeenCalledTimes(1);
  });

  it('fetches only files that contain a literal text', async () => {
    const { backend, root } = setUp();
    for (let n = 0; n < 300; n += 1) writeFileSync(join(root, `f${n}.txt`), n === 7 ? 'needle' : 'hay');
    const trips = vi.spyOn(SshConnection.prototype, 'start');
    onTestFinished(() => trips.mockRestore());
    expect((await backend.grep('needle')).matches).toMatchObject([{ path: '/f7.txt', line: 1 }]);
    expect(trips.mock.calls.length).toBeLessThanOrEqual(2);
  });

  for (const { name, shell, skipped } of loginShells())
    it.skipIf(skipped !== null)(`works with the login shell ${name}`, async () => {
      const other = await startSshServer(shell);
      if (typeof other === 'string') throw new Error(`${name}: ${other}`);
      onTestFinished(() => other.stop());
      const { host, config, knownHosts, home } = other;
      const root = mkdtempSync(join(home, "it's $HOME! \\\\ -"));
      const { backend } = setUp({ host, config, knownHosts, hostKeys: [other.fingerprint], root });
      const path = "/it's a \\ b!.txt";
      const content = "it's $HOME\n`id` \\n \\\\ \\' !! %s\n";
      expect(await backend.write(path, content)).toMatchObject({ path });
      expect(readFileSync(join(root, path), 'utf8')).toBe(content);
      expect((await backend.edit(path, '%s', 'ü')).error).toBeUndefined();
      expect((await backend.readRaw(path)).data?.content).toBe(content.replace('%s', 'ü'));
      expect((await backend.grep("\\' !! ü")).matches).toMatchObject([{ path, line: 2 }]);
      expect((await backend.downloadFiles([path]))[0]?.error).toBeNull();
      const ran = await backend.execute("printf '%s\\n' 'a\\b!' \"it's\"; exit 3");
      expect(ran).toEqual({ output: "a\\b!\nit's\n", exitCode: 3, truncated: false });
    });

  it('runs a command that is nearly as long as one argument may be', async () => {
    const { backend } = setUp();
    expect((await backend.execute(`printf %s ${'x'.repeat(110_000)} | wc -c`)).output.trim()).toBe('110000');
  });

  it('transfers bytes of any kind and size', async () => {
    const { backend, root } = setUp();
    const bytes = new Uint8Array(3_000_000).map((_, at) => (at * 7919) % 256);
    expect(await backend.uploadFiles([['/a b/$(x)\'".bin', bytes]])).toMatchObject([{ error: null }]);
    expect(Buffer.compare(readFileSync(join(root, 'a b/$(x)\'".bin')), bytes)).toBe(0);
    const [got] = await backend.downloadFiles(['/a b/$(x)\'".bin']);
    expect(Buffer.compare(got?.content ?? new Uint8Array(), bytes)).toBe(0);
  });

  it('runs commands in the folder, with their output as it comes', async () => {
    const { backend, root } = setUp();
    const heard: string[] = [];
    const ran = await backend.execute('pwd; echo wrong >&2; sleep 0.3; echo end; exit 3', {
      onOutput: (text) => heard.push(text),
    });
    expect(ran).toEqual({ output: `${root}\nwrong\nend\n`, exitCode: 3, truncated: false });
    expect(heard.length).toBeGreaterThan(1);
  });

  it('ends a command that takes too long', async () => {
    const { backend } = setUp();
    // Signing in would count: on a busy machine, the time was up before the command had started.
    await backend.execute('true');
    const ran = await backend.execute('echo begin; sleep 60', { timeoutMs: 3_000 });
    expect(ran).toMatchObject({ exitCode: 124, timedOut: true, output: 'begin\n' });
  });

  it('leaves no process behind when a command is stopped, not even one that hides', async () => {
    const { backend, root } = setUp();
    const controller = new AbortController();
    const hidden = 'setsid sh -c "trap \\"\\" TERM HUP; echo \\$\\$ >hidden; while :; do sleep 0.1; done" &';
    const bare = 'env -i /usr/bin/setsid /bin/sh -c "echo \\$\\$ >bare; exec sleep 601" >/dev/null 2>&1 &';
    const names = ['hidden', 'bare', 'plain'];
    const running = backend.execute(`${hidden} ${bare} sh -c 'echo $$ >plain; sleep 600'`, {
      signal: controller.signal,
    });
    await expect.poll(() => names.every((name) => existsSync(join(root, name)))).toBe(true);
    controller.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    const pids = names.map((name) => readFileSync(join(root, name), 'utf8').trim());
    const check = pids.map((pid) => `kill -0 ${pid} 2>/dev/null && echo ${pid}`).join('; ');
    await expect
      .poll(async () => (await backend.execute(`${check}; :`)).output, { timeout: 10_000 })
      .toBe('');
  });

  it('connects again after the connection broke', async () => {
    const { backend, root } = setUp();
    writeFileSync(join(root, 'a.txt'), 'still here');
    expect((await backend.read('/a.txt')).content).toBe('still here');
    server.drop();
    await expect.poll(async () => (await backend.read('/a.txt')).content).toBe('still here');
  });

  it('shows the key of an unknown host and does not connect', async () => {
    const { backend } = setUp({ hostKeys: [], knownHosts: join(server.home, 'none') });
    expect(await backend.ls('/')).toMatchObject({ kind: 'denied' });
    await expect(backend.probe('true')).rejects.toMatchObject({
      problem: { kind: 'host-key-unknown', fingerprint: server.fingerprint },
    });
    expect(existsSync(join(server.home, 'none'))).toBe(false);
  });

  it('says that the server refuses the person', async () => {
    const config = join(server.home, 'no-key');
    writeFileSync(config, 'IdentityFile none\nIdentitiesOnly yes\nIdentityAgent none\n');
    const { backend } = setUp({ config });
    await expect(backend.probe('true')).rejects.toMatchObject({ problem: { kind: 'denied' } });
  });

  it.skipIf(process.getuid?.() !== 0)(
    `says that the account may run no commands${process.getuid?.() === 0 ? '' : ' (skipped: only root can choose the login shell)'}`,
    async () => {
      const shell = join(mkdtempSync(join(tmpdir(), 'dd-shell-')), 'shell');
      onTestFinished(() => rmSync(dirname(shell), { recursive: true, force: true }));
      chmodSync(dirname(shell), 0o755);
      writeFileSync(shell, '#!/bin/sh\nexec /bin/sh "$@"\n', { mode: 0o755 });
      const other = await startSshServer(shell);
      if (typeof other === 'string') throw new Error(other);
      onTestFinished(() => other.stop());
      const { host, config, knownHosts, fingerprint, home } = other;
      const { backend } = setUp({ host, config, knownHosts, hostKeys: [fingerprint], root: home });
      for (const status of [0, 1]) {
        writeFileSync(shell, `#!/bin/sh\necho This account is not available.\nexit ${status}\n`);
        await expect(backend.probe('true')).rejects.toMatchObject({
          problem: { kind: 'no-shell', text: 'This account is not available.' },
        });
        expect(await backend.ls('/')).toMatchObject({ kind: 'denied' });
      }
    },
  );

  it('says that the machine cannot be reached', async () => {
    const { backend } = setUp({ host: 'ssh://nobody@127.0.0.1:1' });
    expect(await backend.read('/x')).toMatchObject({ kind: 'network' });
  });

  it('follows the jump hosts of the configuration', async () => {
    const config = join(server.home, 'jump');
    const [, user, port] = /ssh:\/\/(\w+)@127\.0\.0\.1:(\d+)/.exec(server.host) ?? [];
    writeFileSync(
      config,
      `${readFileSync(server.config, 'utf8')}
UserKnownHostsFile ${join(server.home, 'jump_known')}
StrictHostKeyChecking accept-new
Host behind
  HostName 127.0.0.1
  User ${user}
  Port ${port}
  ProxyJump ${user}@localhost:${port}
`,
    );
    const { backend } = setUp({ config, host: 'behind' });
    expect(await backend.execute('echo through')).toEqual({
      output: 'through\n',
      exitCode: 0,
      truncated: false,
    });
  });

  it('asks about the new key of a jump host by its name, and never trusts it by itself', async () => {
    const config = join(server.home, 'new-jump');
    const [, user, port] = /ssh:\/\/(\w+)@127\.0\.0\.1:(\d+)/.exec(server.host) ?? [];
    const known = join(server.home, 'new_jump_known');
    writeFileSync(
      config,
      `${readFileSync(server.config, 'utf8')}
UserKnownHostsFile ${known}
Host behind
  HostName 127.0.0.1
  User ${user}
  Port ${port}
  ProxyJump ${user}@localhost:${port}
`,
    );
    const { backend } = setUp({ config, host: 'behind' });
    await expect(backend.probe('true')).rejects.toMatchObject({
      problem: {
        kind: 'jump-key-unknown',
        jumpHost: `[localhost]:${port}`,
        fingerprint: server.fingerprint,
      },
    });
    expect(existsSync(known)).toBe(false);
  });

  // Last: the server has another key afterwards.
  it('refuses a host whose key has changed', async () => {
    mkdirSync(join(server.home, 'changed'));
    const knownHosts = join(server.home, 'changed/known');
    const before = setUp({ knownHosts });
    expect(await before.backend.execute('echo one')).toMatchObject({ output: 'one\n' });
    await before.close();
    await server.changeKey();
    const { backend } = setUp({ knownHosts });
    await expect(backend.probe('true')).rejects.toMatchObject({ problem: { kind: 'host-key-changed' } });
  });
});
