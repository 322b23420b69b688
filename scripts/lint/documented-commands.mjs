// The commands in the documents, and how each of them is known to work.

/**
 * @typedef {{ run: string }} Run it is run in a copy of the repository, with less work than in the document where it is long
 * @typedef {{ test: string, says: string }} Tested a test or script runs it: its file, and a text in the file
 * @typedef {{ why: string }} NotRun why no test runs it
 */

const FENCED = /^```(?:sh|bash)\n([\s\S]*?)^```/gmu;
const ANY_FENCED = /^(```|~~~)[\s\S]*?^\1[^\n]*$/gmu;
const INLINE = /`([^`]+)`/gu;
/** Text in the style of code that is a command for the terminal: those of npm that a page is about, and complete others. */
const COMMAND = /^(npm (?:run|test|ci|start|audit|install|version)\b|npx |node \S+\.mjs|sudo |deepdesk )/u;
/** Two spaces or more, and what the command is for. */
const COMMENT = /\s{2,}#.*$/u;

/** The commands of a page, each as one line. @param {string} page */
export function commandsOf(page) {
  const blocks = [...page.matchAll(FENCED)].flatMap(([, block = '']) => block.split('\n'));
  const inline = [...page.replace(ANY_FENCED, '').matchAll(INLINE)]
    .map(([, code = '']) => code.replace(/\s+/gu, ' '))
    .filter((code) => COMMAND.test(code));
  return [...blocks, ...inline].map((line) => line.replace(COMMENT, '').trim()).filter(Boolean);
}

const SUITES = { why: 'it runs the suites that the tests of this list belong to' };
const PACKAGES = { test: 'scripts/installers/packages.servers.test.ts', says: 'makePackage(' };
const HARNESS = { test: 'scripts/build/harness.servers.test.ts', says: "'install'" };
const FAULTS = { why: 'it takes an hour or more; one row is run instead' };
const GROWTH = { test: 'scripts/test-slow.mjs', says: 'runServerSuites(' };
const COMPUTER = {
  why: 'it changes the packages of the computer; packages.servers.test.ts does so in a folder',
};
const REGISTRY = { why: 'it needs a registry that answers' };
const EXAMPLE = { why: 'it is an example of a command in a project of the person' };
const JOURNEYS = { test: 'scripts/testing/suites.mjs', says: '@playwright/test' };
const START = { test: 'e2e/support/npm-start-signals.ts', says: 'npmStart(' };
const EDITOR = { test: 'e2e/support/editor.ts', says: "'scripts/agent.mjs'), '--acp'" };
const RECORDING = { why: 'it runs all journeys; transcript.test.ts tests what it writes and compares' };

/** @type {Readonly<Record<string, Run | Tested | NotRun>>} */
export const PROOFS = {
  'npm ci': SUITES,
  'npm ci && npm start': START,
  'npm ci && npm run build': { test: 'scripts/test.mjs', says: 'await ensureBuilt()' },
  'npm start': START,
  'npm test': SUITES,
  'npm test -- --changed': SUITES,
  'npm run test:slow': SUITES,
  'npm run doctor': { run: 'npm run doctor' },
  'npm run check': { test: 'scripts/test.mjs', says: "'check.mjs'" },
  'npm run check -- layers': { run: 'npm run check -- types layers' },
  'npm run check -- types lint': { run: 'npm run check -- types layers' },
  'npm run check layers': { run: 'npm run check -- types layers' },
  'npm run format': { test: 'scripts/check.mjs', says: "['check', '--error-on-warnings', '.']" },
  'npm run build': { test: 'scripts/test.mjs', says: 'await ensureBuilt()' },
  'npm run licenses': { run: 'npm run licenses' },
  'npm run sbom': { run: 'npm run sbom' },
  'npm run project': { run: 'npm run project' },
  'npm run docs:check': { run: 'npm run docs:check' },
  'npm run docs:api': { test: 'scripts/docs-api.servers.test.ts', says: "'scripts/docs-api.mjs'" },
  'npm run pack:harness': { test: 'scripts/build/harness.servers.test.ts', says: 'buildHarness(' },
  'npm install @deepdesk/harness langchain @langchain/core @langchain/langgraph @langchain/langgraph-checkpoint':
    HARNESS,
  'npm install @langchain/anthropic': HARNESS,
  'npm install pg @langchain/langgraph-checkpoint-postgres': HARNESS,
  'npm run package': { test: 'e2e/packaged.spec.ts', says: 'packagedProgram()' },
  'npm run dist': PACKAGES,
  'npm run dist -- deb': PACKAGES,
  'npm run dist -- AppImage': {
    test: 'scripts/installers/packages.servers.test.ts',
    says: 'buildWithBuilder(',
  },
  'npm run dist -- --release': { test: 'scripts/installers/release.test.ts', says: 'release' },
  'npm run sign:feed': { run: 'npm run sign:feed' },
  'npm run sign:feed -- --new-key': { run: 'npm run sign:feed -- --new-key' },
  'npm audit': REGISTRY,
  'npm audit --omit=dev': REGISTRY,
  'npm version --no-git-tag-version X.Y.Z': { why: 'it begins a release' },
  'npm run agent': {
    test: 'e2e/headless.spec.ts',
    says: 'prints events as JSON lines, numbered without gaps',
  },
  'npm run agent -- "prompt"': { run: 'npm run agent -- --data-dir ~/data "list files"' },
  'npm run agent -- --project notes': { test: 'e2e/ssh-project.servers.ts', says: "['--project', name," },
  'npm run agent -- --folder ~/my-project "list files"': {
    run: 'mkdir ~/my-project && npm run agent -- --data-dir ~/data --folder ~/my-project "list files"',
  },
  'npm run agent -- --list-routines': { test: 'e2e/routines.spec.ts', says: "'--list-routines'" },
  'npm run agent -- --routine "Morning report"': {
    test: 'e2e/routines.spec.ts',
    says: "'--routine', 'Morning report'",
  },
  'npm run --silent agent -- --acp': EDITOR,
  'node /path/to/deepdesk/scripts/agent.mjs --acp': EDITOR,
  'npx vitest run src-main/terminal': { run: 'npx vitest run src-main/terminal/pty/safe-pty' },
  'npx vitest run src-main/approvals/rules.test.ts -t "part of its name"': {
    run: 'npx vitest run src-main/approvals/rules.test.ts -t "may forbid"',
  },
  'npm run e2e': JOURNEYS,
  'npm run e2e -- e2e/NAME.spec.ts': JOURNEYS,
  'npm run e2e -- e2e/approvals.spec.ts --workers=1': {
    run: 'npm run e2e -- e2e/approvals.spec.ts --workers=1 --list',
  },
  'npm run e2e -- e2e/inbox.spec.ts -g "part of its name"': {
    run: 'npm run e2e -- e2e/inbox.spec.ts -g "survive a kill" --list',
  },
  "sudo unshare -m sh -c 'mount --make-rprivate / && mount --bind /bin/false /usr/bin/bwrap && npm run e2e'":
    {
      why: 'it needs an administrator; a computer without the sandbox runs the same',
    },
  'npm run screenshots': { test: 'e2e/screenshots.spec.ts', says: 'test(' },
  'npm run fuzz': { run: 'npm run fuzz -- --minutes 0.02 --seed 42' },
  'npm run fuzz -- commands': { run: 'npm run fuzz -- commands --minutes 0.02 --seed 42' },
  'npm run fuzz -- commands --minutes 10': { run: 'npm run fuzz -- commands --minutes 0.02 --seed 42' },
  'npm run fuzz -- globs links --seed 42': { run: 'npm run fuzz -- globs links --seed 42 --minutes 0.02' },
  'npm run soak': { run: 'npm run soak -- 40 1 42' },
  'npm run soak -- 2000 20': { run: 'npm run soak -- 40 1 42' },
  'npm run bench': { why: 'it takes most of an hour; groups are run instead' },
  'npm run bench -- --write': { test: 'bench/document.test.ts', says: 'withResults(' },
  'npm run bench -- --write --no-run': { test: 'bench/document.test.ts', says: 'withResults(' },
  'npm run bench -- size --quick': { run: 'npm run bench -- size --quick' },
  'npm run bench -- GROUP --quick': { run: 'npm run bench -- size --quick' },
  'npm run bench -- size': { run: 'npm run bench -- size --quick' },
  'npm run test:growth': GROWTH,
  'npm run test:growth -- --write': GROWTH,
  'npm run test:faults': FAULTS,
  'npm run test:faults -- --row NAME': { run: 'npm run test:faults -- --row edits --times 2' },
  'npm run test:faults -- --row edits --times 20': { run: 'npm run test:faults -- --row edits --times 2' },
  'npm run test:faults -- --seed 7': FAULTS,
  'npm run test:faults -- --write': FAULTS,
  'node scripts/transcripts.mjs record before': RECORDING,
  'node scripts/transcripts.mjs record after': RECORDING,
  'node scripts/transcripts.mjs compare before after': RECORDING,
  'npm run test': EXAMPLE,
  'npm run test -- --watch': EXAMPLE,
  'npm start -- --safe-mode': START,
  'deepdesk --safe-mode': { test: 'e2e/safe-mode.spec.ts', says: "'--safe-mode'" },
  'sudo apt install bubblewrap': COMPUTER,
  'sudo apt remove deepdesk': COMPUTER,
  'sudo dnf remove deepdesk': COMPUTER,
  'sudo apt update && sudo apt install --only-upgrade deepdesk': COMPUTER,
  'sudo dnf upgrade deepdesk': COMPUTER,
  'sudo chown root:root chrome-sandbox && sudo chmod 4755 chrome-sandbox': COMPUTER,
};
