// node bundle.mjs CONFIGURATION: bundles with Vite, for tests of programs that run in threads and processes of their own. In a
// process of its own, because the bundler would keep 200 MB in the one that runs the tests, and each program that this one
// starts copies its page tables.
import { build } from 'vite';

await build({ configFile: false, logLevel: 'error', ...JSON.parse(process.argv[2] ?? '') });
