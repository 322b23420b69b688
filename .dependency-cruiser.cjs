// Which folder may import which. `npm run check` fails on any edge that is not allowed here.
// A folder imports what is shared and the public harness, never its peers. Only the host combines them.

const folders = [
  'harness',
  'approvals',
  'changes',
  'mcp',
  'secrets',
  'models',
  'storage',
  'terminal',
  'updates',
  'workspace',
  'host',
  'electron',
  'cli',
];
const leaves = [
  'storage',
  'terminal',
  'updates',
  'workspace',
  'models',
  'approvals',
  'changes',
  'mcp',
  'secrets',
];
/** What a folder of the harness uses of another: Keep writes files as the file tools do. */
const borrowedInHarness = {
  sandbox: ['^src-main/harness/backends/(failure|disk/(guard|handle|held-files|temporaries))\\.ts$'],
};
/** The harness as developers import it. */
const PUBLIC = '^src-main/harness/(index|entries/[a-z0-9]+)\\.ts$';
/** What any folder may import: types, pure functions, and the only way to make an HTTP request. */
const SHARED = '^src-main/(base|contract)/';
/** The same inside the harness, with what all its folders know. */
const PROTOCOL = '^src-main/(base/|contract/|harness/backends/(protocol|commands|store/indexed-store)\\.ts$)';
/** Folders of the host, from the top down: each uses those below it. */
const hostFolders = [
  ['commands'],
  ['git'],
  ['routines'],
  ['turns'],
  ['approvals'],
  ['memories', 'threads'],
  ['settings', 'project'],
  ['places', 'agents'],
  ['window'],
];
/** Folders that read a command line of Bash, from the top down: each uses those below it. */
const bashFolders = [
  ['changes', 'deleting', 'scripts'],
  ['verdict'],
  ['reading'],
  ['commands'],
  ['parsing', 'paths'],
];
/** What the harness may import of this repository in addition to itself. */
const FOR_LIBRARY = '^src-main/(base/|contract/shared/)';
/** What the folders between the harness and the host know of the built-in tools. */
const CATALOGUE = '^src-main/harness/tools/catalogue\\.ts$';
const TESTS = '\\.test\\.tsx?$|/testing/';

/** A heavy package belongs to one folder; the others use that folder. */
const owners = {
  'better-sqlite3': '^src-main/(storage|harness/storage|base/sqlite)/',
  'node-pty': '^src-main/terminal/',
  chokidar: '^src-main/workspace/',
  'electron-updater': '^src-main/updates/',
  '@vscode/ripgrep': '^src-main/harness/backends/',
  '@xterm/[^/]+': '^src-renderer/features/terminal/',
};

