// The rows of `npm run test:faults`: what is provoked, how often, and the tests that do it.

/**
 * @typedef {object} Suite tests that provoke a fault, in Vitest or in the real app
 * @property {'unit' | 'journeys'} runner
 * @property {string[]} files
 * @property {string} [title] a regular expression; default: every test of the files
 *
 * @typedef {object} Row
 * @property {string} name for `--row`
 * @property {string} fault
 * @property {string} promise what must hold
 * @property {number} [times] how often it is provoked by src-main/host/faults, by default
 * @property {Suite[]} [suites]
 */

const TERMINAL = 'src-main/terminal';

/** @type {readonly Row[]} */
export const ROWS = [
  {
    name: 'runs',
    fault: 'Kill during a run',
    promise: 'The thread continues, and every step is there once.',
    times: 200,
  },
  {
    name: 'approvals',
    fault: 'Kill while an approval waits, or right after the decision',
    promise: 'The same card waits again, and the command takes effect once.',
    times: 200,
  },
  {
    name: 'keeps',
    fault: 'Kill during Keep',
    promise: 'All kept files are in the folder, or none.',
    times: 100,
  },
  {
    name: 'memories',
    fault: 'Kill during memory writes',
    promise: 'Every acknowledged version is there, and each is whole.',
    times: 200,
  },
  {
    name: 'edits',
    fault: 'Kill during edits of files',
    promise: 'Each file is whole, old or new, with its mode, and leftovers are removed.',
    times: 200,
  },
  {
    name: 'migrations',
    fault: 'Kill during a migration of the database',
    promise: 'Every row is in the new version, and the copy of the old one is whole.',
    times: 100,
  },
  {
    name: 'updates',
    fault: 'Kill while an update of the app is downloaded or installed',
    promise: "The app's file is the old or the new version, whole, and the next update works.",
    times: 40,
  },
  {
    name: 'power',
    fault: 'Power loss: what was not flushed is gone, in any combination of blocks',
    promise: 'Acknowledged approvals, messages and memories are there, and no file is torn.',
    times: 120,
  },
  {
    name: 'power-keeps',
    fault: 'Power loss during Keep, on a disk of its own with the state that its file system had written',
    promise: 'All kept files are in the folder, or none.',
    times: 40,
  },
  {
    name: 'locked',
    fault: 'Another program holds the database',
    promise:
      'A short lock is waited for. Under a long one nothing is done, the person is told, and it works afterwards.',
    times: 3,
  },
  {
    name: 'clock',
    fault: 'The clock jumps by days, back and forward, while a thread works and waits',
    promise: 'Cards neither expire nor decide themselves, and messages keep their order.',
    times: 20,
  },
  {
    name: 'sleep',
    fault: 'The computer sleeps for days, while the agent works and while it waits',
    promise: 'Cards neither expire nor decide themselves, and the thread continues automatically.',
    times: 40,
  },
  {
    name: 'renderer',
    fault: "Crash of the window's process",
    promise: 'The window comes back with the same question and the whole answer.',
    suites: [{ runner: 'journeys', files: ['e2e/faults.spec.ts'], title: 'renderer that crashes' }],
  },
  {
    name: 'terminals',
    fault: 'Death of a terminal',
    promise: 'The app continues, and earlier output is there.',
    suites: [
      {
        runner: 'unit',
        files: [`${TERMINAL}/safe-pty.test.ts`, `${TERMINAL}/sessions.test.ts`],
        title: 'stream error|after its exit|marks running terminals as lost|even if the store fails',
      },
    ],
  },
  {
    name: 'damaged',
    fault: 'Damaged database',
    promise: 'It is set aside unchanged, the app starts and says so.',
    suites: [
      { runner: 'unit', files: ['src-main/storage/database/open.test.ts'], title: 'sets aside' },
      { runner: 'journeys', files: ['e2e/faults.spec.ts'], title: 'damaged database' },
    ],
  },
  {
    name: 'disk',
    fault: 'Full and read-only disk',
    promise: 'Writes fail with a message, files stay as they were, and work continues when there is space.',
    suites: [
      { runner: 'unit', files: ['src-main/host/turns/full-disk.test.ts'] },
      {
        runner: 'unit',
        files: ['src-main/harness/backends/path-corpus/permissions.test.ts'],
        title: 'read-only file system|full disk',
      },
    ],
  },
  {
    name: 'providers',
    fault:
      'Provider: 401, 429, 5xx, 529, timeout, cut stream, error after 200, broken tool JSON, unknown tool, repeated id, context overflow, no network',
    promise: 'No call of an incomplete answer runs, and the thread continues after a retry.',
    suites: [
      {
        runner: 'unit',
        files: [
          'src-main/host/turns/wire-faults.slow.test.ts',
          'src-main/models/faults.test.ts',
          'src-main/models/retry.test.ts',
        ],
      },
      {
        runner: 'journeys',
        files: ['e2e/failures.spec.ts'],
        title: 'says in the conversation|missing network',
      },
    ],
  },
  {
    name: 'instances',
    fault: 'Two instances, and a killed owner of a lease',
    promise: "The second one shows the first one's window; a thread runs in one process.",
    suites: [
      { runner: 'unit', files: ['src-main/storage/leases.test.ts'] },
      {
        runner: 'unit',
        files: ['src-main/storage/index.test.ts'],
        title: 'lets only one process run a thread',
      },
      { runner: 'journeys', files: ['e2e/quitting.spec.ts'], title: 'second start' },
    ],
  },
  {
    name: 'folder',
    fault: 'Folder deleted, renamed, replaced, unmounted',
    promise: 'Nothing is created at the old path, and work continues when the folder is back.',
    suites: [
      { runner: 'unit', files: ['src-main/host/project/replaced-folder.test.ts'] },
      { runner: 'unit', files: ['src-main/workspace/watcher.test.ts'], title: 'is gone' },
      { runner: 'journeys', files: ['e2e/faults.spec.ts'], title: 'moved away' },
    ],
  },
  {
    name: 'watches',
    fault: 'No file watches left, or more changes at once than the kernel keeps',
    promise: 'Changes are still seen, and everything is listed again after dropped ones.',
    suites: [
      {
        runner: 'unit',
        files: ['src-main/workspace/watcher.test.ts'],
        title: 'no watches left|queue of changes that overflows',
      },
    ],
  },
  {
    name: 'output',
    fault: 'Flood of output',
    promise: 'The start and the end are complete, memory stays small, and Stop works.',
    suites: [
      {
        runner: 'unit',
        files: [
          `${TERMINAL}/command-runner.test.ts`,
          `${TERMINAL}/sessions.test.ts`,
          `${TERMINAL}/jobs.test.ts`,
        ],
        title: 'flood|5 MB of output',
      },
    ],
  },
  {
    name: 'long-results',
    fault: 'A result of 100,000 lines',
    promise: 'The model gets a part within its limit, and can read every line.',
    suites: [{ runner: 'unit', files: ['src-main/host/turns/long-result.test.ts'] }],
  },
  {
    name: 'processes',
    fault: 'A child that ignores SIGTERM or leaves its session',
    promise: 'Nothing of it runs after Stop.',
    suites: [
      {
        runner: 'unit',
        files: [`${TERMINAL}/command-runner.test.ts`, `${TERMINAL}/process-tree.test.ts`],
        title: 'ignores SIGTERM|own session|whole tree|grandchildren|process tree',
      },
      { runner: 'journeys', files: ['e2e/terminal.spec.ts'], title: 'stop kills' },
    ],
  },
  {
    name: 'quit',
    fault: 'Quit during a run',
    promise: 'The app ends within three seconds, and nothing of it remains.',
    suites: [
      { runner: 'unit', files: [`${TERMINAL}/quitting.test.ts`] },
      {
        runner: 'journeys',
        files: ['e2e/quitting.spec.ts'],
        title: 'closing the window|without asking|end of the desktop session|hangs in the file system',
      },
    ],
  },
];

