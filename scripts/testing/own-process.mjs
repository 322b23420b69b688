// Selects the unit test files that need a separate process. The rest share one per core: starting a process and loading the
// same modules again took a third of the time of all unit tests.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/**
 * Changes to the process or its modules that the setup of each file does not reset. A file that counts warnings needs fresh
 * modules, because they warn only once.
 */
const CHANGES_PROCESS =
  /\bvi\.(mock|doMock|hoisted|resetModules)\(|spyOn\(process, 'emitWarning'\)|process\.(chdir|umask|on|once)\(|process\.env\.\w+ *=[^=]|process\.env\[[^\]]+\] *=[^=]|delete process\.env|Object\.assign\(process\.env/;
/** A module that is not a test registers its hooks on import: in a shared process only for the first file. */
const HAS_HOOKS = /^(before|after)(Each|All)\(/m;
const IMPORT = /\bfrom '(\.{1,2}\/[^']+)'/g;
const IS_TEST = /\.test\.tsx?$/;

/**
 * The test files below `folders` that change their process or import a module with hooks, relative to `root`.
 * @param {string} root
 * @param {readonly string[]} folders
 */
export function withOwnProcess(root, folders) {
  const sources = folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, `${file}`)),
    )
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file));
  const texts = new Map(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const bare = (/** @type {string} */ path) => path.replace(/\.(ts|tsx|mjs)$/, '');
  const hooked = new Set(
    [...texts]
      .filter(([file, text]) => !IS_TEST.test(file) && HAS_HOOKS.test(text))
      .map(([file]) => bare(file)),
  );
  const importsHooks = (/** @type {string} */ file, /** @type {string} */ text) =>
    [...text.matchAll(IMPORT)].some(([, path = '']) =>
      hooked.has(bare(normalize(join(dirname(file), path)))),
    );
  for (let size = -1; size !== hooked.size; ) {
    size = hooked.size;
    for (const [file, text] of texts)
      if (!IS_TEST.test(file) && importsHooks(file, text)) hooked.add(bare(file));
  }
  return [...texts]
    .filter(([file, text]) => IS_TEST.test(file) && (CHANGES_PROCESS.test(text) || importsHooks(file, text)))
    .map(([file]) => file.replaceAll('\\', '/'));
}
