import { join } from 'node:path';

export const DATABASE = 'deepdesk.db';
/** What is to be done with the data at the next start. */
export const noteOf = (dataDir: string) => join(dataDir, 'pending.json');
