// npm run test:growth [-- --write] [--no-run]: measures what large amounts of data cost, and whether everything
// that was opened goes away again. Keeps the results in growth-results/; --write writes them into docs/reliability.md.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';
import { root } from './process.mjs';
import { exitWith } from './runtime/foreground.mjs';
import { prepareNode } from './runtime/prepare.mjs';
import { readGrowth, writeGrowth } from './testing/growth.mjs';
import { machineFacts } from './testing/machine.mjs';
import { runServerSuites } from './testing/suites.mjs';
import { ONE_AT_A_TIME } from './testing/workers.mjs';

const RESULTS = join(root, 'growth-results');
const FACTS = join(RESULTS, 'facts.json');

const { values } = readArguments(
  { options: { write: { type: 'boolean', default: false }, 'no-run': { type: 'boolean', default: false } } },
  'npm run test:growth [-- --write] [--no-run]',
);

await exitWith(async () => {
  let code = 0;
  if (!values['no-run']) {
    const known = { when: new Date().toISOString(), ...(await machineFacts()) };
    rmSync(RESULTS, { recursive: true, force: true });
    const env = {
      ...process.env,
      ...(await prepareNode()),
      ...ONE_AT_A_TIME,
      DEEPDESK_GROWTH: JSON.stringify({ results: RESULTS }),
    };
    ({ code } = await runServerSuites(['src-main/host/growth'], {
      env,
      onLine: (line) => console.log(line),
    }));
    writeFileSync(FACTS, `${JSON.stringify(known)}\n`);
  }
  if (values.write) writeGrowth({ ...JSON.parse(readFileSync(FACTS, 'utf8')), ...readGrowth(RESULTS) });
  return code;
});
