import type { z } from 'zod';

/** Called for a row whose JSON no longer matches the contract. The row is skipped and left unchanged. */
export type OnUnreadable = (table: string, id: string) => void;

/**
 * SQL for a value in a JSON column, null if the row is damaged. SQLite's functions fail the whole statement then, and one row
 * would hide all others.
 */
export const jsonField = (column: string, path: string): string =>
  `CASE WHEN json_valid(${column}) THEN ${column} ->> '${path}' END`;

/** The JSON of a column, undefined if it is damaged. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a JSON column, or null if it does not parse. */
export function readBody<S extends z.ZodType>(schema: S, text: string): z.infer<S> | null {
  const parsed = schema.safeParse(parsedJson(text));
  return parsed.success ? parsed.data : null;
}

/** Rows that parse, in order. Calls `onUnreadable` for the others. */
export function readBodies<S extends z.ZodType>(
  table: string,
  schema: S,
  rows: readonly { id: string; body: string }[],
  onUnreadable: OnUnreadable,
): z.infer<S>[] {
  const read: z.infer<S>[] = [];
  for (const row of rows) {
    const value = readBody(schema, row.body);
    if (value === null) onUnreadable(table, row.id);
    else read.push(value);
  }
  return read;
}
