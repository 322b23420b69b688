import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { FileName, LineName, plainName } from './file-name';

afterEach(cleanup);

it('escapes invisible characters in a name and keeps the others', () => {
  const names = [
    'photo\u202egnp.exe',
    'a\nb\tc',
    'קובץ.txt',
    '❤️ notes 👨‍👩‍👧.md',
    'Приказ.txt',
    'p\u0430y.sh',
  ];
  expect(names.map(plainName)).toEqual([
    'photo\\u202egnp.exe',
    'a\\nb\\tc',
    'קובץ.txt',
    '❤️ notes 👨‍👩‍👧.md',
    'Приказ.txt',
    'p\\u0430y.sh',
  ]);
});

it("isolates the name's text direction from its surroundings", () => {
  const { container } = render(<FileName name={'a\u202eb'} />);
  expect(container.querySelector('bdi')?.textContent).toBe('a\\u202eb');
  expect(container.querySelector('mark')?.textContent).toBe('\\u202e');
});

it('keeps the end of a long name out of the truncated part, splits between whole characters, and exposes the name once', () => {
  const parts = (name: string) => {
    const { container } = render(<LineName name={name} />);
    const shown = [...container.querySelectorAll('[aria-hidden] bdi')].map((part) => part.textContent);
    cleanup();
    return shown;
  };
  const family = '👨‍👩‍👧';
  expect([
    parts('short.txt'),
    parts(`${'a'.repeat(30)}.test.ts`),
    parts(`${'a'.repeat(30)}${family}.test.tsx`),
    parts(`${'א'.repeat(30)}.txt`),
  ]).toEqual([[], [`${'a'.repeat(28)}`, 'aa.test.ts'], [`${'a'.repeat(30)}`, `${family}.test.tsx`], []]);
});
