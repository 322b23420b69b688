import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { standardStreams } from './standard-streams';

/** A stream that fails with this code: in the call, like a file, or later, like a pipe. */
function failing(code: string, when: 'in the call' | 'later'): Writable {
  const error = Object.assign(new Error(`${code}: no`), { code });
  return new Writable({
    write(_chunk, _encoding, done) {
      if (when === 'in the call') throw error;
      setImmediate(() => done(error));
    },
  });
}

function collecting() {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return { stream, text: () => text };
}

it.each(['in the call', 'later'] as const)(
  'reports once that the disk is full, and continues (%s)',
  async (when) => {
    const stderr = collecting();
    const stdout = failing('ENOSPC', when);
    const streams = standardStreams({ stdout, stderr: stderr.stream });
    streams.out('one\n');
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    streams.out('two\n');
    streams.err('step\n');
    expect(streams.isIncomplete()).toBe(true);
    expect(stderr.text()).toBe("Couldn't write the output (ENOSPC). The rest of it is not printed.\nstep\n");
  },
);

it('says nothing about a reader that closed its end', async () => {
  const stderr = collecting();
  const streams = standardStreams({ stdout: failing('EPIPE', 'later'), stderr: stderr.stream });
  streams.out('one\n');
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect([streams.isIncomplete(), stderr.text()]).toEqual([false, '']);
});

it('continues without standard error', () => {
  const stdout = collecting();
  const streams = standardStreams({ stdout: stdout.stream, stderr: failing('ENOSPC', 'in the call') });
  streams.err('step\n');
  streams.out('answer\n');
  expect([streams.isIncomplete(), stdout.text()]).toEqual([false, 'answer\n']);
});

it('escapes controls for a terminal, and passes them on to a file or a program', () => {
  const text = 'a\u001b]52;c;AA\u0007\tb\r\nc\rd\u009b2J é 中\n';
  const printed = (isTTY: boolean) => {
    const { stream, text: collected } = collecting();
    standardStreams({ stdout: Object.assign(stream, { isTTY }), stderr: stream }).out(text);
    return collected();
  };
  expect(printed(true)).toBe('a\\u001b]52;c;AA\\u0007\tb\r\nc\\u000dd\\u009b2J é 中\n');
  expect(printed(false)).toBe(text);
});
