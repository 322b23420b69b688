// npm run sign:feed [-- --new-key]: writes the signed list of versions of dist/packages, see docs/releasing.md. With
// --new-key it prints a new key pair instead.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';
import { KEY_VARIABLE, makeKeys, notesFor, OLD_KEY_VARIABLE, writeFeed } from './installers/feed.mjs';
import { manifest, project } from './installers/project.mjs';
import { log } from './log.mjs';
import { root } from './process.mjs';

const { values } = readArguments(
  { options: { 'new-key': { type: 'boolean', default: false } } },
  'npm run sign:feed [-- --new-key]',
);

async function signFeed() {
  const { updateKey } = project();
  const privateKey = process.env[KEY_VARIABLE] ?? '';
  if (updateKey === '') {
    log('sign:feed', 'project.json has no updateKey: this app does not update itself, so there is no feed');
    return 0;
  }
  if (privateKey === '') {
    log('sign:feed', `${KEY_VARIABLE} is not set, but project.json has an updateKey`);
    return 1;
  }
  const { version } = manifest();
  const notes = notesFor(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
  const folder = join(root, 'dist', 'packages');
  const names = await writeFeed(folder, {
    ...{ version, notes, privateKey, publicKey: updateKey },
    alsoSignedBy: process.env[OLD_KEY_VARIABLE] || undefined,
  });
  log('sign:feed', `version ${version}: ${names.join(', ')}`);
  return 0;
}

if (values['new-key']) {
  const { publicKey, privateKey } = makeKeys();
  console.log(
    `updateKey in project.json:\n${publicKey}\n\nSecret ${KEY_VARIABLE}, never in a file of the repository:\n${privateKey}`,
  );
} else {
  process.exitCode = await signFeed();
}
