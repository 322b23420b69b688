// Swaps names of a folder for links and back, as fast as it can, until it is killed: node swap-links.mjs FOLDER NAMES TARGET...
import { linkSync, renameSync, symlinkSync } from 'node:fs';

const [folder = '', names = '', ...targets] = process.argv.slice(2);
let made = 0;
process.stdout.write('started\n');
// A killed test cannot kill this process.
for (const parent = process.ppid; process.ppid === parent; )
  for (const name of names.split(',')) {
    made += 1;
    const beside = `${folder}/.beside-${made}`;
    symlinkSync(targets[made % targets.length] ?? '', beside);
    renameSync(beside, `${folder}/${name}`);
    linkSync(`${folder}/.plain`, beside);
    renameSync(beside, `${folder}/${name}`);
  }
