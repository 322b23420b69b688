import { expect, it } from 'vitest';
import { folded, Names } from './names';

const among = (...parts: (string | Buffer)[]) => {
  const names = new Names();
  for (const part of parts) names.add(typeof part === 'string' ? Buffer.from(part) : part);
  return names;
};

it('joins names that arrive in two parts, even within a character', () => {
  const text = Buffer.from('a.txt\0会议.md\0b');
  expect([...among(text.subarray(0, 3), text.subarray(3, 8), text.subarray(8))]).toEqual([
    'a.txt',
    '会议.md',
  ]);
});

it('grows beyond its initial capacity', () => {
  const names = Array.from({ length: 20_000 }, (_, n) => `folder/of/some/length/${n}.ts`);
  expect([...among(...names.map((name) => `${name}\0`))]).toEqual(names);
});

it('stores each lowercase name at the same position, even if lowercase would be longer', () => {
  const names = among('ÄPFEL.md\0İstanbul.md\0B\0', Buffer.from([0xff, 0x41, 0]));
  const lower = Array.from({ length: names.count }, (_, at) =>
    names.lower.subarray(names.starts[at], (names.starts[at + 1] ?? 0) - 1).toString(),
  );
  expect(lower).toEqual(['äpfel.md', 'İstanbul.md', 'b', '\ufffda']);
  expect(folded('İ').toString()).toBe('İ');
});

it('treats backslashes as slashes where they separate folders', () => {
  const names = new Names(true);
  names.add(Buffer.from('src\\a.ts\0'));
  expect([...names]).toEqual(['src/a.ts']);
});
