import { expect, it } from 'vitest';
import { AppSnapshot } from '../../contract/app';
import { DEFAULT_SETTINGS } from '../../contract/default-settings';
import { because } from '../../contract/shared/reasons';
import { diagnostics } from './diagnostics';
import { readLicenses } from './licenses';

const SECRET = 'canary';
const app = AppSnapshot.parse({
  version: '0.2.0',
  fallbackRuntime: '33.2.1',
  dataFolder: `/home/${SECRET}`,
  platform: 'linux',
  projects: [],
  threads: [],
  settings: {
    ...DEFAULT_SETTINGS,
    theme: 'dark',
    fontSize: 120,
    model: `openai-compatible:${SECRET}`,
    fallbacks: [`openai:${SECRET}`],
    shortcuts: { send: SECRET },
  },
  models: {
    providers: [
      {
        ...{ id: 'openai-compatible', needsKey: false, key: 'session', needsBaseUrl: true, ready: true },
        ...{
          keyVariable: SECRET.toUpperCase(),
          baseUrl: `https://${SECRET}.org`,
          models: [{ name: SECRET, label: SECRET }],
        },
      },
    ],
    keychain: false,
    overrides: {},
  },
  terminals: [],
  sandbox: { kind: null, reason: because('prose', { text: SECRET }), noHosts: null },
  warnings: [{ id: 'x', why: because('prose', { text: SECRET }) }],
});

it('states versions, counts and codes, and nothing that a person named', () => {
  const text = diagnostics(app, ['2026-01-02T03:04:05.000Z start']);
  expect(text.toLowerCase()).not.toContain(SECRET);
  expect(text).toContain('Deepdesk 0.2.0\n');
  expect(text).toContain('providers: openai-compatible (key: session)\n');
  expect(text).toContain('changed settings: theme=dark, model, fallbacks, fontSize=120, shortcuts\n');
  expect(text).toContain('sandbox for commands: none (prose)\n');
  expect(text).toContain('log:\n  2026-01-02T03:04:05.000Z start\n');
});

it('has no licenses without a build, or with a damaged file', async () => {
  const none = { packages: [], texts: [] };
  expect(await readLicenses(null)).toEqual(none);
  expect(await readLicenses(() => Promise.reject(new Error('ENOENT')))).toEqual(none);
  expect(await readLicenses(() => Promise.resolve('{"packages":1}'))).toEqual(none);
});
