import { describe, expect, it } from 'vitest';
import { en } from './en';
import { errors as enErrors } from './en/errors';
import { formats } from './formats';
import { languageFor, listed, translator } from './translate';
import type { Entry } from './types';
import { zh } from './zh';
import { errors as zhErrors } from './zh/errors';

const slots = (entry: Entry | undefined): string[] => {
  const text = typeof entry === 'string' ? entry : (entry?.other ?? '');
  return [...text.matchAll(/\{(\w+)\}/g)].map(([slot]) => slot).sort();
};

describe('the catalog', () => {
  it('has every text in both languages, with the same values', () => {
    const flat = (catalogue: Record<string, Record<string, Entry>>) =>
      Object.entries(catalogue).flatMap(([feature, texts]) =>
        Object.entries(texts).map(([name, entry]) => [`${feature}.${name}`, slots(entry)] as const),
      );
    expect(new Map(flat(zh))).toEqual(new Map(flat(en)));
    expect(
      Object.values(zh)
        .flatMap((texts) => Object.values<Entry>(texts))
        .filter((entry) => entry === ''),
    ).toEqual([]);
  });

  it('uses one term for a thread and one for the pane that shows it', () => {
    const saying = (catalogue: Record<string, Record<string, Entry>>, word: RegExp) =>
      Object.entries(catalogue).flatMap(([feature, texts]) =>
        Object.entries(texts).flatMap(([name, entry]) =>
          word.test(typeof entry === 'string' ? entry : JSON.stringify(entry)) ? [`${feature}.${name}`] : [],
        ),
      );
    expect(saying({ ...en, errors: enErrors }, /conversation/i)).toEqual([
      'app.conversation',
      'app.noThread',
    ]);
    // Talking is 对话; a thread is 会话.
    expect(saying({ ...zh, errors: zhErrors }, /对话|线程/)).toEqual(['app.noThread', 'onboarding.intro']);
  });

  it('fills in values and picks the plural', () => {
    const t = translator('en');
    expect([
      t('sidebar.waiting', { count: 1 }),
      t('sidebar.waiting', { count: 3 }),
      translator('zh')('sidebar.waiting', { count: 1 }),
      t('tools.lines', { from: 1, to: 1_200 }),
    ]).toEqual(['1 pending approval', '3 pending approvals', '1 项等待你决定', 'lines 1–1,200']);
  });

  it('combines names, and a name with its description, as each language does', () => {
    const both = (language: 'en' | 'zh') => {
      const t = translator(language);
      return t('app.labelled', { label: 'A', text: listed(t, ['b', 'c']) });
    };
    expect([both('en'), both('zh')]).toEqual(['A: b, c', 'A：b、c']);
  });

  it('uses the system language if it is supported', () => {
    expect([languageFor('system', 'zh-TW'), languageFor('system', 'fr'), languageFor('en', 'zh')]).toEqual([
      'zh',
      'en',
      'en',
    ]);
  });
});

describe('formats', () => {
  const { duration, bytes, ago, short } = formats('en');
  it('write durations, sizes and times in short form', () => {
    expect([12.4, 2_140, 42_000, 185_000, 3_600_000, 93_910_000].map(duration)).toEqual([
      ...['12 ms', '2.1 s', '42 s', '3 min 5 s', '1 h 0 min', '26 h 5 min'],
    ]);
    expect([0, 999, 1_400, 3_200_000].map(bytes)).toEqual(['0 B', '999 B', '1.4 kB', '3.2 MB']);
    expect([0, 432_100, 626_112_900].map(short)).toEqual(['0', '432,100', '626.1M']);
    expect(formats('zh').short(626_112_900)).toBe('6.3亿');
    expect(ago(0, 5_000)).toBe('now');
    expect(ago(0, 7_200_000)).toBe('2 hr. ago');
  });

  it('name the year of a date in another one', () => {
    const now = new Date(2026, 10, 30, 12).getTime();
    const [recent, earlier] = [new Date(2026, 2, 5).getTime(), new Date(2025, 10, 30).getTime()];
    expect([recent, earlier].map((at) => ago(at, now))).toEqual(['Mar 5', 'Nov 30, 2025']);
    expect([recent, earlier].map((at) => formats('en').age(at, now))).toEqual(['Mar 5', 'Nov 2025']);
    expect([recent, earlier].map((at) => formats('zh').ago(at, now))).toEqual(['3月5日', '2025年11月30日']);
    expect([recent, earlier].map((at) => formats('zh').age(at, now))).toEqual(['3月5日', '2025年11月']);
  });
});
