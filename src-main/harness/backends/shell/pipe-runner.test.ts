import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as published from 'deepagents';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HeadAndTail } from '../text/head-and-tail';
import { LocalShellBackend, type LocalShellBackendOptions } from './local-shell';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'deepdesk-pipes-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const shell = (options: LocalShellBackendOptions = {}) =>
  new LocalShellBackend({ rootDir: folder(), ...options });

describe.skipIf(process.platform === 'win32')('LocalShellBackend without a runner', () => {
  it.each(['echo hi', 'printf "a\\nb"', 'true', 'false', 'exit 7', 'echo oops; exit 3', ''])(
    "gives the published package's answer to: %s",
    async (command) => {
      const theirs = new published.LocalShellBackend({ rootDir: folder() });
      expect(await shell().execute(command)).toEqual(await theirs.execute(command));
    },
  );

  it('shows errors where they were printed, and starts in the root folder with an empty environment', async () => {
    const rootDir = folder();
    const { output } = await shell({ rootDir, env: { NAME: 'x' } }).execute(
      'echo one; echo two >&2; echo three; pwd; echo "$NAME$HOME"',
    );
    expect(output).toBe(`one\ntwo\nthree\n${rootDir}\nx\n`);
  });

  it('kills processes that a command leaves behind', async () => {
    // It holds the pipe open: without the kill, this would never return.
    expect(await shell().execute('sleep 1000 & echo started')).toMatchObject({
      output: 'started\n',
      exitCode: 0,
    });
  });

  it('does not wait for processes that have left the group of their command', async () => {
    const away = `${process.execPath} -e "require('child_process').spawn('sleep', ['30'], { detached: true, stdio: 'inherit' })" & echo $!; sleep 0.3`;
    const backend = shell({ inheritEnv: true });
    const outcome = await backend.execute(`${away}; echo done`, { timeoutMs: 10_000 });
    expect(outcome).toMatchObject({ output: expect.stringMatching(/\ndone\n$/), exitCode: 0 });
    expect(outcome.timedOut).toBeUndefined();
    const late = await backend.execute(`${away}; sleep 30`, { timeoutMs: 1_000 });
    expect(late).toMatchObject({ timedOut: true });
  }, 15_000);

  it('kills the whole tree when time runs out, even if a command ignores the request', async () => {
    const stubborn = `trap '' TERM; (trap '' TERM; while :; do sleep 0.1; done) & echo begun; wait`;
    expect(await shell().execute(stubborn, { timeoutMs: 100 })).toMatchObject({
      exitCode: 124,
      timedOut: true,
      output: expect.stringMatching(/Command timed out after 0.1 seconds/),
    });
  });

  it('kills the whole tree when it is aborted, and reports what was printed', async () => {
    const stop = new AbortController();
    const printed: unknown[] = [];
    const running = shell().execute('echo begun; sleep 1000 | sleep 1000', {
      signal: stop.signal,
      onOutput: () => stop.abort(new Error('stopped')),
      onStopped: (one) => printed.push(one),
    });
    await expect(running).rejects.toThrow('stopped');
    expect(printed).toEqual([{ output: 'begun\n', truncated: false }]);
  });

  it('keeps head and tail of a long output', async () => {
    const backend = shell({ maxOutputBytes: 1_000 });
    const { output, truncated } = await backend.execute(
      'i=0; while [ $i -lt 2000 ]; do echo "line $i"; i=$((i+1)); done',
    );
    expect(truncated).toBe(true);
    expect(output).toMatch(/^line 0\nline 1\n/);
    expect(output).toMatch(/line 1999\n\n\n\.\.\. Output truncated at 1000 bytes\.$/);
    expect(output).toMatch(/\n\[… \d+ bytes left out …\]\n/);
  });

  it('says why a command could not be started', async () => {
    const rootDir = join(folder(), 'gone');
    expect((await shell({ rootDir }).execute('echo hi')).output).toContain(
      `Error: the folder ${rootDir} does not exist.`,
    );
    const backend = shell({});
    expect(await backend.execute(`echo ${'x'.repeat(200_000)}`)).toMatchObject({
      output: expect.stringMatching(/^Error: the command is too long for this system/),
      exitCode: 1,
    });
    expect((await backend.execute('echo \0')).output).toContain(
      'Error: a command cannot contain a NUL character.',
    );
  });

  it('allows any time limit', async () => {
    const backend = shell({});
    for (const timeoutMs of [2 ** 31, 1e13, Number.POSITIVE_INFINITY])
      expect(await backend.execute('sleep 0.05; echo hi', { timeoutMs })).toMatchObject({ output: 'hi\n' });
    for (const timeout of [1e10])
      expect((await shell({ timeout }).execute('sleep 0.05; echo hi')).output).toBe('hi\n');
  });

  it('rejects options that it cannot keep', () => {
    expect(() => shell({ session: true })).toThrow('the option session needs a runner');
    expect(() => shell({ outputFolder: { folder: '/a', path: '/a' } })).toThrow(
      'outputFolder needs a runner',
    );
  });
});

describe('the head and tail of an output', () => {
  const kept = (maxBytes: number, chunks: string[]) => {
    const output = new HeadAndTail(maxBytes);
    for (const chunk of chunks) output.push(Buffer.from(chunk));
    return output.end();
  };

  it('are the whole output if it fits, in chunks of any size', () => {
    const chunks = ['ab', '', 'cdefgh', 'ü', '€'];
    expect(kept(13, chunks)).toEqual({ text: 'abcdefghü€', truncated: false });
  });

  it('cut no character in two', () => {
    for (let maxBytes = 4; maxBytes < 40; maxBytes += 1) {
      const { text, truncated } = kept(maxBytes, Array(100).fill('ü€𝄞'));
      expect(truncated).toBe(true);
      expect(text).not.toContain('\u{fffd}');
      const [head = '', tail = ''] = text.split(/\n\[… \d+ bytes left out …\]\n/);
      expect(Buffer.byteLength(head + tail)).toBeLessThanOrEqual(maxBytes);
      const left = Number(/(\d+) bytes/.exec(text)?.[1]);
      expect(left).toBeGreaterThanOrEqual(900 - maxBytes);
    }
  });
});
