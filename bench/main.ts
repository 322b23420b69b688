// The benchmark as a program: scripts/bench.mjs bundles it like the app and runs it on plain Node.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { readArguments, refuse } from '../scripts/arguments.mjs';
import { deleteData } from './data';
import { writeDocument } from './document';
import { failuresOf, type Group, type GroupOptions, isMet, NotHere } from './row';
import { type SideOrder, serveSide } from './side';
import { tableOf } from './table';

const groups: Record<string, () => Promise<{ default: Group }>> = {
  backends: () => import('./backends.bench'),
  changes: () => import('./changes.bench'),
  desktop: () => import('./desktop.bench'),
  files: () => import('./files.bench'),
  harness: () => import('./harness.bench'),
  size: () => import('./size.bench'),
  'start-up': () => import('./start-up.bench'),
};

/** The groups with steady rows. */
const STEADY: readonly string[] = ['backends'];

const USAGE = `npm run bench [-- group ...] [options]
groups: ${Object.keys(groups).join(', ')}
  --only a,b      parts of a group; backends: reading, search, listing, writing, store, shell,
                  rehearsal;
                  harness: turns, steps, offload, imports
  --row TEXT      only rows whose name contains it
  --quick         three runs of each at most
  --no-peer       without the published package
  --steady        only rows whose ratio is steady on a busy machine, by the fastest of all runs;
                  fails if one misses its ratio
  --write         writes docs/performance.md from the last results of each whole group
  --no-run        measures nothing, for --write
  --delete-data   deletes the data that is kept between runs, and ends`;

/** Where results are kept, and the commit that is measured. */
interface Keeping {
  folder: string;
  commit: string;
}

function keep({ folder, commit }: Keeping, group: string, rows: unknown): void {
  mkdirSync(folder, { recursive: true });
  const [cpu] = cpus();
  const machine = { cores: cpus().length, cpu: cpu?.model, memory: totalmem(), node: process.version };
  const when = new Date().toISOString();
  const text = JSON.stringify({ when, commit, machine, rows }, null, 2);
  writeFileSync(join(folder, `${group}.json`), `${text}\n`);
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments(
    {
      allowPositionals: true,
      options: {
        only: { type: 'string', default: '' },
        row: { type: 'string', default: '' },
        quick: { type: 'boolean', default: false },
        steady: { type: 'boolean', default: false },
        'no-peer': { type: 'boolean', default: false },
        'delete-data': { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        'no-run': { type: 'boolean', default: false },
        root: { type: 'string', default: '' },
        commit: { type: 'string', default: '' },
        /** For the processes that this program starts. */
        side: { type: 'string' },
      },
    },
    USAGE,
  );
  if (values.side !== undefined) return serveSide(JSON.parse(values.side) as SideOrder);
  if (values['delete-data']) return deleteData();
  const unknown = positionals.filter((name) => !(name in groups));
  if (unknown.length > 0) refuse(`there is no group ${unknown.join(', ')}`, USAGE);
  const options: GroupOptions = {
    only: values.only.split(',').filter((name) => name !== ''),
    row: values.row,
    quick: values.quick,
    peer: !values['no-peer'],
    steady: values.steady,
  };
  const names = values.steady && positionals.length === 0 ? STEADY : positionals;
  const folder = join(values.root, 'bench', 'results');
  if (!values['no-run']) await measureGroups(names, options, { folder, commit: values.commit });
  if (values.write) writeDocument(values.root, folder, Object.keys(groups));
}

/** Measures and prints the groups, all if none is named. Throws at the end if something has no result. */
async function measureGroups(
  names: readonly string[],
  options: GroupOptions,
  keeping: Keeping,
): Promise<void> {
  const isWhole =
    options.only.length === 0 && options.row === '' && options.peer && !options.quick && !options.steady;
  let missed = 0;
  const failures: string[] = [];
  for (const [name, load] of Object.entries(groups)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const { default: measure } = await load();
    const rows = await measure(options).catch((error) => {
      if (error instanceof NotHere) return error;
      throw error;
    });
    if (rows instanceof NotHere) {
      console.log(`\n${name}\n${rows.message}`);
      continue;
    }
    failures.push(...failuresOf(name, rows, options.steady));
    missed += rows.filter((row) => !isMet(row)).length;
    console.log(`\n${name}\n${tableOf(rows)}`);
    // A partial run does not replace the results of a whole one.
    keep(keeping, isWhole ? name : `${name}-part`, rows);
  }
  if (missed > 0) console.log(`\n${missed} missed`);
  if (failures.length > 0) throw new Error(`\nbench failed:\n${failures.join('\n')}`);
}

// Exiting through `exit` removes the temporary folders; the sides exit when they lose this process.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)
  process.on(signal, () => process.exit(code));

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
