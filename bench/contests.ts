// The groups that consist of contests, each loaded only by the processes that measure it.
import type { Contest, Part } from './contest';
import { dataFor, measure } from './measure';
import { type GroupOptions, NotHere, type Row } from './row';

export type Parts = Readonly<Record<string, Part>>;

export const contestGroups = {
  backends: async (): Promise<Parts> => (await import('./backends/parts')).parts,
  changes: async (): Promise<Parts> => (await import('./changes/parts')).parts,
  harness: async (): Promise<Parts> => (await import('./harness/parts')).parts,
};

export type ContestGroup = keyof typeof contestGroups;

const isWanted = ({ row, steady }: Contest, options: GroupOptions): boolean =>
  row.includes(options.row) && (options.steady !== true || steady !== undefined);

/**
 * Runs the requested contests of a group in order, and says which parts this machine cannot measure. Throws for an unknown part,
 * and `NotHere` if it can measure none of them.
 */
export async function measureContests(group: ContestGroup, options: GroupOptions): Promise<Row[]> {
  const parts = await contestGroups[group]();
  const unknown = options.only.filter((name) => !(name in parts));
  if (unknown.length > 0)
    throw new Error(`bench: no part named ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`);
  const named = Object.entries(parts).filter(
    ([part]) => options.only.length === 0 || options.only.includes(part),
  );
  const missing = named.flatMap(([part, found]) =>
    typeof found === 'string' ? [`${part} is not measured: ${found}`] : [],
  );
  if (missing.length === named.length) throw new NotHere(missing.join('\n'));
  for (const line of missing) process.stderr.write(`${line}\n`);
  const wanted = named.flatMap(([part, found]) =>
    typeof found === 'string'
      ? []
      : found.filter((contest) => isWanted(contest, options)).map((contest) => ({ part, contest })),
  );
  const data = await dataFor(wanted.map(({ contest }) => contest));
  const rows: Row[] = [];
  for (const { part, contest } of wanted) {
    process.stderr.write(`${contest.row}\n`);
    rows.push(...(await measure({ group, part, contest, data }, options)));
  }
  return rows;
}
