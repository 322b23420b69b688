import type { UsageRow } from '@contract/commands/usage';

/** The sum of several requests. */
export interface UsageSum {
  requests: number;
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  /** In micro-dollars. */
  cost: number;
  unpriced: number;
  untold: number;
}

export interface NamedSum extends UsageSum {
  name: string;
}

const NOTHING: UsageSum = {
  requests: 0,
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  cost: 0,
  unpriced: 0,
  untold: 0,
};

/** The kinds of tokens in a request, in drawing order. */
export const TOKEN_KINDS = ['input', 'cacheRead', 'cacheWrite', 'output'] as const;

export const tokensOf = (sum: UsageSum): number => TOKEN_KINDS.reduce((total, kind) => total + sum[kind], 0);

const added = (a: UsageSum, b: UsageSum): UsageSum => ({
  requests: a.requests + b.requests,
  input: a.input + b.input,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  output: a.output + b.output,
  cost: a.cost + b.cost,
  unpriced: a.unpriced + b.unpriced,
  untold: a.untold + b.untold,
});

export const sumOf = (rows: readonly UsageRow[]): UsageSum => rows.reduce<UsageSum>(added, NOTHING);

/** Sums by the name of each row, in order of first appearance. */
export function sumsBy(rows: readonly UsageRow[], nameOf: (row: UsageRow) => string): NamedSum[] {
  const sums = new Map<string, UsageSum>();
  for (const row of rows) sums.set(nameOf(row), added(sums.get(nameOf(row)) ?? NOTHING, row));
  return [...sums].map(([name, sum]) => ({ name, ...sum }));
}

/** Each day of the period, including those without requests. */
export function sumsByDay(rows: readonly UsageRow[], days: readonly string[]): NamedSum[] {
  const sums = new Map(sumsBy(rows, ({ day }) => day).map((sum) => [sum.name, sum]));
  return days.map((day) => sums.get(day) ?? { name: day, ...NOTHING });
}

/** The last days up to `today` (both YYYY-MM-DD), oldest first. */
export function lastDays(today: string, count: number): string[] {
  const end = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: count }, (_, at) =>
    new Date(end - (count - 1 - at) * 86_400_000).toISOString().slice(0, 10),
  );
}

/** The person's local calendar day, by which spending is counted. */
export const dayOf = (at: Date): string => {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
};
