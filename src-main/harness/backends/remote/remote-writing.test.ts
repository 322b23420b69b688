import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanups } from '../../../base/testing/cleanups';
import { RemoteBackend } from './remote-backend';
import { RemoteError, type RemoteTransport } from './remote-transport';

class Lost extends RemoteError {
  override readonly way = 'test connection';
  override readonly kind = 'network';
}

/** Status of a local program whose connection broke. */
const CUT = 255;

interface Machine {
  /** A script before each command. */
  before?: string | ((root: string) => string);
  /** Bytes of an upload that arrive. */
  sent?: number;
  uploaded?: () => void;
}

function setUp({ before = ':', sent = Number.POSITIVE_INFINITY, uploaded = () => undefined }: Machine = {}) {
  const root = mkdtempSync(join(tmpdir(), 'remote-'));
  const first = typeof before === 'string' ? before : before(root);
  cleanups.push(() => rmSync(root, { recursive: true, force: true }));
  const line = { sent };
  const transport: RemoteTransport = {
    id: root,
    name: 'machine',
    start: async (command) => {
      const child = spawn('/bin/sh', ['-c', `${first}\n${command}`], { stdio: 'pipe' });
      const end = child.stdin.end.bind(child.stdin);
      // The machine gets a part of the input, as if it was all.
      child.stdin.end = ((input?: Uint8Array) => {
        if (input !== undefined) child.on('close', uploaded);
        return end(input?.subarray(0, line.sent));
      }) as typeof end;
      return child;
    },
    terminal: async () => (command) => ({ file: '/bin/sh', args: ['-c', command] }),
    failure: async (exitCode) => (exitCode === CUT ? new Lost('It broke.') : null),
    unstarted: () => null,
    unable: (printed) => new Lost(printed),
    missing: ({ message }) => new Lost(message),
    drop: async () => undefined,
    close: async () => undefined,
  };
  return { root, line, backend: new RemoteBackend(transport, { root }) };
}

/** Puts these programs, which are one script, in front of the others. It finds those in $REAL. */
function programs(names: readonly string[], script: string): string {
  const bin = mkdtempSync(join(tmpdir(), 'bin-'));
  cleanups.push(() => rmSync(bin, { recursive: true, force: true }));
  for (const name of names) writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return `export REAL=$PATH; PATH=${bin}:$PATH`;
}

/** A program that fails as on a full disk. */
const fullDisk = (program: string): string =>
  programs([program], `head -c 10\necho "${program}: write error: No space left on device" >&2\nexit 1`);

const SMALL = 'one\n';
const LARGE = 'line of text\n'.repeat(20_000);

describe('A write to another machine', () => {
  it('leaves nothing of an upload behind that a broken connection cut', async () => {
    const { root, line, backend } = setUp({ sent: 100_000 });
    writeFileSync(join(root, 'a.txt'), SMALL);
    expect((await backend.write('/a.txt', LARGE)).error).toBeDefined();
    expect(readdirSync(root)).toEqual(['a.txt']);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(SMALL);
    line.sent = Number.POSITIVE_INFINITY;
    expect((await backend.write('/a.txt', LARGE)).error).toBeUndefined();
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(LARGE);
  });

  it.each([
    ['small', 'base64', 'x'],
    ['large', 'cat', LARGE],
  ])('says for a %s file that the disk is full, and leaves nothing behind', async (_size, program, text) => {
    const { root, backend } = setUp({ before: fullDisk(program) });
    writeFileSync(join(root, 'a.txt'), SMALL);
    expect(await backend.write('/a.txt', text)).toMatchObject({
      kind: 'storage',
      error: "The disk is full: '/a.txt' was not changed. Free some space, then try again.",
    });
    expect(readdirSync(root)).toEqual(['a.txt']);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(SMALL);
  });

  it.each([
    ['', '', {}],
    [' where no program knows -T', 'for a; do [ "$a" = -T ] && exit 1; done', {}],
    [' and has to be new', '', { createOnly: true }],
  ])('puts nothing into a folder that appears in its place meanwhile%s', async (_, first, options) => {
    const appearing = (root: string) =>
      programs(['mv', 'ln'], `${first}\nmkdir -p ${root}/a.txt\nPATH=$REAL exec "\${0##*/}" "$@"`);
    const { root, backend } = setUp({ before: appearing });
    const kind = 'createOnly' in options ? 'conflict' : 'special';
    expect(await backend.write('/a.txt', SMALL, options)).toMatchObject({ kind });
    expect(readdirSync(root)).toEqual(['a.txt']);
    expect(readdirSync(join(root, 'a.txt'))).toEqual([]);
  });

  it('leaves nothing behind if it is stopped between the upload and its last step', async () => {
    const controller = new AbortController();
    let after: string[] = [];
    const { root, backend } = setUp({
      uploaded: () => {
        after = readdirSync(root);
        controller.abort(new Error('stopped'));
      },
    });
    const writing = backend.write('/new.txt', LARGE, { signal: controller.signal });
    await expect(writing).rejects.toThrow('stopped');
    expect(after).toHaveLength(1);
    expect(after).not.toContain('new.txt');
    await expect.poll(() => readdirSync(root)).toEqual([]);
  });
});
