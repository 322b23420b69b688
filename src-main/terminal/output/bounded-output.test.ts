import { describe, expect, it } from 'vitest';
import { BoundedOutput } from './bounded-output';
import { plainText } from './plain-text';

function bound(maxBytes: number, chunks: Iterable<string>) {
  const output = new BoundedOutput(maxBytes);
  for (const chunk of chunks) output.push(chunk);
  return output.finish();
}

describe('bounded output', () => {
  it('keeps output that fits in the byte limit unchanged', () => {
    expect(bound(6, ['€', '€'])).toEqual({ text: '€€', truncated: false });
    expect(bound(5, ['€', '€']).truncated).toBe(true);
  });

  it('counts visible text, not the bytes sent', () => {
    const bar = Array.from({ length: 5_000 }, (_, i) => `\r\x1b[2K${i}`);
    expect(bound(100, bar)).toEqual({ text: '4999', truncated: false });
  });

  it('keeps whole lines at both ends', () => {
    const lines = Array.from({ length: 10_000 }, (_, i) => `line ${i}\r\n`);
    const { text } = bound(1_000, lines);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000);
    const [first, ...rest] = text.trimEnd().split('\n');
    expect(first).toBe('line 0');
    expect(rest.at(-1)).toBe('line 9999');
    expect(rest.filter((line) => !/^line \d+$/.test(line))).toEqual([
      expect.stringContaining('characters left out; '),
    ]);
  });

  it('never splits a character', () => {
    for (let length = 300; length < 310; length += 1) {
      const { text, truncated } = bound(length, ['𝄞'.repeat(2_000)]);
      expect(truncated).toBe(true);
      expect(text).not.toMatch(/\ufffd/);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(length);
    }
  });

  it('ends with the end of the output, whatever the last lines are', () => {
    const line = (i: number) => `\x1b[31m${i}\x1b[0m ${'wide '.repeat(i % 7)}\rredrawn ${i} €\x1b[K\r\n`;
    const lines = Array.from({ length: 9_000 }, (_, i) => line(i));
    // Colors take many bytes to show little text, and one line may be longer than the tail.
    const colors = '\x1b[1;31m\x1b[0m'.repeat(800);
    for (const last of ['', 'the end', colors, `${colors}\r\nthe end`, 'x'.repeat(30_000)]) {
      const raw = lines.join('') + last;
      const { text } = bound(4_000, [raw]);
      const end = text.slice(text.indexOf(' …]\n') + 4);
      expect(end).not.toBe('');
      expect(plainText(raw).endsWith(end)).toBe(true);
      expect(Buffer.byteLength(end)).toBeGreaterThan(1_000);
    }
  });

  it('stays small no matter how much is pushed', () => {
    const output = new BoundedOutput(10_000);
    const chunk = 'x'.repeat(65_536);
    for (let i = 0; i < 9_000; i += 1) output.push(chunk);
    output.push('\r\nthe end');
    expect(output.finish().text.endsWith('the end')).toBe(true);
  });
});
