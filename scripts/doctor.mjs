// npm run doctor: what the app finds on this machine, what is missing, what that means, and what to do. It downloads and
// changes nothing. It does not need packages, so that it can report that they are missing.
import { readArguments } from './arguments.mjs';
import { checkMachine } from './runtime/doctor-checks.mjs';
import { exitWith } from './runtime/foreground.mjs';

readArguments({ options: {} }, 'npm run doctor');

const SIGN = { works: '✓', missing: '–', fatal: '✗' };

await exitWith(async () => {
  const checks = await checkMachine();
  for (const { name, state, found, meaning, help } of checks) {
    console.log(`${SIGN[state]} ${name}: ${found}`);
    if (state !== 'works' && meaning) console.log(`    Without it: ${meaning}`);
    if (state !== 'works' && help) console.log(`    What to do: ${help}`);
  }
  const fatal = checks.filter(({ state }) => state === 'fatal').map(({ name }) => name);
  console.log(
    fatal.length === 0
      ? '\nThe app can start.'
      : `\nThe app cannot start before this is solved: ${fatal.join(', ')}.`,
  );
  return fatal.length === 0 ? 0 : 1;
});
