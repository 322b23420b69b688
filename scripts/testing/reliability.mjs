// Writes the results of `npm run test:faults` into docs/reliability.md, with a plot of the recovery times.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../process.mjs';
import { longestText, lostText, medianText, ROWS } from './faults.mjs';

/** @typedef {import('./faults.mjs').RowResult} RowResult */

const DOCUMENT = join(root, 'docs', 'reliability.md');
/** Every row's last result, so that some rows can run again without the others. */
const RECORD = join(root, 'docs', 'reliability.json');
const PLOT = join(root, 'docs', 'images', 'recovery.svg');
const BEGIN = '<!-- results: npm run test:faults -- --write -->';
const END = '<!-- end of the results -->';

/** The results in a folder, in the order of the rows. @param {string} folder @returns {RowResult[]} */
export const readResults = (folder) =>
  ROWS.map(({ name }) => join(folder, `${name}.json`))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')));

/** Writes the document, its plot and the record with new results; rows without one keep theirs. @param {readonly RowResult[]} results */
export function writeReliability(results) {
  const all = newestOf([...JSON.parse(readFileSync(RECORD, 'utf8')), ...results]);
  writeFileSync(RECORD, `[\n${all.map((result) => JSON.stringify(result)).join(',\n')}\n]\n`);
  writeFileSync(DOCUMENT, withResults(readFileSync(DOCUMENT, 'utf8'), all));
  writeFileSync(PLOT, plot(all));
}

/** The newest result of each row, in the order of the rows. @param {readonly RowResult[]} results @returns {RowResult[]} */
export const newestOf = (results) =>
  ROWS.flatMap(({ name }) =>
    results
      .filter((result) => result.name === name)
      .toSorted((a, b) => a.date.localeCompare(b.date))
      .slice(-1),
  );

/** Replaces what is between the marks of the document. @param {string} text @param {readonly RowResult[]} results */
export function withResults(text, results) {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error('docs/reliability.md has no place for the results');
  return `${text.slice(0, from)}${BEGIN}\n\n${sections(results)}\n\n${text.slice(to)}`;
}

/** @param {readonly RowResult[]} results */
function sections(results) {
  const machines = [...new Set(results.map(({ machine }) => machine))];
  const skipped = results.flatMap(({ name, skipped: reasons }) =>
    reasons.map((reason) => `- ${name}: ${reason}`),
  );
  const kills = results.filter(({ name }) => ROWS.find((row) => row.name === name)?.times);
  const count = kills.reduce((sum, { provoked }) => sum + provoked, 0);
  const missing = ROWS.filter(({ name }) => results.every((result) => result.name !== name));
  return [
    `Machine: ${machines.join('; ')}. ${count.toLocaleString('en')} provocations at random moments in the rows with a seed; the other rows run tests.`,
    '',
    '| Fault | What must hold | Times | Lost | Median recovery | Longest |',
    '| --- | --- | ---: | --- | ---: | ---: |',
    ...results.map((result) => {
      const row = ROWS.find(({ name }) => name === result.name);
      return `| ${row?.fault} | ${row?.promise} | ${result.provoked.toLocaleString('en')} | ${lostText(result)} | ${medianText(result)} | ${longestText(result)} |`;
    }),
    '',
    '\\* the longest whole test: setup, fault, recovery and checks.',
    '',
    '![Recovery times](images/recovery.svg)',
    '',
    'When each row ran:',
    '',
    '| `--row` | Date (UTC) | Commit | Seed | Load at the start | Duration |',
    '| --- | --- | --- | ---: | ---: | ---: |',
    ...results.map(
      ({ name, date, commit, seed, load, seconds }) =>
        `| ${name} | ${date.slice(0, 16).replace('T', ' ')} | ${commit} | ${seed ?? '–'} | ${load} | ${seconds} s |`,
    ),
    ...(skipped.length > 0 ? ['', 'Skipped on this machine:', '', ...skipped] : []),
    ...(missing.length > 0 ? ['', `Not run: ${missing.map(({ name }) => name).join(', ')}.`] : []),
  ].join('\n');
}

const WIDTH = 720;
const LEFT = 110;
const RIGHT = 24;
const ROW_HEIGHT = 34;
const TOP = 16;
/** Milliseconds at the ends of the logarithmic axis. */
const FIRST = 1;

/**
 * One row per fault, one dot per recovery, on a logarithmic axis. The colors are readable on light and dark pages.
 * @param {readonly RowResult[]} results
 */
export function plot(results) {
  const shown = results.filter(({ recoveries }) => recoveries.length > 0);
  const most = Math.max(10, ...shown.flatMap(({ recoveries }) => recoveries));
  const decades = Math.ceil(Math.log10(most));
  const x = (/** @type {number} */ ms) =>
    LEFT + ((WIDTH - LEFT - RIGHT) * Math.log10(Math.max(FIRST, ms))) / decades;
  const bottom = TOP + shown.length * ROW_HEIGHT;
  const ticks = Array.from({ length: decades + 1 }, (_, power) => 10 ** power);
  const label = (/** @type {number} */ ms) => (ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 28}" role="img" aria-label="Recovery times by fault">
<style>
text { font: 13px system-ui, sans-serif; fill: #57606a }
line { stroke: #8c959f; stroke-opacity: 0.4 }
circle { fill: #2f6fd0; fill-opacity: 0.35 }
@media (prefers-color-scheme: dark) { text { fill: #9aa4af } circle { fill: #6cb0ff } }
</style>
${ticks.map((ms) => `<line x1="${n(x(ms))}" y1="${TOP}" x2="${n(x(ms))}" y2="${bottom}"/><text x="${n(x(ms))}" y="${bottom + 18}" text-anchor="middle">${label(ms)}</text>`).join('\n')}
${shown.map((result, index) => dots(result, TOP + index * ROW_HEIGHT, x)).join('\n')}
</svg>
`;
}

/** @param {RowResult} result @param {number} top @param {(ms: number) => number} x */
function dots({ name, recoveries }, top, x) {
  const middle = top + ROW_HEIGHT / 2;
  // Spread over the height in a fixed pattern, so that dots of the same time stay visible.
  const y = (/** @type {number} */ index) => middle + ((index * 7) % 17) - 8;
  const circles = recoveries.map((ms, index) => `<circle cx="${n(x(ms))}" cy="${n(y(index))}" r="3"/>`);
  return `<text x="${LEFT - 12}" y="${middle + 4}" text-anchor="end">${name}</text>${circles.join('')}`;
}

const n = (/** @type {number} */ value) => Number(value.toFixed(1));
