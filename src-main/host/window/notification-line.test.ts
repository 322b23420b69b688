import { expect, it } from 'vitest';
import { notificationLine } from './notification-line';

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
