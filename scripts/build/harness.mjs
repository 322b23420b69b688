// Builds src-main/harness into a package that plain Node and any bundler can import.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'vite';
import { root, runBin } from '../process.mjs';
import { bundledPackages } from './bundled-packages.mjs';

const harness = join(root, 'src-main', 'harness');
const repository = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Subpaths of the package, and their sources. */
export const ENTRIES = {
  index: 'index.ts',
  sqlite: 'entries/sqlite.ts',
  postgres: 'entries/postgres.ts',
  sandbox: 'entries/sandbox.ts',
  providers: 'entries/providers.ts',
  s3: 'entries/s3.ts',
  ssh: 'entries/ssh.ts',
  acp: 'entries/acp.ts',
  testing: 'testing/index.ts',
};
/** Started by file name, so they are placed beside the entries. */
const WORKERS = {
  'search-worker': 'backends/search/search-worker.ts',
  'document-worker': 'agent/media/document-worker.ts',
};
/** Bundled, because its package depends on a native canvas, which reading text never needs. */
const BUNDLED = /^pdfjs-dist(\/|$)/;
const DEPENDENCIES = ['fflate', 'yaml', 'zod'];
const PEERS = ['@langchain/core', '@langchain/langgraph', '@langchain/langgraph-checkpoint', 'langchain'];
const OPTIONAL_PEERS = [
  '@agentclientprotocol/sdk',
  '@aws-sdk/client-s3',
  '@langchain/deno',
  '@langchain/langgraph-checkpoint-postgres',
  '@langchain/langgraph-sdk',
  '@vscode/ripgrep',
  'better-sqlite3',
  'langsmith',
  'pg',
  'vitest',
];

/** Its last version that Node 20 can load. */
const SQLITE_OF_NODE_20 = '^12.11.1';

/** The versions of this repository, which the tests run with. @param {readonly string[]} names */
const ranges = (names) =>
  Object.fromEntries(
    names.map((name) => [name, `^${repository.devDependencies[name] ?? repository.dependencies[name]}`]),
  );

/** @param {string} folder where dist/ and third-party.json go */
async function bundle(folder) {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: [BUNDLED] },
    plugins: [bundledPackages()],
    build: {
      ssr: true,
      target: 'node20.18',
      outDir: join(folder, 'dist'),
      emptyOutDir: true,
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: Object.fromEntries(
          Object.entries({ ...ENTRIES, ...WORKERS }).map(([name, file]) => [name, join(harness, file)]),
        ),
        external: (id) => !/^[./\0]|^[A-Za-z]:[\\/]/.test(id) && !BUNDLED.test(id),
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
      },
    },
  });
}

const SPECIFIER = /((?:from|import)\s*\(?\s*)(['"])(\.{1,2}\/[^'"]+)\2/g;

/** @param {string} from a declaration file @param {string} specifier @returns {string} the declaration file it refers to */
function declarationOf(from, specifier) {
  const base = resolve(dirname(from), specifier);
  const found = [`${base}.d.ts`, join(base, 'index.d.ts')].find((file) => existsSync(file));
  if (found === undefined) throw new Error(`${from} imports ${specifier}, which has no types`);
  return found;
}

/**
 * Adds file extensions to specifiers, as Node requires, and removes declarations that no entry reaches.
 * @param {string} types
 */
function resolveSpecifiers(types) {
  const reached = new Set(
    Object.values(ENTRIES).map((file) => join(types, 'harness', file.replace(/\.ts$/, '.d.ts'))),
  );
  for (const file of reached) {
    const text = readFileSync(file, 'utf8').replace(SPECIFIER, (_, before, quote, specifier) => {
      const target = declarationOf(file, specifier);
      reached.add(target);
      const path = relative(dirname(file), target)
        .replaceAll('\\', '/')
        .replace(/\.d\.ts$/, '.js');
      return `${before}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
    });
    writeFileSync(file, text);
  }
  for (const name of readdirSync(types, { recursive: true }).map(String)) {
    const file = join(types, name);
    if (name.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
  }
}

/** @param {string} folder where types/ goes */
async function declare(folder) {
  const project = join(folder, 'tsconfig.json');
  const types = join(folder, 'types');
  writeFileSync(
    project,
    JSON.stringify({
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: {
        lib: ['es2023'],
        types: ['node'],
        typeRoots: [join(root, 'node_modules', '@types')],
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: join(root, 'src-main'),
        outDir: types,
      },
      files: [
        join(harness, 'agent/prompts/markdown.d.ts'),
        ...Object.values(ENTRIES).map((file) => join(harness, file)),
      ],
    }),
  );
  const ran = await runBin(['ts7', 'tsc'], ['-p', project]);
  rmSync(project);
  if (ran.code !== 0) throw new Error(`the types cannot be written\n${ran.output}`);
  resolveSpecifiers(types);
}

/** @param {string} folder with the list of bundled packages */
function writeNotices(folder) {
  const list = join(folder, 'dist', 'third-party.json');
  const texts = /** @type {string[]} */ (JSON.parse(readFileSync(list, 'utf8'))).map((name) => {
    const at = join(root, 'node_modules', name);
    const file = readdirSync(at).find((one) => /^licen[cs]e/i.test(one));
    if (file === undefined) throw new Error(`${name} has no text of its license`);
    const { version, license } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
    return `## ${name} ${version} (${license})\n\n${readFileSync(join(at, file), 'utf8').trim()}\n`;
  });
  writeFileSync(join(folder, 'THIRD_PARTY.md'), `# Packages in this bundle\n\n${texts.join('\n')}`);
  rmSync(list);
}

function manifest() {
  const peers = ranges([...PEERS, ...OPTIONAL_PEERS]);
  const subpath = (/** @type {string} */ name) => (name === 'index' ? '.' : `./${name}`);
  return {
    name: '@deepdesk/harness',
    version: repository.version,
    description: 'The agent library of Deepdesk, with the names and options of deepagents',
    license: repository.license,
    type: 'module',
    engines: repository.engines,
    sideEffects: false,
    exports: {
      ...Object.fromEntries(
        Object.entries(ENTRIES).map(([name, file]) => [
          subpath(name),
          { types: `./types/harness/${file.replace(/\.ts$/, '.d.ts')}`, default: `./dist/${name}.js` },
        ]),
      ),
      './package.json': './package.json',
    },
    files: ['dist', 'types', 'THIRD_PARTY.md'],
    dependencies: ranges(DEPENDENCIES),
    peerDependencies: { ...peers, 'better-sqlite3': `${SQLITE_OF_NODE_20} || ${peers['better-sqlite3']}` },
    peerDependenciesMeta: Object.fromEntries(OPTIONAL_PEERS.map((name) => [name, { optional: true }])),
  };
}

/**
 * Writes the package into a folder and empties the folder first.
 * @param {string} folder absolute
 */
export async function buildHarness(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await Promise.all([bundle(folder), declare(folder)]);
  writeNotices(folder);
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(harness, 'README.md'), join(folder, 'README.md'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
}
