import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { removeTreeSync } from '../../base/remove-tree';
import { cleanups } from '../../base/testing/cleanups';
import { type HookProcess, runHook } from './run-hook';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'hook-'));
  cleanups.push(() => removeTreeSync(path));
  return path;
}

/** Runs a program of Node, which is the same on every system. */
function run(source: string, more: Partial<HookProcess> = {}) {
  const cwd = more.cwd ?? folder();
  const file = join(cwd, 'hook.mjs');
  writeFileSync(file, source);
  return runHook({
    command: `"${process.execPath}" "${file}"`,
    cwd,
    env: { PATH: process.env.PATH ?? '', SYSTEMROOT: process.env.SYSTEMROOT ?? '' },
    input: '',
    timeoutMs: 60_000,
    sandbox: null,
    signal: new AbortController().signal,
    ...more,
  });
}

const ECHO = `let text = '';
for await (const part of process.stdin) text += part;
console.log(JSON.stringify({ text, cwd: process.cwd(), names: Object.keys(process.env) }));`;

describe('a hook command', () => {
  it('gets its input, its folder, and no variable but those it is given', async () => {
    const exit = await run(ECHO, { input: '{"tool":"edit_file"}\n' });
    if (exit.kind !== 'exited') throw new Error(exit.kind);
    const seen = JSON.parse(exit.answer) as { text: string; names: string[] };
    expect(exit.code).toBe(0);
    expect(seen.text).toBe('{"tool":"edit_file"}\n');
    expect(seen.names).not.toContain('HOME');
    expect(seen.names).not.toContain('VITEST');
  });

  it('may ignore its input, however long it is', async () => {
    const exit = await run('process.exitCode = 3; console.error("no");', { input: 'x'.repeat(5_000_000) });
    expect(exit).toEqual({ kind: 'exited', code: 3, answer: '', errors: 'no' });
  });

  it('is stopped at its deadline, with all that it started', async () => {
    const cwd = folder();
    const late = join(cwd, 'late.mjs');
    writeFileSync(late, 'setInterval(() => {}, 1000);');
    const exit = await run(
      `import { spawn } from 'node:child_process';
       spawn(process.execPath, [${JSON.stringify(late)}], { stdio: 'inherit' });
       setInterval(() => {}, 1000);`,
      { cwd, timeoutMs: 500 },
    );
    // The pipes close only once no process holds them.
    expect(exit).toEqual({ kind: 'timed_out' });
  });

  /** Leaves a process in a session of its own, which holds the pipes, and prints its id. */
  async function leftBehind(more: string, options: { timeoutMs?: number } = {}) {
    const cwd = folder();
    const late = join(cwd, 'late.mjs');
    writeFileSync(late, 'setInterval(() => {}, 1000);');
    const exit = await run(
      `import { spawn } from 'node:child_process';
       const left = spawn(process.execPath, [${JSON.stringify(late)}], { stdio: 'inherit', detached: true });
       left.unref();
       process.stdout.write(String(left.pid));
       ${more}`,
      { cwd, ...options },
    );
    if (exit.kind !== 'exited') throw new Error(exit.kind);
    process.kill(Number(exit.answer), 'SIGKILL');
    return exit;
  }

  it('ends with its program, whatever that left behind in a session of its own', async () => {
    expect((await leftBehind('')).code).toBe(0);
  });

  it('did not run out of time if only what it left behind did', async () => {
    const exit = await leftBehind(`setTimeout(() => {}, ${Date.now() + 1_100} - Date.now());`, {
      timeoutMs: 2_000,
    });
    expect(exit.code).toBe(0);
  });

  it('is stopped if it prints without end', async () => {
    const exit = await run(`const more = () => process.stdout.write('x'.repeat(65536), more); more();`);
    expect(exit).toEqual({ kind: 'too_long' });
  });

  it('is stopped with its turn', async () => {
    const stop = new AbortController();
    const cwd = folder();
    const started = join(cwd, 'started');
    const running = run(
      `import { writeFileSync } from 'node:fs';
       writeFileSync(${JSON.stringify(started)}, '');
       setInterval(() => {}, 1000);`,
      { cwd, signal: stop.signal },
    );
    await expect.poll(() => existsSync(started), { timeout: 20_000 }).toBe(true);
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
  });

  it('says why it could not be started', async () => {
    const exit = await run('', {
      sandbox: { enter: () => Promise.reject(new Error('no namespaces')) },
    });
    expect(exit).toEqual({ kind: 'not_started', problem: 'no namespaces' });
  });
});
