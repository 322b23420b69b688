import { describe, expect, it } from 'vitest';
import { endsInPrompt } from './input-wait';

describe('a line that asks', () => {
  it.each([
    'Name: ',
    'Continue? [y/N] ',
    'Do you want to continue [Y/n]',
    'package name: (app) ',
    'Overwrite a.txt?',
    '\x1b[32m?\x1b[39m Project name: › \x1b[1mPassword:\x1b[0m ',
    '>>> ',
    'line one\r\nOverwrite (yes/no)',
    '密码：',
  ])('is a prompt: %j', (tail) => expect(endsInPrompt(tail)).toBe(true));

  it.each(['', 'done\r\n', 'Why not?\r\n', '42 %', 'Compiling', 'a\r\nb (3)', '[##  ] 40 %', 'time: 12:04'])(
    'is not one: %j',
    (tail) => expect(endsInPrompt(tail)).toBe(false),
  );
});
