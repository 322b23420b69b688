import { AppError, fail } from '@contract/result';
import { describe, expect, it } from 'vitest';
import { errors as en } from './en/errors';
import { errorIn, errorWords } from './errors';
import type { Entry } from './types';
import { errors as zh } from './zh/errors';

const names = (entry: Entry): string[] => {
  const text = typeof entry === 'string' ? entry : entry.other;
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].sort();
};
const namesOf = (texts: Readonly<Record<string, Entry>>) =>
  Object.fromEntries(Object.entries(texts).map(([code, entry]) => [code, names(entry)]));

/** Text that is the same in every language: product names, literal input, units. */
const AS_IT_STANDS =
  /\{\w+\}|Deepdesk|OpenSSH|SSH|MCP|JSON|PNG|JPEG|GIF|WebP|UTF-8|MB|GB|KB|SVG|API|LangSmith|LangGraph|token|cron|Node\.js|team\/notes|\b(?:list|read)\b|Ctrl\+C|\\xHH|shell|git|Authorization: Bearer|TLS|\?sslmode=disable|postgresql:\S*|http\S*|https\S*|--[\w-]+(?: edit| keep)?|policy|all|none|stop|approve|reject\[:message\]|reject|keep\[:PATHS\]|discard\[:message\]|\b(?:run|wait|again|ask-all|ask|auto|plan)\b|edit:JSON|respond:TEXT|NAME on COMPUTER|ID|@/g;

describe('the error texts', () => {
  it('have the same values in both languages', () => {
    expect(namesOf(zh)).toEqual(namesOf(en));
  });

  it('are Chinese in Chinese', () => {
    const latin = Object.entries<Entry>(zh).filter(
      ([code, entry]) =>
        !['prose', 'external', 'cli_usage', 'rule_refused', 'input_refused'].includes(code) &&
        (/[A-Za-z]{2,}/.test(String(entry).replaceAll(AS_IT_STANDS, '')) ||
          !/\p{Script=Han}/u.test(String(entry))),
    );
    expect(latin).toEqual([]);
  });

  it("are in the person's language, followed by the raw text", () => {
    const { error } = fail('not_found', 'path_gone', { path: '/a' }, 'ENOENT');
    expect(errorIn('en', error)).toEqual({
      kind: 'not_found',
      code: 'path_gone',
      message: '/a no longer exists.',
      detail: 'ENOENT',
    });
    expect(errorIn('zh', error)).toMatchObject({ message: '/a 已不存在。', detail: 'ENOENT' });
  });

  it('from an older version stay as they were written', () => {
    const error = AppError.parse({ kind: 'storage', message: 'The disk is full.' });
    expect(['en', 'zh'].map((language) => errorIn(language as 'en' | 'zh', error).message)).toEqual([
      'The disk is full.',
      'The disk is full.',
    ]);
  });

  it('name an unknown code from a newer version', () => {
    expect(errorWords('en', { code: 'from_the_future' })).toContain('from_the_future');
    expect(errorWords('zh', { code: 'constructor' })).toContain('constructor');
  });
});
