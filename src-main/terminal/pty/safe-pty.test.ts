import { tmpdir } from 'node:os';
import { spawn } from 'node-pty';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SafePty } from './safe-pty';

const uncaught: unknown[] = [];
const note = (error: unknown) => uncaught.push(error);
beforeEach(() => {
  uncaught.length = 0;
  process.on('uncaughtException', note);
});
afterEach(() => void process.off('uncaughtException', note));

function start(command: string) {
  const raw = spawn('/bin/bash', ['--norc', '-c', command], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '' },
  });
  const pty = new SafePty(raw);
  const ended = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  return { raw, pty, ended };
}

describe('a pty', () => {
  it('never blocks the process while a program does not read', async () => {
    const { raw, pty, ended } = start('echo ready; sleep 60');
    await new Promise<void>((resolve) => void pty.onData(() => resolve()));
    expect(pty.write('a line of text\n'.repeat(20_000))).toBe(true);
    // A blocking write would have returned only after the program exited.
    expect(() => process.kill(raw.pid, 0)).not.toThrow();
    pty.kill();
    await ended;
  });

  it('delivers all of a long text to a program that reads late', async () => {
    const { pty, ended } = start('stty -echo; echo ready; sleep 0.1; head -n 20000 | sha256sum');
    let printed = '';
    let typed = false;
    pty.onData((data) => {
      printed += data;
      if (typed || !printed.includes('ready')) return;
      typed = true;
      pty.write('a line of text\n'.repeat(20_000));
    });
    expect(await ended).toBe(0);
    // sha256 of 20,000 such lines.
    expect(printed).toContain('1988df31066c6562d53fc5e662a81eb640d1ea2b43751be50db492201c71fccb');
  });

  it('accepts input, a size and a signal after its exit without throwing', async () => {
    const { pty, ended } = start('exit 3');
    const use = () => {
      pty.write('text\n');
      pty.resize(90, 20);
      pty.pause();
      pty.resume();
      pty.kill();
    };
    // This also covers the moment when the system knows about the exit but no listener was called yet.
    const timer = setInterval(use, 0);
    expect([3, 0]).toContain(await ended);
    use();
    await new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
    clearInterval(timer);
    expect(uncaught).toEqual([]);
  });

  it('treats any stream error as the exit of the program', async () => {
    const { raw, pty, ended } = start('sleep 60');
    if (!('emit' in raw && typeof raw.emit === 'function')) throw new Error('node-pty has changed.');
    for (const code of ['EPIPE', 'EBADF', 'ECANCELED', 'ERR_STREAM_DESTROYED']) {
      raw.emit('error', Object.assign(new Error(`write ${code}`), { code }));
    }
    pty.write('text\n');
    pty.resize(90, 20);
    pty.kill();
    await ended;
    expect(uncaught).toEqual([]);
  });
});
