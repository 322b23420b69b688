// The power-loss test kills this process once a dropped file, a backup and the key of digests were acknowledged.
import { join } from 'node:path';
import { makeFlushedFolder } from '../../../base/replace-file';
import { openStorage } from '../../../storage';
import { runDataJob } from '../../../storage/data-jobs/data-jobs';
import { project } from '../../../storage/testing/values';
import { SecretService } from '../../project/access/secrets';
import { FileActions } from '../../project/files/file-actions';

const [, , dataDir = ''] = process.argv;
const [folder, backups] = [join(dataDir, 'project'), join(dataDir, 'backups')];
for (const made of [folder, backups]) await makeFlushedFolder(made);
const file = join(dataDir, 'deepdesk.db');
const opened = openStorage(file);
if (!opened.ok) throw new Error(opened.error.code);
const storage = opened.value;
new SecretService({ storage, dataDir, env: {}, ownKeys: () => Promise.resolve([]) });
storage.projects.save({ ...project(), name: 'saved', folder });

const log = { byPerson: (_project: unknown, _paths: unknown, work: () => Promise<unknown>) => work() };
const actions = new FileActions({} as never, log as never, {} as never, process.platform);
const part = { upload: 'one', offset: 0, bytes: Buffer.from('one '), last: false };
const at = `${project().mount}/drop/a.bin`;
const place = { ...project(), folder };
const first = await actions.put(place, at, part);
const dropped = await actions.put(place, at, { ...part, offset: 4, bytes: Buffer.from('two'), last: true });

const to = join(backups, 'copy.backup');
const job = { kind: 'backup', file, to, scratch: dataDir } as const;
const saved = await runDataJob(
  job,
  () => undefined,
  () => false,
);
for (const done of [first, dropped, saved]) if (!done.ok) throw new Error(JSON.stringify(done.error));
process.kill(process.pid, 'SIGKILL');
