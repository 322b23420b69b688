// The fault tests kill this process while it edits files of a folder.
import { FilesystemBackend } from '../../../harness/backends/filesystem';
import { FILES, roundMark } from './edited-files';

const [, , folder = ''] = process.argv;
const backend = new FilesystemBackend({ rootDir: folder });

for (let round = 1; ; round += 1)
  for (let file = 0; file < FILES; file += 1) {
    const edited = await backend.edit(`/f${file}`, roundMark(round - 1), roundMark(round), true);
    if (edited.error !== undefined) throw new Error(edited.error);
    // Synchronous, so that the line arrives even if the process is killed right afterwards.
    process.stdout.write(`${JSON.stringify({ file, round })}\n`);
  }
