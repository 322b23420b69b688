import { findOddIgnoreFile } from '../../../../base/ignore-files';
import { finderOf } from './finders';
import { handedName, type ScanEnd, type ScanOutput, type ScanPlace, type ScanTarget } from './job';
import { LineSearch } from './line-search';
import { Records } from './output';
import { fileSource, textSource } from './source';
import { writeStats } from './stats';
import { Walk } from './walk';

/**
 * Does what ripgrep does with our arguments, synchronously in this thread: for a worker. Reads folders one after another,
 * skips what cannot be opened, follows no links, and finds no matches in binary files.
 */
export function scan(target: ScanTarget, place: ScanPlace, output: ScanOutput): ScanEnd {
  if (target.kind === 'stats') {
    if (place.kind === 'folder') writeStats(place.path, target.names, output);
    return { incomplete: false };
  }
  if (target.kind === 'odd-ignore-file') {
    const isOdd = place.kind === 'folder' && findOddIgnoreFile(place.path, output.stopped);
    return { incomplete: false, isOdd };
  }
  const records = new Records(output);
  const search = target.kind === 'names' ? null : new LineSearch(finderOf(target), records);
  let incomplete = false;
  if (place.kind === 'text') search?.search('', textSource(place.text), false);
  else if (place.kind === 'files')
    for (const [index, fd] of place.fds.entries()) search?.search(handedName(index), fileSource(fd), true);
  else if (place.kind === 'file') search?.search('', fileSource(place.fd), true);
  else incomplete = new Walk(place, output, search, records).run();
  records.flush();
  return { incomplete: incomplete || (search?.incomplete ?? false) };
}
