// npm run bench [-- group ...]: runs bench/<group>.bench.ts, prints each row beside its anchor, keeps the numbers.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'vite';
import { root } from './process.mjs';
import { exitWith } from './runtime/foreground.mjs';
import { prepareNode } from './runtime/prepare.mjs';

/** @typedef {import('../bench/row').Row} Row */

const folder = join(root, 'bench');
const results = join(folder, 'results');

/** Runs TypeScript in this process, with the aliases of the app. It stays open for what a benchmark imports while it runs. */
const modules = await createServer({
  root,
  configFile: false,
  resolve: { alias: { '@contract': join(root, 'src-main', 'contract') } },
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  optimizeDeps: { noDiscovery: true },
});

/** Three digits that matter. @param {number} value */
function short(value) {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}

/** @param {string[][]} lines the first is the heading */
function table(lines) {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

await exitWith(async () => {
  const suffix = '.bench.ts';
  const groups = readdirSync(folder).flatMap((file) =>
    file.endsWith(suffix) ? [file.slice(0, -suffix.length)] : [],
  );
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !groups.includes(name));
  if (unknown.length > 0)
    throw new Error(`bench: no group named ${unknown.join(', ')}; there are ${groups.join(', ')}`);

  Object.assign(process.env, await prepareNode());
  const { isMet, ratioOf } = /** @type {typeof import('../bench/row')} */ (
    await modules.ssrLoadModule(join(folder, 'row.ts'))
  );
  let missed = 0;
  for (const group of wanted.length > 0 ? wanted : groups) {
    const { default: measure } = /** @type {{ default: import('../bench/row').Group }} */ (
      await modules.ssrLoadModule(join(folder, `${group}${suffix}`))
    );
    const rows = await measure();
    missed += rows.filter((row) => !isMet(row)).length;
    console.log(`\n${group}`);
    console.log(
      table([
        ['row', 'ours', 'anchor', 'ratio', 'target', 'met'],
        ...rows.map((row) => [
          row.row,
          `${short(row.ours)} ${row.unit}`,
          row.anchor ? `${row.anchor.name} ${short(row.anchor.value)} ${row.unit}` : '',
          short(ratioOf(row) ?? Number.NaN).replace('NaN', ''),
          [
            ...(row.target.ratio === undefined ? [] : [`≤ ${row.target.ratio} x`]),
            ...(row.target.atMost === undefined ? [] : [`≤ ${row.target.atMost} ${row.unit}`]),
          ].join(', '),
          Object.keys(row.target).length === 0 ? '' : isMet(row) ? 'yes' : 'NO',
        ]),
      ]),
    );
    mkdirSync(results, { recursive: true });
    const machine = {
      cores: cpus().length,
      cpu: cpus()[0]?.model,
      memory: totalmem(),
      node: process.version,
    };
    const when = new Date().toISOString();
    writeFileSync(join(results, `${group}.json`), `${JSON.stringify({ when, machine, rows }, null, 2)}\n`);
  }
  if (missed > 0) console.log(`\n${missed} missed`);
  return 0;
});
await modules.close();
