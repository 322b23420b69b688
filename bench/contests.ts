// The groups that consist of contests, each loaded only by the processes that measure it.
import type { Part } from './contest';
import { dataFor, measure } from './measure';
import type { GroupOptions, Row } from './row';

export type Parts = Readonly<Record<string, Part>>;

export const contestGroups = {
  backends: async (): Promise<Parts> => (await import('./backends/parts')).parts,
  changes: async (): Promise<Parts> => (await import('./changes/parts')).parts,
  harness: async (): Promise<Parts> => (await import('./harness/parts')).parts,
};

export type ContestGroup = keyof typeof contestGroups;

/** Runs the requested contests of a group in order. Throws for an unknown part. */
export async function measureContests(group: ContestGroup, options: GroupOptions): Promise<Row[]> {
  const parts = await contestGroups[group]();
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
    rows.push(...(await measure({ group, part, contest, data }, options)));
  }
  return rows;
}
