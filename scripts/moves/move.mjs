// Moves source files and folders, and rewrites all references to them: imports, mocks, URLs of workers, and paths from the
// project root in texts and settings. `node scripts/moves/move.mjs LIST`, where each line of LIST is `FROM TO`, both from
// the root: a file to a file, or a folder to a folder. Run it on a clean tree.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve as absolute, dirname, posix } from 'node:path';

const git = (/** @type {string[]} */ ...args) =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1e8 });
process.chdir(git('rev-parse', '--show-toplevel').trim());

const [list = ''] = process.argv.slice(2);
const moves = readFileSync(list, 'utf8')
  .split('\n')
  .map((line) => line.replace(/#.*/, '').trim())
  .filter((line) => line !== '')
  .map((line) => {
    const [from = '', to = ''] = line.split(/\s+/);
    if (!existsSync(from)) throw new Error(`${from} is not there.`);
    return { from, to, isFolder: statSync(from).isDirectory() };
  });

const tracked = git('ls-files').split('\n').filter(Boolean);
const known = new Set(tracked);

/** The destination of each tracked file. The last line that names it or a parent folder decides. */
const goesTo = new Map(tracked.map((file) => [file, file]));
for (const { from, to, isFolder } of moves) {
  const files = isFolder ? tracked.filter((file) => file.startsWith(`${from}/`)) : [from];
  for (const file of files) goesTo.set(file, isFolder ? to + file.slice(from.length) : to);
}
const newPath = (/** @type {string} */ file) => goesTo.get(file) ?? file;

const ENDINGS = ['', '.ts', '.tsx', '.mjs', '.d.ts', '/index.ts', '/index.tsx'];
/** @param {string} path */
const fileFor = (path) => {
  for (const ending of ENDINGS) if (known.has(path + ending)) return { file: path + ending, ending };
  return undefined;
};

const CONTRACT = 'src-main/contract';
/**
 * @param {string} file the importing file, before the move
 * @param {string} specifier
 */
function rewritten(file, specifier) {
  const [, path = '', query = ''] = /^([^?]*)(\?.*)?$/.exec(specifier) ?? [];
  const isAlias = path.startsWith('@contract/');
  if (!isAlias && !/^\.{1,2}(\/|$)/.test(path)) return specifier;
  const target = isAlias
    ? posix.join(CONTRACT, path.slice('@contract/'.length))
    : posix.join(posix.dirname(file), path);
  const found = fileFor(target);
  if (found === undefined) return specifier;
  const moved = newPath(found.file);
  if (moved === found.file && newPath(file) === file) return specifier;
  const kept =
    found.ending.startsWith('/index') && !/\/index\.tsx?$/.test(moved)
      ? moved.slice(moved.lastIndexOf('.'))
      : found.ending;
  const bare = kept === '' ? moved : moved.slice(0, moved.length - kept.length);
  if (isAlias) return `@contract/${posix.relative(CONTRACT, bare)}${query}`;
  const relative = posix.relative(posix.dirname(newPath(file)), bare) || '.';
  return `${relative.startsWith('.') ? relative : `./${relative}`}${query}`;
}

const SPECIFIER =
  /((?:\bfrom|\bimport|\bexport \* from)\s*\(?\s*|\b(?:vi\.(?:mock|doMock|importActual|unmock)|importActual|require|importOriginal)(?:<[^>(]*>)?\(\s*|\bnew URL\(\s*|\bimport\.meta\.glob\(\s*)(['"])([^'"\n]+)\2/g;

const DIRNAME = /(import\.meta\.dirname,\s*)((?:'[^'\n]*')(?:,\s*'[^'\n]*')*|`(?:\.\.\/)+)/g;
const folders = new Set(tracked.flatMap((file) => parents(file)));

/** @param {string} file @returns {string[]} */
function parents(file) {
  const folder = posix.dirname(file);
  return folder === '.' ? ['.'] : [folder, ...parents(folder)];
}

/** The destination of a folder that moves as a whole; otherwise the folder itself. @param {string} folder */
function folderGoesTo(folder) {
  if (folder === '.') return '.';
  const move = moves.findLast(
    ({ from, isFolder }) => isFolder && (folder === from || folder.startsWith(`${from}/`)),
  );
  if (move !== undefined) return move.to + folder.slice(move.from.length);
  return folder;
}

/**
 * Rewrites paths that a file builds from its own folder.
 * @param {string} file
 * @param {string} text
 */
function withDirname(file, text) {
  const here = posix.dirname(file);
  const there = posix.dirname(newPath(file));
  return text.replace(DIRNAME, (all, start, parts) => {
    const isTemplate = parts.startsWith('`');
    const path = isTemplate
      ? parts.slice(1)
      : posix.join(...parts.split(/,\s*/).map((/** @type {string} */ part) => part.slice(1, -1)));
    const target = posix.join(here, path).replace(/\/$/, '') || '.';
    const isOutside = target.startsWith('..');
    const moved = known.has(target)
      ? newPath(target)
      : folders.has(target)
        ? folderGoesTo(target)
        : !isOutside && /^(\.|node_modules|resources)/.test(target)
          ? target
          : undefined;
    if (moved === undefined || (moved === target && here === there)) return all;
    const relative = posix.relative(there, moved) || '.';
    return isTemplate ? `${start}\`${relative}/` : `${start}'${relative}'`;
  });
}

/** Paths from the root as they appear in texts, longest first. */
const named = moves
  .flatMap(({ from, to, isFolder }) =>
    isFolder
      ? [[`${from}/`, `${to}/`]]
      : [
          [from, to],
          [from.replace(/\.tsx?$/, ''), to.replace(/\.tsx?$/, '')],
        ],
  )
  .sort(([a = ''], [b = '']) => b.length - a.length);

/** @param {string} text */
function withPaths(text) {
  let result = '';
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('src-', at);
    if (next < 0) return result + text.slice(at);
    result += text.slice(at, next);
    const rest = text.slice(next, next + 300);
    const hit = named.find(
      ([from = '']) =>
        rest.startsWith(from) && (from.endsWith('/') || !/[\w-]/.test(rest[from.length] ?? '')),
    );
    result += hit ? hit[1] : 'src-';
    at = next + (hit?.[0]?.length ?? 4);
  }
  return result;
}

/** File names as they appear in texts and tests: relative to the folder of the main process. @param {string} text */
const withNames = (text) =>
  text.replace(/(?<![\w./-])(?:[a-z-]+\/)+[\w.-]+\.(?:tsx?|mjs|md)\b/g, (name) => {
    const file = `src-main/${name}`;
    return known.has(file) ? newPath(file).replace(/^src-main\//, '') : name;
  });

const CODE = /\.(ts|tsx|mjs|cjs|js)$/;
const TEXT = /\.(md|json|html|css|grit|cjs|mjs|ts|tsx|yml)$/;
/** @type {Map<string, string>} */
const changed = new Map();
for (const file of tracked) {
  if (
    !TEXT.test(file) ||
    file === 'package-lock.json' ||
    file.startsWith('scripts/moves/') ||
    file === 'CHANGELOG.md'
  )
    continue;
  const before = readFileSync(file, 'utf8');
  let after = before;
  if (CODE.test(file))
    after = after.replace(
      SPECIFIER,
      (_all, start, quote, specifier) => `${start}${quote}${rewritten(file, specifier)}${quote}`,
    );
  if (CODE.test(file)) after = withDirname(file, after);
  after = withNames(withPaths(after));
  if (after !== before) changed.set(file, after);
}
for (const [file, text] of changed) writeFileSync(file, text);
for (const [from, to] of goesTo) {
  if (from === to) continue;
  mkdirSync(dirname(absolute(to)), { recursive: true });
  git('mv', from, to);
}
// Git leaves empty folders behind.
for (const { from, isFolder } of moves)
  if (isFolder) spawnSync('find', [from, '-type', 'd', '-empty', '-delete']);
// Sorts the imports again, because their paths changed. Other lint findings are left to whoever runs this.
spawnSync('npx', ['biome', 'check', '--write', 'src-main', 'src-renderer', 'e2e', 'bench', 'scripts'], {
  stdio: 'ignore',
});
console.log(`moved ${[...goesTo].filter(([from, to]) => from !== to).length} files, rewrote ${changed.size}`);
