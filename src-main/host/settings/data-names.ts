import { join } from 'node:path';

export const DATABASE = 'deepdesk.db';
/** The plan for the data at the next start. */
export const noteOf = (dataDir: string) => join(dataDir, 'pending.json');

/** Whether it is a database that a restored backup replaced, or a damaged one. The person can restore either. */
export const isDatabaseSetAside = (name: string): boolean =>
  [`${DATABASE}.before-`, `${DATABASE}.corrupt-`].some((start) => name.startsWith(start));
