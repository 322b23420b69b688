// npm run checksums: renews SHA256SUMS of dist/packages.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';
import { writeChecksums } from './installers/checksums.mjs';
import { root } from './process.mjs';

readArguments({ options: {} }, 'npm run checksums');

const packages = join(root, 'dist', 'packages');
if (existsSync(packages)) {
  console.log(await writeChecksums(packages));
} else {
  console.error(`${packages} does not exist. Run npm run dist first.`);
  process.exitCode = 1;
}
