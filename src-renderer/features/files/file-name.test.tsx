import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { FileName, plainName } from './file-name';

afterEach(cleanup);

it('shows what cannot be seen in a name, and leaves what can', () => {
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

it('marks it, apart from what is around', () => {
  const { container } = render(<FileName name={'a\u202eb'} />);
  expect(container.querySelector('bdi')?.textContent).toBe('a\\u202eb');
  expect(container.querySelector('mark')?.textContent).toBe('\\u202e');
});
