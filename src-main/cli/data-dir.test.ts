import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { dataDirOf } from './data-dir';

const at = (env: Record<string, string>, option?: string) =>
  dataDirOf(option, { env, platform: 'linux', home: '/home/me' });

it('is the option, else the variable, else the folder of the app', () => {
  const env = { DEEPDESK_DATA_DIR: '/data', XDG_CONFIG_HOME: '/config' };
  expect(at(env, 'here')).toBe(resolve('here'));
  expect(at(env)).toBe(resolve('/data'));
  expect(at({ XDG_CONFIG_HOME: '/config' })).toBe(resolve('/config/Deepdesk'));
  expect(at({})).toBe(resolve('/home/me/.config/Deepdesk'));
});

it('is never the current folder because a variable is empty', () => {
  expect(at({ DEEPDESK_DATA_DIR: '', XDG_CONFIG_HOME: '' })).toBe(resolve('/home/me/.config/Deepdesk'));
  expect(at({ XDG_CONFIG_HOME: 'config' })).toBe(resolve('/home/me/.config/Deepdesk'));
  expect(dataDirOf(undefined, { env: { APPDATA: '' }, platform: 'win32', home: '/home/me' })).toBe(
    resolve('/home/me/AppData/Roaming/Deepdesk'),
  );
});
