import { describe, expect, it } from 'vitest';
import { wishesOf, wishOfLink } from './outside';

describe('deep links', () => {
  it('open a thread or a folder', () => {
    expect(wishOfLink('deepdesk://thread/3f2c-1')).toEqual({ kind: 'thread', threadId: '3f2c-1' });
    expect(wishOfLink('deepdesk://project?path=%2Fhome%2Fme%2Fmy%20api')).toEqual({
      kind: 'folder',
      folder: '/home/me/my api',
      by: 'link',
    });
  });

  it.each([
    'deepdesk://thread/',
    'deepdesk://thread/../../x',
    'deepdesk://thread/a/b',
    'deepdesk://thread/a?run=1',
    'deepdesk://project?path=relative',
    'deepdesk://project?path=//server/share',
    'deepdesk://project?path=%5C%5Cserver%5Cshare',
    'deepdesk://project?path=/home/../etc',
    'deepdesk://project?path=/a%00b',
    'deepdesk://project?path=/a%0Ab',
    'deepdesk://project?path=/a%E2%80%AEb',
    'deepdesk://project?path=/a%E2%80%8Bb',
    'deepdesk://project?path=/a&path=/b',
    'deepdesk://project?path=/a&open=yes',
    'deepdesk://project/run?path=/a',
    'deepdesk://user@project?path=/a',
    'deepdesk://settings',
    'deepdesk:thread/a',
    'https://thread/a',
    'deepdesk://',
    '%',
  ])('open nothing for %s', (address) => {
    expect(wishOfLink(address)).toBeNull();
  });
});

it('a link that is too long opens nothing', () => {
  expect(wishOfLink(`deepdesk://project?path=/${'a'.repeat(9_000)}`)).toBeNull();
  expect(wishOfLink(`deepdesk://project?path=/${'a'.repeat(5_000)}`)).toBeNull();
});

describe('command-line arguments', () => {
  it("resolve folders against the caller's directory and skip the app itself and its options", () => {
    expect(
      wishesOf(
        ['/opt/app', '--user-data-dir=/x', 'my-api', '/home/me', 'deepdesk://thread/t1'],
        '/work',
        '/opt/app',
      ),
    ).toEqual([
      { kind: 'folder', folder: '/work/my-api', by: 'person' },
      { kind: 'folder', folder: '/home/me', by: 'person' },
      { kind: 'thread', threadId: 't1' },
    ]);
  });

  it('skip foreign URLs and never treat them as folders', () => {
    expect(
      wishesOf(['deepdesk://project?path=../x', 'DEEPDESK://nothing', 'file:///etc'], '/work', '/opt'),
    ).toEqual([]);
  });
});
