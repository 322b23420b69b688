// npm run checksums: renews SHA256SUMS of dist/packages.
import { join } from 'node:path';
import { writeChecksums } from './installers/checksums.mjs';
import { root } from './process.mjs';

console.log(await writeChecksums(join(root, 'dist', 'packages')));
