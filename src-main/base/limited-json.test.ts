import { describe, expect, it } from 'vitest';
import { parseJson, parseYaml } from './limited-json';

const LIMITS = { maxBytes: 1_000_000 };

describe('parseJson', () => {
  it.each([
    ['{"a":[1,"[[[{{{"]}', { a: [1, '[[[{{{'] }],
    ['\ufeff{"a":"\\"[\\\\"}', { a: '"[\\' }],
    [`${'['.repeat(64)}${']'.repeat(64)}`, expect.any(Array)],
    [`[${'[],'.repeat(1_000)}1]`, expect.any(Array)],
  ])('reads %s', (text, value) => {
    expect(parseJson(text, LIMITS)).toEqual({ value });
  });

  it.each([
    ['lists', '['.repeat(200_000) + ']'.repeat(200_000), 'too_deep'],
    ['lists that are never closed', '['.repeat(400_000), 'too_deep'],
    ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'too_deep'],
    ['lists after a string with a quote', `["\\"",${'['.repeat(100)}${']'.repeat(100)}]`, 'too_deep'],
    ['65 lists', `${'['.repeat(65)}${']'.repeat(65)}`, 'too_deep'],
    ['a long text', `"${'x'.repeat(1_000_000)}"`, 'too_large'],
    ['a text of long characters', `"${'漢'.repeat(400_000)}"`, 'too_large'],
    ['what is none', '{a:1}', 'invalid'],
    ['nothing', '', 'invalid'],
  ])('refuses %s [safety 23]', (_name, text, problem) => {
    expect(parseJson(text, LIMITS)).toEqual({ problem });
  });
});

describe('parseYaml', () => {
  it.each([
    [
      'name: a\ntools: [b, c]\nnested:\n  - one: 1\n    two: 2\n',
      { name: 'a', tools: ['b', 'c'], nested: [{ one: 1, two: 2 }] },
    ],
    ['text: |\n  a [ b { c\n  - d\n', { text: 'a [ b { c\n- d\n' }],
    ['', null],
  ])('reads %j', async (text, value) => {
    expect(await parseYaml(text, LIMITS)).toEqual({ value });
  });

  it.each([
    ['flow lists', '['.repeat(50_000), 'too_deep'],
    ['flow lists over lines', 'a:\n  [\n'.repeat(2_000), 'too_deep'],
    ['dashes', `${'- '.repeat(3_000)}x`, 'too_deep'],
    ['question marks', `${'? '.repeat(3_000)}x`, 'too_deep'],
    ['blocks', Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'), 'too_deep'],
    ['aliases', `a: &a [1]\nb: [*a]`, 'alias'],
    ['a name that occurs twice', 'a: 1\nb: 2\na: 3', 'key_twice'],
    ['a second colon', 'a: 1\nb: two: three', 'colon'],
    ['what is none', 'a: [1', 'invalid'],
    ['a long text', 'x'.repeat(1_000_001), 'too_large'],
  ])('refuses %s [safety 23]', async (_name, text, problem) => {
    expect(await parseYaml(text, LIMITS)).toMatchObject({ problem });
  });

  it('takes time proportional to the length of a text, not to its square [safety 23]', async () => {
    const keys = (count: number) => Array.from({ length: count }, (_, at) => `k${at}: ${at}`).join('\n');
    await parseYaml(keys(500), LIMITS);
    const timeOf = async (count: number) => {
      const began = process.cpuUsage();
      await parseYaml(keys(count), LIMITS);
      return process.cpuUsage(began).user;
    };
    // With 16 times as many names, it takes about 20 times as long. Comparing all pairs would take 256 times as long.
    expect(await timeOf(16_000)).toBeLessThan(100 * (await timeOf(1_000)));
  });
});
