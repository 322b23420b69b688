import { join } from 'node:path';

export const DATABASE = 'deepdesk.db';
/** The plan for the data at the next start. */
export const noteOf = (dataDir: string) => join(dataDir, 'pending.json');
