// Writes the results of `npm run test:growth` into docs/reliability.md, with a plot of how costs grow.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../process.mjs';

/**
 * @typedef {{ count: number, bytes: number, start: number, step: number, memory: number }} Point
 * @typedef {{ heap: number, descriptors: number, watches: number, timers: number, processes: number }} Held
 * @typedef {{ times: number, before: Held, after: Held }} Leak
 * @typedef {{ when: string, commit: string, machine: string, load: string, many: Record<string, Point[]>, leaks: Record<string, Leak> }} Growth
 */

const DOCUMENT = join(root, 'docs', 'reliability.md');
const PLOT = join(root, 'docs', 'images', 'growth.svg');
const BEGIN = '<!-- growth: npm run test:growth -- --write -->';
const END = '<!-- end of the growth -->';

const MANY = ['steps', 'threads', 'memories', 'places'];
const LEAKS = /** @type {Record<string, string>} */ ({
  threads: 'threads opened, used, closed',
  terminals: 'terminals opened and closed',
  hours: 'hours in fake time',
});

/** The results of the tests in a folder. @param {string} folder */
export function readGrowth(folder) {
  const read = (/** @type {string} */ name) => {
    const file = join(folder, `${name}.json`);
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  };
  const all = (/** @type {string[]} */ names, /** @type {string} */ prefix) =>
    Object.fromEntries(
      names.map((name) => [name, read(`${prefix}${name}`)]).filter(([, result]) => result !== null),
    );
  return { many: all(MANY, 'many-'), leaks: all(Object.keys(LEAKS), '') };
}

/** @param {Growth} growth */
export function writeGrowth(growth) {
  writeFileSync(DOCUMENT, withGrowth(readFileSync(DOCUMENT, 'utf8'), growth));
  writeFileSync(PLOT, plot(growth));
}

/** Replaces what is between the marks of the document. @param {string} text @param {Growth} growth */
export function withGrowth(text, growth) {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error('docs/reliability.md has no place for the growth');
  return `${text.slice(0, from)}${BEGIN}\n\n${sections(growth)}\n\n${text.slice(to)}`;
}

/** @param {Growth} growth */
function sections({ when, commit, machine, load, many, leaks }) {
  return [
    `Machine: ${machine}, load ${load} at the start. ${when.slice(0, 16).replace('T', ' ')} UTC, commit ${commit}.`,
    '',
    '| How many | Database | Start | Step | Memory |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...Object.entries(many).flatMap(([name, points]) =>
      points.map(
        ({ count, bytes, start, step, memory }) =>
          `| ${count.toLocaleString('en')} ${name} | ${megabytes(bytes)} | ${ms(start)} | ${ms(step)} | ${memory > NOISE ? megabytes(memory) : `under ${megabytes(NOISE)}`} |`,
      ),
    ),
    '',
    '![How costs grow](images/growth.svg)',
    '',
    '| What | Memory | Descriptors | Watches | Timers | Processes |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...Object.entries(leaks).map(
      ([name, { times, before, after }]) =>
        `| ${times.toLocaleString('en')} ${LEAKS[name]} | ${megabytes(before.heap)} → ${megabytes(after.heap)} | ${[
          'descriptors',
          'watches',
          'timers',
          'processes',
        ]
          .map(
            (what) =>
              `${before[/** @type {keyof Held} */ (what)]} → ${after[/** @type {keyof Held} */ (what)]}`,
          )
          .join(' | ')} |`,
    ),
  ].join('\n');
}

const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1_000_000).toFixed(1)} MB`;
const ms = (/** @type {number} */ value) => `${value < 100 ? value.toFixed(1) : Math.round(value)} ms`;

/** Bytes of memory below which the measurement only shows chance, see growth.servers.test.ts. */
const NOISE = 2_000_000;
const COSTS = /** @type {const} */ (['bytes', 'start', 'step', 'memory']);
const TITLES = { bytes: 'database', start: 'start', step: 'step', memory: 'memory' };
const WIDTH = 180;
const HEIGHT = 150;
const MARGIN = 24;
/** Each axis has so many decades. */
const DECADES = 3;

/**
 * One panel per cost, one line per kind, each divided by its first value, on logarithmic axes. A cost that grows like the number
 * follows the dashed line.
 * @param {Growth} growth
 */
export function plot({ many }) {
  const kinds = Object.keys(many);
  const panels = COSTS.map((cost, panel) => {
    const left = MARGIN + panel * (WIDTH + MARGIN);
    const at = (/** @type {number} */ x, /** @type {number} */ y) =>
      `${n(left + (WIDTH * x) / DECADES)},${n(MARGIN + HEIGHT * (1 - Math.min(DECADES, Math.max(0, y)) / DECADES))}`;
    const lines = kinds.map((kind, index) => {
      const [first, ...rest] = many[kind] ?? [];
      if (first === undefined) return '';
      const points = [first, ...rest].map((point) =>
        at(Math.log10(point.count / first.count), Math.log10(point[cost] / first[cost])),
      );
      return `<polyline class="k${index}" points="${points.join(' ')}"/>`;
    });
    return `<text x="${left}" y="${MARGIN - 8}">${TITLES[cost]}</text>
<rect x="${left}" y="${MARGIN}" width="${WIDTH}" height="${HEIGHT}"/>
<polyline class="same" points="${at(0, 0)} ${at(DECADES, DECADES)}"/>
${lines.join('\n')}`;
  });
  const legend = kinds.map(
    (kind, index) =>
      `<polyline class="k${index}" points="${MARGIN + index * 110},${HEIGHT + 46} ${MARGIN + index * 110 + 22},${HEIGHT + 46}"/><text x="${MARGIN + index * 110 + 28}" y="${HEIGHT + 50}">${kind}</text>`,
  );
  const width = MARGIN + COSTS.length * (WIDTH + MARGIN);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT + 64}" role="img" aria-label="How costs grow with the number of steps, threads, memories and places">
<style>
text { font: 13px system-ui, sans-serif; fill: #57606a }
rect { fill: none; stroke: #8c959f; stroke-opacity: 0.4 }
polyline { fill: none; stroke-width: 2 }
.same { stroke: #8c959f; stroke-dasharray: 4 4; stroke-width: 1 }
.k0 { stroke: #2f6fd0 } .k1 { stroke: #c4432b } .k2 { stroke: #2d8a4e } .k3 { stroke: #8250df }
@media (prefers-color-scheme: dark) { text { fill: #9aa4af } .k0 { stroke: #6cb0ff } .k1 { stroke: #ff8a70 } .k2 { stroke: #6fdd8b } .k3 { stroke: #c297ff } }
</style>
${panels.join('\n')}
${legend.join('\n')}
</svg>
`;
}

const n = (/** @type {number} */ value) => Number(value.toFixed(1));
