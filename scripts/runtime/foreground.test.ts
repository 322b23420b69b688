import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { foreground } from './foreground.mjs';

const run = (script: string) =>
  foreground(process.execPath, ['-e', script], { env: { PATH: process.env.PATH ?? '' } });

it("returns the program's exit code", async () => {
  expect(await run('process.exit(4)')).toBe(4);
});

it.skipIf(process.platform === 'win32')('returns the exit code of a signal as shells do', async () => {
  expect(await run("process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)")).toBe(143);
});

it('rejects if the program does not exist', async () => {
  await expect(foreground('/no/such/program', [], { env: {} })).rejects.toThrow('ENOENT');
});

describe.skipIf(process.platform === 'win32')('an app with windows', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'deepdesk-foreground-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const said = (name: string) => {
    const file = join(folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };

  /** A script as npm starts it, through a shell that forwards no signals, and an app below it that records what it gets. */
  function start(onSignal: string) {
    const app = join(folder, 'app.cjs');
    writeFileSync(
      app,
      `const { appendFileSync } = require('node:fs');
      for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {
        appendFileSync(${JSON.stringify(join(folder, 'signals'))}, name + ' ');
        ${onSignal}
      });
      appendFileSync(${JSON.stringify(join(folder, 'pid'))}, process.pid + ' ');
      process.stderr.write('kept\\nleft out\\n');
      setInterval(() => {}, 1000);`,
    );
    const script = join(folder, 'script.mjs');
    const modules = pathToFileURL(join(import.meta.dirname, '/')).href;
    writeFileSync(
      script,
      `import { exitWith, windowApp } from '${modules}foreground.mjs';
      import { lineFilter } from '${modules}chromium-noise.mjs';
      await exitWith(async () => {
        const { code } = await windowApp(process.execPath, [${JSON.stringify(app)}], {
          env: { PATH: process.env.PATH },
          onErrors: (stream) => {
            const filter = lineFilter((text) => process.stderr.write(text), (line) => line === 'left out');
            stream.on('data', filter.write).on('end', filter.end);
          },
        });
        return code;
      });`,
    );
    const shell = spawn(
      'sh',
      ['-c', `"$0" "$1"; echo $? > "$2"`, process.execPath, script, join(folder, 'code')],
      {
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { PATH: process.env.PATH, npm_lifecycle_event: 'start' },
      },
    );
    let errors = '';
    shell.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    return { group: -(shell.pid ?? 0), shell: shell.pid ?? 0, errors: () => errors };
  }

  const isUp = async () => {
    await vi.waitFor(() => expect(said('pid')).not.toBe(''));
    return Number(said('pid'));
  };
  const isGone = (pid: number) => vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('receives %s to the whole group once', async (signal) => {
    // Longer than the script needs to notice that npm is gone too.
    const started = start('setTimeout(() => process.exit(5), 600);');
    const pid = await isUp();
    process.kill(started.group, signal);
    await isGone(pid);
    expect(said('signals')).toBe(`${signal} `);
    expect(started.errors()).toBe('kept\n');
  });

  it("receives a signal when npm's shell exits silently", async () => {
    const started = start('process.exit(5);');
    const pid = await isUp();
    process.kill(started.shell, 'SIGKILL');
    await isGone(pid);
    expect(said('signals')).toBe('SIGTERM ');
  });

  it('is killed if it does not exit', async () => {
    const started = start('');
    const pid = await isUp();
    process.kill(started.group, 'SIGTERM');
    await isGone(pid);
  });

  it('passes its exit code on', async () => {
    start('process.exit(5);');
    const pid = await isUp();
    process.kill(pid, 'SIGTERM');
    await vi.waitFor(() => expect(said('code')).toBe('5\n'));
  });
});
