import { expect, it } from 'vitest';
import { secretValues, takeSecrets } from './environment';

it('finds values with telling names and those that look like secrets, and no others', () => {
  const env = {
    HOME: '/home/a',
    PATH_TOKEN: '/usr/lib/token',
    MY_TOKEN: 'canary-456',
    DATABASE: 'postgres://app:s3cr3tPass9@db/app',
    NODE_ENV: 'production',
    API_KEY_ENABLED: 'true',
    PASSWORD: 'short',
    KEPT_SECRET: 'kept-secret-value',
  };
  expect(secretValues(env, { HOME: '/home/a', KEPT_SECRET: 'kept-secret-value' })).toEqual([
    'canary-456',
    's3cr3tPass9',
  ]);
});

it('removes secrets from a shared environment, and keeps them for the caller', () => {
  const env: Record<string, string | undefined> = {
    PATH: '/usr/bin',
    OPENAI_API_KEY: 'short',
    MY_TOKEN: 'canary-456',
    DATABASE: 'postgres://app:s3cr3tPass9@db/app',
  };
  const before = { ...env };
  expect(takeSecrets(env)).toEqual(before);
  expect(env).toEqual({ PATH: '/usr/bin' });
});