/** Half of a line of the terminal. */
const NAME = 12;

/** What one row found; one JSON file each. */
/**
 * @typedef {object} RowResult
 * @property {string} name
 * @property {string} date ISO
 * @property {string} commit
 * @property {string} machine
 * @property {string} load of one minute when it began
 * @property {number | null} seed null if nothing of it is random
 * @property {number} provoked
 * @property {Record<string, number>} lost by kind; `failures` are tests that failed
 * @property {string[]} problems
 * @property {number[]} recoveries milliseconds
 * @property {number | null} longest milliseconds of the longest whole test, where recoveries are not measured
 * @property {string[]} skipped why something did not run
 * @property {number} seconds
 */

/** @param {RowResult} result */
export const isLost = ({ lost }) => Object.values(lost).some((count) => count > 0);

const LABELS = /** @type {Record<string, string>} */ ({ effects: 'side effects' });

/** @param {RowResult} result */
export function lostText({ lost, provoked, skipped }) {
  const found = Object.entries(lost).filter(([, count]) => count > 0);
  if (found.length > 0) return found.map(([kind, count]) => `${count} ${LABELS[kind] ?? kind}`).join(', ');
  return provoked === 0 && skipped.length > 0 ? 'skipped' : 'nothing';
}

/** @param {RowResult} result */
export function medianText({ recoveries }) {
  const sorted = recoveries.toSorted((a, b) => a - b);
  const middle = sorted[sorted.length >> 1];
  return middle === undefined ? '' : seconds(middle);
}

/** @param {RowResult} result */
export function longestText({ recoveries, longest }) {
  if (recoveries.length > 0) return seconds(Math.max(...recoveries));
  return longest === null ? '–' : `${seconds(longest)} *`;
}

/** @param {number} ms */
const seconds = (ms) => (ms < 100 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`);

/** One line of the table in the terminal. @param {RowResult} result */
export const line = (result) =>
  `${result.name.padEnd(NAME)} ${String(result.provoked).padStart(6)}   ${lostText(result).padEnd(28)} ${longestText(result)}`;

export const heading = `${'fault'.padEnd(NAME)} ${'times'.padStart(6)}   ${'lost'.padEnd(28)} longest recovery (* whole test)`;
