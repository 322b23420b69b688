// Tests run this in a separate process: as another user, or to kill it while it keeps changes.

import { lstat } from 'node:fs/promises';
import { canRehearse, keep, readManifest, recoverKeeps, rehearse } from '../index';
import { writeOverOrRestore } from '../keep/write-over';
import { bubblewrapAt, folderIn, optionsFor, shell } from './options';

const [, , job = 'rehearse', base = '', layer = '', command = ''] = process.argv;
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

if (job === 'rehearse')
  say(
    await rehearse({
      ...optionsFor(base, bubblewrapAt(command)),
      layer,
      limits: JSON.parse(process.argv[7] ?? '{}'),
      run: shell(base, process.argv[6] ?? ''),
    }),
  );
else if (job === 'keep') {
  const manifest = await readManifest(`${base}/data/layers`, layer);
  if (manifest === null) throw new Error('There is no such layer.');
  // The test kills from here on.
  say('keeping');
  say(await keep(manifest));
} else if (job === 'recover') {
  say('recovering');
  say(await recoverKeeps(`${base}/data/layers`));
} else if (job === 'write over') {
  const now = await lstat(`${base}/target`, { bigint: true });
  const places = { target: `${base}/target`, staged: `${base}/staged`, now };
  say(await writeOverOrRestore(places, { saved: 'saved' }, base).catch(({ code }) => code));
} else if (job === 'can') say(await canRehearse(folderIn(base), `${base}/data/layers`, bubblewrapAt(layer)));
