import { describe, expect, it } from 'vitest';
import { entryOf } from './memories';

const excerpt = (content: string, ...words: string[]) =>
  entryOf(
    {
      namespace: ['memories'],
      key: '/a.md',
      value: { content },
      createdAt: new Date(0),
      updatedAt: new Date(0),
    },
    words,
  ).excerpt;

describe('the excerpt of a memory in a list', () => {
  const long = `${'Nothing to see. '.repeat(50)}We indent with two spaces, never with tabs.`;

  it('is its start without a search, or if the match is there', () => {
    expect(excerpt('# Style\n\nTwo  spaces')).toBe('# Style Two spaces');
    expect(excerpt(long, 'nothing')).toMatch(/^Nothing to see\. /);
    expect(excerpt(long, 'absent')).toMatch(/^Nothing to see\. /);
  });

  it('surrounds the first match', () => {
    expect(excerpt(long, 'tabs', 'indent')).toBe('… to see. We indent with two spaces, never with tabs.');
    expect(excerpt(`${'软件项目说明'.repeat(20)}使用两个空格`, '空格')).toBe(
      '… 软件项目说明软件项目说明使用两个空格',
    );
  });

  it('does not start inside a surrogate pair', () => {
    expect(excerpt(`${'🙂'.repeat(40)}atea`, 'tea')).toBe(`… ${'🙂'.repeat(7)}atea`);
  });
});
