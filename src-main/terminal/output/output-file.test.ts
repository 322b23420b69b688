import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BoundedOutput } from './bounded-output';
import { OutputFile, type OutputFileOptions } from './output-file';

let folder: string;
let file: string;
let flow: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'output-'));
  file = join(folder, 'outputs', 'call.log');
  flow = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const create = (more: Partial<OutputFileOptions> = {}) =>
  new OutputFile({ file, hold: () => flow.push('hold'), release: () => flow.push('release'), ...more });

describe('an output file', () => {
  it('contains what was written, in order', async () => {
    const output = create();
    const lines = Array.from({ length: 100_000 }, (_, i) => `line ${i} ü€𝄞\n`);
    for (const line of lines) output.write(line);
    const text = lines.join('');
    expect(await output.finish()).toEqual({ bytes: Buffer.byteLength(text), isWhole: true });
    expect(readFileSync(file, 'utf8') === text).toBe(true);
  });

  it('makes the program wait for the disk', async () => {
    const output = create();
    for (let i = 0; i < 9; i += 1) output.write('x'.repeat(500_000));
    expect(flow).toEqual(['hold']);
    await output.finish();
    expect(flow).toEqual(['hold', 'release']);
  });

  it('ends with a whole line and a note when it is full', async () => {
    const output = create({ largestFile: 25 });
    for (let i = 0; i < 10; i += 1) output.write(`line ${i}\n`);
    expect(await output.finish()).toEqual({ bytes: 21, isWhole: false });
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines.slice(0, 3)).toEqual(['line 0', 'line 1', 'line 2']);
    expect(lines[3]).toContain('the output continued; only these first');
  });

  it('leaves no file when writing fails, and reports the reason', async () => {
    writeFileSync(join(folder, 'outputs'), 'a file where the folder should be');
    const output = create();
    output.write('x'.repeat(9_000_000));
    expect(await output.finish()).toEqual({
      bytes: 0,
      isWhole: false,
      problem: expect.stringMatching(/EEXIST|ENOTDIR/),
    });
    expect(flow).toEqual(['hold', 'release']);
  });

  it('makes space by deleting the oldest files', async () => {
    const first = create();
    first.write('x'.repeat(60));
    await first.finish();
    utimesSync(file, 1, 1);
    for (const name of ['b.log', 'c.log']) writeFileSync(join(folder, 'outputs', name), 'y'.repeat(40));
    const next = create({ file: join(folder, 'outputs', 'd.log'), largestFile: 20, largestFolder: 100 });
    next.write('z');
    await next.finish();
    expect(readdirSync(join(folder, 'outputs'))).toEqual(['b.log', 'c.log', 'd.log']);
  });

  it('is deleted when discarded', async () => {
    const output = create();
    output.write('x'.repeat(2_000_000));
    await output.discard();
    expect(existsSync(file)).toBe(false);
  });
});

describe('output that does not fit in the result', () => {
  const spilled = (maxBytes: number, chunks: string[]) => {
    const parts: string[] = [];
    const output = new BoundedOutput(maxBytes, { isDone: false, write: (text) => parts.push(text) });
    for (const chunk of chunks) output.push(chunk);
    const isLong = output.end();
    return { all: parts.join(''), isLong, output };
  };
  const kept = { bytes: 9, isWhole: true, path: '/outputs/c.log' };

  it('is spilled completely, from its start, as plain text', () => {
    const chunks = Array.from({ length: 1_000 }, (_, i) => `\x1b[32mline\x1b[0m ${i}\r\n`);
    const { all, isLong, output } = spilled(1_000, chunks);
    expect(isLong).toBe(true);
    expect(all).toBe(Array.from({ length: 1_000 }, (_, i) => `line ${i}\n`).join(''));
    const { text } = output.finish(kept);
    expect(text).toContain('the whole output is in /outputs/c.log: read it in pages with read_file');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000);
    expect(text.startsWith('line 0\n')).toBe(true);
    expect(text.endsWith('line 999\n')).toBe(true);
  });

  it('is spilled completely when it is a single line and when only the end exceeds the limit', () => {
    const long = 'x'.repeat(300_000);
    for (const chunks of [
      [long, long, 'end'],
      ['start ', long],
      [long, '\r\nend\r\n'],
      ['x'.repeat(1_001)],
    ]) {
      const { all, isLong } = spilled(1_000, chunks);
      expect(isLong).toBe(true);
      expect(all === chunks.join('').replaceAll('\r\n', '\n')).toBe(true);
    }
  });

  it('keeps the start of a first line that never ends', () => {
    const { output } = spilled(1_000, ['begin ', 'x'.repeat(5_000), '\r\nend']);
    expect(output.finish(kept).text).toMatch(/^begin x{300,}\n\[… about [\d,]+ characters/);
  });

  it('is reported as lost when it could not be kept', () => {
    const { output } = spilled(1_000, ['x'.repeat(5_000)]);
    const { text } = output.finish({ ...kept, isWhole: false, problem: 'ENOSPC: no space left on device' });
    expect(text).toContain('could not be kept in a file: ENOSPC: no space left on device');
  });

  it('is not spilled when it fits', () => {
    expect(spilled(1_000, ['x'.repeat(999), '\r\n'])).toMatchObject({ all: '', isLong: false });
  });
});
