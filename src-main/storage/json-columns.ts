import type { z } from 'zod';

/** Called for a row whose JSON no longer matches the contract. The row is skipped and left unchanged. */
export type OnUnreadable = (table: string, id: string) => void;

/** The value of a JSON column, or null if it does not parse. */
export function readBody<S extends z.ZodType>(schema: S, text: string): z.infer<S> | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = schema.safeParse(json);
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
