import { expect, it } from 'vitest';
import { naming } from './naming';
import { translator } from './translate';

const t = translator('en');

it('leaves short names as they are', () => {
  expect(naming(t, 'sidebar.renamed', { from: 'Old', to: 'New' })).toBe('Renamed “Old” to “New”');
});

it('shortens a long name in the middle, and keeps the whole one', () => {
  const long = `The report about ${'every single '.repeat(14)}file of 2026`;
  const message = naming(t, 'sidebar.renamed', { from: long, to: 'New' });
  expect(message).toEqual({
    text: 'Renamed “The report about every single…le file of 2026” to “New”',
    full: `Renamed “${long}” to “New”`,
  });
});

it('does not cut a character', () => {
  const family = '👩‍👩‍👧';
  const message = naming(t, 'sidebar.renamed', { from: family.repeat(60), to: 'New' });
  const text = typeof message === 'string' ? message : message.text;
  expect(text).toBe(`Renamed “${family.repeat(30)}…${family.repeat(15)}” to “New”`);
});
