import { expect, it } from 'vitest';
import { asMarkup, notificationLine } from './notification-line';

it('puts a command on one line', () => {
  expect(notificationLine('npm test &&\n\tnpm run build')).toBe('npm test && npm run build');
});

it.each([
  ['a', 'a'.repeat(140)],
  ['🙂', '🙂'.repeat(140)],
])('cuts a long text of %s between characters', (character, shown) => {
  expect(notificationLine(character.repeat(140))).toBe(shown);
  expect(notificationLine(character.repeat(141))).toBe(`${shown}…`);
  expect(notificationLine(character.repeat(1_000))).toBe(`${shown}…`);
});

it('hides nothing, and in a command no letter that only looks Latin [safety 11]', () => {
  expect(notificationLine('rm\u00a0a\u202eb')).toBe('rm\\u{a0}a\\u{202e}b');
  expect(notificationLine('\u043c\u0438\u0440')).toBe('\u043c\u0438\u0440');
  expect(notificationLine('\u0441\u0430', true)).toBe('\\u{441}\\u{430}');
});

it('keeps what would be markup', () => {
  expect(asMarkup('sort <a >b && echo "&lt;"')).toBe('sort &lt;a &gt;b &amp;&amp; echo "&amp;lt;"');
});
