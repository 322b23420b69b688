// npm run checksums: renews SHA256SUMS of dist/packages.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeChecksums } from './installers/checksums.mjs';
import { root } from './process.mjs';

const packages = join(root, 'dist', 'packages');
if (existsSync(packages)) {
  console.log(await writeChecksums(packages));
} else {
  console.error(`${packages} does not exist. Run npm run dist first.`);
  process.exitCode = 1;
}
