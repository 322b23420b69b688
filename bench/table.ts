// The display of rows.
import { isMet, missesOf, peerRatioOf, type Row, ratioOf } from './row';

/** Leaves out stalls (ms) and memory (MB) of the others up to these limits: no window would show them. */
const STALL = 16;
const MEMORY = 60;

/** Three significant digits. */
function short(value: number): string {
  if (Number.isNaN(value)) return '?';
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
}

const optional = (value: number | undefined, unit = '') =>
  value === undefined ? '' : `${short(value)}${unit === '' ? '' : ` ${unit}`}`;

function targetOf({ target, unit }: Row): string {
  return [
    ...(target.ratio === undefined ? [] : [`≤ ${short(target.ratio)} x`]),
    ...(target.atMost === undefined ? [] : [`≤ ${target.atMost} ${unit}`]),
    ...(target.above === undefined ? [] : [`≤ limit + ${target.above} ${unit}`]),
    ...(target.stall === undefined ? [] : [`stall ≤ ${target.stall}`]),
    ...(target.memory === undefined ? [] : [`+${target.memory} MB`]),
    ...(target.answer === undefined ? [] : [target.answer]),
  ].join(', ');
}

function oursOf({ ours, unit, answer, failed }: Row): string {
  return failed ?? `${short(ours)} ${unit}${answer === undefined ? '' : ` (${answer})`}`;
}

function peerOf({ peer, unit }: Row): string {
  if (peer === undefined) return '';
  if (peer.value === undefined) return peer.note ?? '';
  const stall = peer.stall !== undefined && peer.stall > STALL ? [`stall ${short(peer.stall)}`] : [];
  const memory = peer.memory !== undefined && peer.memory > MEMORY ? [`+${short(peer.memory)} MB`] : [];
  const note = peer.note === undefined ? [] : [peer.note];
  return [`${short(peer.value)} ${unit}`, ...stall, ...memory, ...note].join(', ');
}

function limitOf({ anchor, others = [], unit }: Row): string {
  return [...(anchor === undefined ? [] : [anchor]), ...others]
    .map(({ name, value, stall = 0 }, index) => {
      const held = stall > STALL ? `, stall ${short(stall)}` : '';
      return `${name} ${short(value)}${index === 0 ? ` ${unit}` : ''}${held}`;
    })
    .join('; ');
}

function metOf(row: Row): string {
  if (Object.keys(row.target).length === 0) return '';
  return isMet(row) ? 'yes' : `NO: ${missesOf(row).join(', ')}`;
}

const HEADINGS = ['row', 'ours', 'limit', 'ratio', 'peer', 'ratio', 'stall', 'memory', 'target', 'met'];

/** The headings, then the cells of each row. */
export const cellsOf = (rows: readonly Row[]): string[][] => [
  HEADINGS,
  ...rows.map((row) => [
    row.row,
    oursOf(row),
    limitOf(row),
    optional(ratioOf(row)),
    peerOf(row),
    optional(peerRatioOf(row)),
    optional(row.stall, 'ms'),
    optional(row.memory, 'MB'),
    targetOf(row),
    metOf(row),
  ]),
];

/** The rows as a text table. */
export function tableOf(rows: readonly Row[]): string {
  const lines = cellsOf(rows);
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
