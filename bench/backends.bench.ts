// The backends beside the published package and plain means, on the same data.
import { parts } from './backends/parts';
import { dataFor, measure } from './measure';
import type { GroupOptions, Row } from './row';

export default async function measureBackends(options: GroupOptions): Promise<Row[]> {
  const unknown = options.only.filter((name) => !(name in parts));
  if (unknown.length > 0)
    throw new Error(`bench: no part named ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`);
  const wanted = Object.entries(parts).flatMap(([part, contests]) =>
    options.only.length === 0 || options.only.includes(part)
      ? contests.filter(({ row }) => row.includes(options.row)).map((contest) => ({ part, contest }))
      : [],
  );
  const data = await dataFor(wanted.map(({ contest }) => contest));
  const rows: Row[] = [];
  for (const { part, contest } of wanted) {
    process.stderr.write(`${contest.row}\n`);
    rows.push(await measure(part, contest, data, options));
  }
  return rows;
}
