// Which unit test files get a process of their own. The rest share one per core: starting a process and loading the
// same modules again took a third of the time of all unit tests.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/**
 * What a file does to its process or to the modules in it, beyond what the setup of each file puts back. A file that counts
 * warnings needs modules that did not warn before, since they do so once.
 */
const CHANGES_PROCESS =
  /\bvi\.(mock|doMock|hoisted|resetModules)\(|spyOn\(process, 'emitWarning'\)|process\.(chdir|umask|on|once)\(|process\.env\.\w+ *=[^=]|process\.env\[[^\]]+\] *=[^=]|delete process\.env|Object\.assign\(process\.env/;
/** A module that is no test registers its hooks when it is imported: in a shared process for the first file alone. */
const HAS_HOOKS = /^(before|after)(Each|All)\(/m;
const IMPORT = /\bfrom '(\.{1,2}\/[^']+)'/g;
const IS_TEST = /\.test\.tsx?$/;

/**
 * The test files below `folders` that change their process, or that import a module with hooks, relative to `root`.
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