const forbidden = [
  {
    name: 'no-cycles',
    comment: 'Files that need each other are one file, or have a third one in them.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-missing-imports',
    comment: 'An import that resolves to nothing is a typo or an undeclared package.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'contract-imports-zod-and-diff-only',
    comment: 'Both processes read the contract: no Node, no DOM, no Electron, no other folder.',
    severity: 'error',
    from: { path: '^src-main/contract/', pathNot: TESTS },
    to: { pathNot: ['^src-main/contract/', '(^|/)node_modules/(zod|diff)/'] },
  },
  {
    name: 'shared-types-import-zod-only',
    comment: 'What the harness names as well as the app and the window knows nothing of either.',
    severity: 'error',
    from: { path: '^src-main/contract/shared/', pathNot: TESTS },
    to: { pathNot: ['^src-main/contract/shared/', '(^|/)node_modules/zod/'] },
  },
  {
    name: 'types-do-not-know-the-port',
    comment: 'Commands and events use the types next to their folders, never the other way around.',
    severity: 'error',
    from: {
      path: '^src-main/contract/[^/]+$',
      pathNot: `^src-main/contract/(rpc|serve|thread)\\.ts$|${TESTS}`,
    },
    to: { path: '^src-main/contract/(commands|events)/' },
  },
  {
    name: 'base-imports-nothing-of-ours',
    comment: 'Every folder may use it, so it imports nothing but Node and packages.',
    severity: 'error',
    from: { path: '^src-main/base/', pathNot: TESTS },
    to: { path: '^src-', pathNot: '^src-main/base/' },
  },
  ...leaves.map((leaf) => ({
    name: `${leaf}-knows-only-the-public-harness`,
    comment: 'A leaf imports the contract, the public index of the harness and its catalogue, never a peer.',
    severity: 'error',
    from: { path: `^src-main/${leaf}/`, pathNot: TESTS },
    to: {
      path: '^src-main/',
      pathNot: [`^src-main/${leaf}/`, SHARED, PUBLIC, CATALOGUE],
    },
  })),
  {
    name: 'only-types-of-the-index',
    comment: 'Its values load LangChain, which nothing loads before it is needed.',
    severity: 'error',
    from: { path: `^src-main/(${[...leaves, 'host', 'electron', 'cli'].join('|')})/`, pathNot: TESTS },
    to: { path: '^src-main/harness/index\\.ts$', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'catalogue-knows-no-implementation',
    comment:
      'Every folder asks it about tools: it imports only the base and shared types, and loads no LangChain.',
    severity: 'error',
    from: { path: '^src-main/harness/tools/(catalogue\\.ts|descriptor)', pathNot: TESTS },
    to: {
      pathNot: '^src-main/(base/|contract/shared/|harness/tools/(catalogue\\.ts|descriptor))',
    },
  },
  {
    name: 'harness-imports-base-only',
    comment:
      'The harness is a library: it knows no Electron, no window, no rule of approvals and no database of the app.',
    severity: 'error',
    from: { path: '^src-main/harness/', pathNot: TESTS },
    to: { path: '^src-', pathNot: ['^src-main/harness/', FOR_LIBRARY] },
  },
  ...['backends', 'storage', 'sandbox'].map((folder) => ({
    name: `${folder}-of-the-harness-know-only-the-protocol`,
    comment: 'It reads its own folder and the backend protocol, never the agent.',
    severity: 'error',
    from: { path: `^src-main/harness/${folder}/`, pathNot: TESTS },
    to: {
      path: '^src-main/',
      pathNot: [`^src-main/harness/${folder}/`, PROTOCOL, ...(borrowedInHarness[folder] ?? [])],
    },
  })),
  {
    name: 'harness-has-nothing-for-tests-alone',
    comment: 'What only tests reach is exported by harness/index.ts, by an entry, or deleted.',
    severity: 'error',
    from: {
      path: '^src-main/(harness/(index|entries/[a-z0-9]+)|index|cli/index)\\.ts$|^src-main/harness/.*-worker\\.ts$',
    },
    to: {
      path: '^src-main/harness/',
      pathNot: `^src-main/harness/(index\\.ts$|entries/)|-worker\\.ts$|\\.d\\.ts$|\\.contract\\.ts$|${TESTS}`,
      reachable: false,
    },
  },
  {
    name: 'agent-and-tools-know-only-the-protocol',
    comment: 'Agent and tools read the backend protocol, never a certain backend.',
    severity: 'error',
    from: { path: '^src-main/harness/(agent|tools)/', pathNot: TESTS },
    to: {
      path: '^src-main/',
      pathNot: [
        '^src-main/harness/(agent|tools|index\\.ts)',
        PROTOCOL,
        // Other forms of the protocol, rules about the paths of any backend, what a tree says about itself, what an agent has
        // seen and written there, and
        // the backend that is the default.
        '^src-main/harness/backends/(backend-factory|published-protocol|policy/permissions|file-versions|seen-versions|step-writes|tree-facts|state)\\.ts$',
      ],
    },
  },
  {
    name: 'host-does-not-know-its-callers',
    comment: 'The app and the cli use the host; it knows only a port.',
    severity: 'error',
    from: { path: `^src-main/(${folders.join('|')})/`, pathNot: `^src-main/(electron|cli)/|${TESTS}` },
    to: { path: '^src-main/(electron|cli|index\\.ts|preload\\.ts)' },
  },
  {
    name: 'host-folders-do-not-know-who-puts-them-together',
    comment: 'The files at the root of the host put its folders together.',
    severity: 'error',
    from: { path: '^src-main/host/[^/]+/', pathNot: TESTS },
    to: { path: '^src-main/host/[^/]+$' },
  },
  ...hostFolders.map((folders, at) => ({
    name: `host-${folders.join('-and-')}-uses-only-folders-below`,
    comment: `Folders of the host point one way: ${hostFolders.map((level) => level.join(' and ')).join(' → ')}.`,
    severity: 'error',
    from: { path: `^src-main/host/(${folders.join('|')})/`, pathNot: TESTS },
    to: {
      path: '^src-main/host/[^/]+/',
      // A folder knows itself, not its neighbor of the same level.
      pathNot: [
        '^src-main/host/$1/',
        ...hostFolders
          .slice(at + 1)
          .flat()
          .map((below) => `^src-main/host/${below}/`),
      ],
    },
  })),
  {
    name: 'bash-does-not-know-who-judges-calls',
    comment: 'It tells what a line does. Rules and the judgment of a call build on that.',
    severity: 'error',
    from: { path: '^src-main/approvals/bash/', pathNot: TESTS },
    to: { path: '^src-main/approvals/', pathNot: '^src-main/approvals/(bash/|risk\\.ts$)' },
  },
  ...bashFolders.map((folders, at) => ({
    name: `bash-${folders.join('-and-')}-uses-only-folders-below`,
    comment: `Folders of bash/ point one way: ${bashFolders.map((level) => level.join(', ')).join(' → ')}.`,
    severity: 'error',
    from: { path: `^src-main/approvals/bash/(${folders.join('|')})/`, pathNot: TESTS },
    to: {
      path: '^src-main/approvals/bash/',
      pathNot: [
        '^src-main/approvals/bash/$1/',
        ...bashFolders
          .slice(at + 1)
          .flat()
          .map((below) => `^src-main/approvals/bash/${below}/`),
      ],
    },
  })),
  {
    name: 'cli-and-electron-do-not-meet',
    comment: 'The cli runs in plain Node; electron/ needs Electron.',
    severity: 'error',
    from: { path: '^src-main/cli/' },
    to: { path: '^src-main/(electron/|index\\.ts|preload\\.ts)' },
  },
  {
    name: 'electron-in-its-folder-only',
    comment: 'Everything else runs and is tested in plain Node.',
    severity: 'error',
    from: { path: '^src-', pathNot: '^src-main/(index\\.ts|preload\\.ts|electron/)' },
    to: { path: '(^|/)node_modules/electron/|^electron$' },
  },
  ...Object.entries(owners).map(([name, owner]) => ({
    name: `one-owner-of-${name.replace(/[^a-z0-9-]/g, '')}`,
    comment: 'One folder owns each heavy package.',
    severity: 'error',
    from: { path: '^src-', pathNot: `${owner}|${TESTS}` },
    to: { path: `(^|/)node_modules/(@types/)?${name}/|^${name}$` },
  })),
  {
    name: 'window-knows-only-the-contract-of-main',
    comment: 'The window talks to the main process over the port.',
    severity: 'error',
    from: { path: '^src-renderer/', pathNot: TESTS },
    to: { path: '^src-main/', pathNot: '^src-main/contract/' },
  },
  {
    name: 'main-does-not-know-the-window',
    comment:
      'It has codes. Their words are told by three files without a window, for dialogs, the model and the command line.',
    severity: 'error',
    from: { path: '^src-main/' },
    to: { path: '^src-renderer/', pathNot: '^src-renderer/i18n/(english|errors|native)\\.ts$' },
  },
  {
    name: 'window-has-no-node',
    comment: 'The renderer is a sandboxed page.',
    severity: 'error',
    from: { path: '^src-renderer/', pathNot: TESTS },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'ui-knows-nothing',
    comment:
      'Stateless parts: no feature, no link, no contract. They show what cannot be seen by the list of all places.',
    severity: 'error',
    from: { path: '^src-renderer/ui/', pathNot: TESTS },
    to: { path: '^src-', pathNot: ['^src-renderer/ui/', '^src-main/contract/shared/unseen\\.ts$'] },
  },
  {
    name: 'link-knows-only-the-contract',
    severity: 'error',
    from: { path: '^src-renderer/link/', pathNot: TESTS },
    to: {
      path: '^src-',
      pathNot: ['^src-renderer/link/', '^src-main/contract/', '^src-renderer/i18n/errors\\.ts$'],
    },
  },
  {
    name: 'features-do-not-know-each-other',
    comment: 'A feature reads itself, ui, link and the contract; the app puts features together.',
    severity: 'error',
    from: { path: '^src-renderer/features/([^/]+)/', pathNot: TESTS },
    to: {
      path: '^src-renderer/',
      pathNot: ['^src-renderer/features/$1/', '^src-renderer/(ui|link|i18n)/'],
    },
  },
  {
    name: 'tests-are-not-imported',
    comment: 'What tests share lives in a folder named testing, which only tests import.',
    severity: 'error',
    from: { path: '^src-', pathNot: TESTS },
    to: { path: TESTS },
  },
];

module.exports = {
  forbidden,
  options: {
    doNotFollow: { path: 'node_modules' },
    // The config of the root project resolves the @contract alias for both processes.
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
    },
  },
};
