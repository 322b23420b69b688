import { describe, expect, it } from 'vitest';
import { TEST_SOURCE, updatesFor } from './installed';

const built = { feed: 'https://updates.example.org/', key: 'key' };
const linux = {
  isPackaged: true,
  platform: 'linux',
  resources: '/usr/lib/deepdesk/resources',
  env: {} as NodeJS.ProcessEnv,
  exists: () => false,
};
const mounted = '/tmp/.mount_DeepdeAbCdEf';
const inAppImage = {
  ...linux,
  resources: `${mounted}/resources`,
  env: { APPIMAGE: '/home/me/Deepdesk.AppImage', APPDIR: mounted },
};

describe('a new version gets here', () => {
  it.each([
    ['deb', { ...linux, exists: (path: string) => path === '/var/lib/dpkg/info/deepdesk.list' }],
    ['rpm', linux],
    ['archive', { ...linux, resources: '/home/me/Deepdesk/resources' }],
    ['source', { ...linux, isPackaged: false, resources: '/home/me/deepdesk/resources' }],
    ['portable', { ...linux, platform: 'win32', env: { PORTABLE_EXECUTABLE_FILE: 'C:\\d.exe' } }],
  ])('by the person where it is installed as %s', (way, around) => {
    expect(updatesFor(around, built)).toEqual({ way, source: null, appImage: null });
  });

  it('by itself as an AppImage, on macOS and on Windows', () => {
    expect(updatesFor(inAppImage, built)).toEqual({
      way: 'self',
      source: built,
      appImage: '/home/me/Deepdesk.AppImage',
    });
    for (const platform of ['darwin', 'win32'])
      expect(updatesFor({ ...linux, platform }, built)).toEqual({
        way: 'self',
        source: built,
        appImage: null,
      });
  });

  it('by the person if a program that is an AppImage started it', () => {
    const started = { ...linux, env: { APPIMAGE: '/home/me/Editor.AppImage', APPDIR: '/tmp/.mount_Editor' } };
    expect(updatesFor(started, built)).toMatchObject({ way: 'rpm', appImage: null });
    const similar = { ...inAppImage, resources: `${mounted}2/resources` };
    expect(updatesFor(similar, built)).toMatchObject({ way: 'archive', appImage: null });
  });

  it.each([
    ['a key', { ...built, key: '' }],
    ['an encrypted connection', { ...built, feed: 'http://updates.example.org/' }],
  ])('from nowhere without %s', (_name, source) => {
    expect(updatesFor(inAppImage, source)).toEqual({ way: 'unconfigured', source: null, appImage: null });
  });
});

it('takes the source of journeys only where the app is not packaged', () => {
  const test = { feed: 'http://127.0.0.1:1/', key: 'other' };
  const env = { ...inAppImage.env, [TEST_SOURCE]: JSON.stringify(test) };
  expect(updatesFor({ ...inAppImage, env }, built).source).toEqual(built);
  expect(updatesFor({ ...linux, env }, built).source).toBeNull();
  expect(updatesFor({ ...inAppImage, isPackaged: false, env }, built).source).toEqual(test);
});
