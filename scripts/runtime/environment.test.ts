import { delimiter, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { appEnvironment } from './environment.mjs';

it("keeps the person's variables and drops those of npm and this Node", () => {
  const kept = join('/usr', 'bin');
  vi.stubEnv('PATH', [join('/repo', 'node_modules', '.bin'), kept].join(delimiter));
  vi.stubEnv('npm_lifecycle_event', 'start');
  vi.stubEnv('NODE_OPTIONS', '--inspect');
  vi.stubEnv('ELECTRON_RUN_AS_NODE', '1');
  vi.stubEnv('ANTHROPIC_API_KEY', 'k');

  const env = appEnvironment({ DISPLAY: ':7' });

  const names = [
    'PATH',
    'npm_lifecycle_event',
    'NODE_OPTIONS',
    'ELECTRON_RUN_AS_NODE',
    'ANTHROPIC_API_KEY',
    'DISPLAY',
  ];
  expect(Object.fromEntries(names.map((name) => [name, env[name]]))).toEqual({
    PATH: kept,
    npm_lifecycle_event: undefined,
    NODE_OPTIONS: undefined,
    ELECTRON_RUN_AS_NODE: undefined,
    ANTHROPIC_API_KEY: 'k',
    DISPLAY: ':7',
  });
  vi.unstubAllEnvs();
});
