// The power-loss test kills this process once it has stored what a person attached, and copied it for a fork.
import { ThreadId } from '../../../contract/ids';
import { AttachmentStore } from '../attachments';
import { copyFiles } from '../copy-files';

const [, , dataDir = ''] = process.argv;
const [thread, fork] = [ThreadId.parse('thread'), ThreadId.parse('fork')];
const store = new AttachmentStore(dataDir);
const added = await store.add(thread, { bytes: Buffer.from('notes\n'), name: 'notes.md', origin: 'file' });
const copied = await copyFiles(store.of(thread), store.of(fork));
if (!added.ok || !copied.ok) throw new Error('It was not stored.');
process.kill(process.pid, 'SIGKILL');
