import { describe, expect, it } from 'vitest';
import { standardTime } from '../../base/testing/processor-time';
import { PlainText } from './plain-text';

function read(...chunks: string[]): string {
  let text = '';
  const plain = new PlainText((part) => {
    text += part;
  });
  for (const chunk of chunks) plain.push(chunk);
  plain.end();
  return text;
}

describe('plain text', () => {
  it.each([
    ['line ends of a terminal', 'a\r\nb\r\n', 'a\nb\n'],
    ['a last line without an end', 'a\r\nb', 'a\nb'],
    ['colors and modes', '\x1b[1;31mred\x1b[0m \x1b[?25lok\x1b[?2004h', 'red ok'],
    [
      'a title, a link and a question to the terminal',
      '\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\\x1bP+q\x1b\\c',
      'abc',
    ],
    ['charset selection and keypad modes', '\x1b(B\x1b=a\x1b>', 'a'],
    ['control characters', 'a\x07\x00b\x9d', 'ab'],
    ['tabs, which stay', 'a\tb', 'a\tb'],
    ['a progress bar drawn over itself', '1%\r50%\r100%\r\nok', '100%\nok'],
    ['a shorter text over a longer one', 'abcdef\rxy', 'xycdef'],
    ['a line that was erased', 'downloading\r\x1b[Kdone', 'done'],
    ['a line erased as a whole', 'downloading\x1b[2K\rdone', 'done'],
    ['backspaces', 'abx\b \bc', 'abc'],
    ['a column given by number', 'abc\x1b[1Gx', 'xbc'],
    ['an unfinished string sequence', '\x1b]0;never ends\r\nnext', '0;never ends\nnext'],
  ])('reduces %s to what the reader saw', (_what, raw, seen) => {
    expect(read(raw)).toBe(seen);
  });

  it('is the same no matter where the chunks are cut', () => {
    const raw = 'a\r\n\x1b[31mred\x1b[0m\r1\x1b]8;;x\x1b\\link\x1b]0;t\x07\r\nab\rc\x1b[K\r\nend';
    const whole = read(raw);
    for (let cut = 1; cut < raw.length; cut += 1) expect(read(raw.slice(0, cut), raw.slice(cut))).toBe(whole);
    expect(read(...raw)).toBe(whole);
  });

  it('passes on an endless line in pieces and buffers little of it', () => {
    const pieces: number[] = [];
    const text = new PlainText((piece) => pieces.push(piece.length));
    for (let i = 0; i < 100; i += 1) text.push('x'.repeat(65_536));
    expect(text.current.length).toBeLessThan(1_100_000);
    text.end();
    expect(pieces.reduce((sum, length) => sum + length)).toBe(6_553_600);
  });

  it.each(['\bx', '\rx', '\x1b[5Gx', '\ra\x1b[K\rb'])(
    'follows %j quickly, even at the end of a very long line',
    async (redrawn) => {
      const raw = 'a'.repeat(900_000) + redrawn.repeat(100_000);
      expect(await standardTime(() => read(raw), 1)).toBeLessThan(500);
    },
  );

  it('removes colors from long texts quickly', async () => {
    const raw = '\x1b[1;32mok\x1b[0m a line of a test run \x1b[38;2;1;2;3mwith colors\x1b[m\r\n'.repeat(
      20_000,
    );
    expect(read(raw) === 'ok a line of a test run with colors\n'.repeat(20_000)).toBe(true);
    expect(await standardTime(() => read(raw))).toBeLessThan(500);
  });
});
