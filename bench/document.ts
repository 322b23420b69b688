// Writes the kept results of whole groups into docs/performance.md, with a plot of how far each row is from its target.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMet, type Row, ratioOf } from './row';
import { cellsOf } from './table';

export interface Results {
  /** ISO time of the measurement. */
  when: string;
  /** Short hash; empty outside of a repository. */
  commit: string;
  machine: { cores: number; cpu?: string; memory: number; node: string };
  rows: Row[];
}

const BEGIN = '<!-- results: npm run bench -- --write -->';
const END = '<!-- end of the results -->';
const GB = 1e9;

/** Groups that have never been measured as a whole are named, not left out. */
export function writeDocument(root: string, folder: string, groups: readonly string[]): void {
  const results = new Map<string, Results>();
  for (const group of groups) {
    const file = join(folder, `${group}.json`);
    if (existsSync(file)) results.set(group, JSON.parse(readFileSync(file, 'utf8')) as Results);
  }
  const document = join(root, 'docs', 'performance.md');
  const missing = groups.filter((group) => !results.has(group));
  writeFileSync(document, withResults(readFileSync(document, 'utf8'), results, missing));
  writeFileSync(join(root, 'docs', 'images', 'performance.svg'), plot(results));
}

/** Replaces what is between the marks of the document. */
export function withResults(
  text: string,
  results: ReadonlyMap<string, Results>,
  missing: readonly string[],
): string {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error('docs/performance.md has no place for the results');
  const parts = [
    '![How far each row is from its target](images/performance.svg)',
    ...[...results].map(([group, result]) => section(group, result)),
    ...(missing.length > 0 ? [`Not measured as a whole: ${missing.join(', ')}.`] : []),
  ];
  return `${text.slice(0, from)}${BEGIN}\n\n${parts.join('\n\n')}\n\n${text.slice(to)}`;
}

function section(group: string, { when, commit, machine, rows }: Results): string {
  const { cores, cpu = 'unknown processor', memory, node } = machine;
  const targeted = rows.filter((row) => Object.keys(row.target).length > 0);
  const met = targeted.filter(isMet).length;
  const lines = cellsOf(rows).map((cells) => `| ${cells.map(escaped).join(' | ')} |`);
  const [headings = '', ...others] = lines;
  return [
    `### ${group}`,
    '',
    `${met} of ${targeted.length} targets met. ${when.slice(0, 16).replace('T', ' ')} UTC${commit === '' ? '' : `, commit ${commit}`}, ${cores} × ${cpu}, ${Math.round(memory / GB)} GB, Node ${node}.`,
    '',
    headings,
    `| --- |${' ---: |'.repeat(3)} --- |${' ---: |'.repeat(3)} --- | --- |`,
    ...others,
  ].join('\n');
}

const escaped = (cell: string) => cell.trim().replaceAll('|', '\\|');

/** Ours as a share of what the target allows: at most 1 is met. Undefined if the target is not a number. */
export function shareOf(row: Row): number | undefined {
  const { ratio, atMost, above } = row.target;
  const measured = ratioOf(row);
  const shares = [
    ...(ratio !== undefined && measured !== undefined ? [measured / ratio] : []),
    ...(atMost !== undefined && atMost > 0 ? [row.ours / atMost] : []),
    ...(above !== undefined && row.anchor !== undefined ? [row.ours / (row.anchor.value + above)] : []),
  ].filter(Number.isFinite);
  return shares.length === 0 ? undefined : Math.max(...shares);
}

const WIDTH = 720;
const LEFT = 90;
const RIGHT = 24;
const ROW_HEIGHT = 40;
const TOP = 16;
/** Ends of the logarithmic axis, as shares of the target. */
const [FIRST, LAST] = [0.01, 10];
const TICKS = [0.01, 0.1, 1, 10];

/** One line per group, one dot per row, on a logarithmic axis. The colors are readable on light and dark pages. */
export function plot(results: ReadonlyMap<string, Results>): string {
  const bottom = TOP + results.size * ROW_HEIGHT;
  const x = (share: number) => {
    const within = Math.min(LAST, Math.max(FIRST, share));
    return round(LEFT + ((WIDTH - LEFT - RIGHT) * Math.log10(within / FIRST)) / Math.log10(LAST / FIRST));
  };
  const label = (share: number) => (share === 1 ? 'target' : `${share} x`);
  const ticks = TICKS.map(
    (share) =>
      `<line x1="${x(share)}" y1="${TOP}" x2="${x(share)}" y2="${bottom}"/><text x="${x(share)}" y="${bottom + 18}" text-anchor="middle">${label(share)}</text>`,
  );
  const dots = [...results].map(([group, { rows }], line) => {
    const middle = TOP + line * ROW_HEIGHT + ROW_HEIGHT / 2;
    const circles = rows.map((row, index) => {
      const share = shareOf(row);
      if (share === undefined) return '';
      // Spread over the height in a fixed pattern, so that dots at the same place stay visible.
      const y = round(middle + ((index * 7) % 21) - 10);
      return `<circle cx="${x(share)}" cy="${y}" r="3.5"${share > 1 ? ' class="missed"' : ''}/>`;
    });
    return `<text x="${LEFT - 12}" y="${middle + 4}" text-anchor="end">${group}</text>${circles.join('')}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 28}" role="img" aria-label="Each row as a share of its target">
<style>
text { font: 13px system-ui, sans-serif; fill: #57606a }
line { stroke: #8c959f; stroke-opacity: 0.4 }
circle { fill: #2f6fd0; fill-opacity: 0.6 }
.missed { fill: #c4432b }
@media (prefers-color-scheme: dark) { text { fill: #9aa4af } circle { fill: #6cb0ff } .missed { fill: #ff8a70 } }
</style>
${ticks.join('\n')}
${dots.join('\n')}
</svg>
`;
}

const round = (value: number) => Number(value.toFixed(1));
