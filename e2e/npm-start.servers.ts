import { stopsAndContinues, test, titleOf } from './support/npm-start-signals';

test.skip(process.platform !== 'linux', 'reads /proc');

for (const running of [
  { signal: 'SIGTERM', target: 'npm' },
  { signal: 'SIGINT', target: 'the group' },
  { signal: 'SIGHUP', target: 'the group' },
  { signal: 'SIGTERM', target: 'the group', twice: true },
] as const)
  test(titleOf(running), ({ start }) => stopsAndContinues(start, running));
