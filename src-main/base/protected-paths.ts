import { foldedNames, foldName } from './names';

/*
 * The one list of what other programs run or obey without asking the person: whoever can write it can run anything
 * later. Tools, commands, rules and the sandbox go by it.
 */

/** Files and folders, at any depth. What lies in such a folder is meant too. */
export const OBEYED_NAMES: readonly string[] = [
  // Run by git, or by what starts with it. `.git` also holds what no undo brings back.
  '.git',
  '.husky',
  '.githooks',
  '.lefthook',
  '.overcommit.yml',
  'lefthook.yml',
  'lefthook.yaml',
  'lefthook.toml',
  'lefthook.json',
  '.lefthook.yml',
  '.lefthook.yaml',
  'lefthook-local.yml',
  '.pre-commit-config.yaml',
  '.pre-commit-hooks.yaml',
  '.simple-git-hooks.json',
  '.simple-git-hooks.js',
  '.simple-git-hooks.cjs',
  // Run by services that build the repository.
  '.github',
  '.gitlab-ci.yml',
  '.gitlab',
  '.circleci',
  '.buildkite',
  'azure-pipelines.yml',
  'Jenkinsfile',
  'bitbucket-pipelines.yml',
  // Obeyed by editors and by other agents.
  '.vscode',
  '.cursor',
  '.idea',
  '.fleet',
  '.zed',
  '.windsurf',
  '.devcontainer',
  '.devcontainer.json',
  '.claude',
  '.codex',
  '.gemini',
  '.mcp.json',
  '.deepdesk',
  '.exrc',
  '.vimrc',
  '.nvimrc',
  '.nvim.lua',
  '.dir-locals.el',
  '.gdbinit',
  '.lldbinit',
  // Run on entering the folder, or obeyed by whatever is started there.
  '.envrc',
  '.mise.toml',
  'mise.toml',
  '.bashrc',
  '.profile',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
];

/** Files whose lines the person's next `npm test` or `make` runs: obeyed too, but changed in the course of the work. */
const BUILD_FILES: readonly RegExp[] = [
  /^package\.json$/,
  /^(gnu)?makefile$/,
  /\.mk$/,
  /^\.?justfile$/,
  /^taskfile\.ya?ml$/,
  /^rakefile$/,
  /^(setup|noxfile|conftest|fabfile|tasks)\.py$/,
  /^tox\.ini$/,
  /^(build|settings)\.gradle(\.kts)?$/,
  /^(gradlew|mvnw)(\.bat|\.cmd)?$/,
  /^pom\.xml$/,
  /^build\.(rs|zig|xml)$/,
  /^cmakelists\.txt$/,
  /^composer\.json$/,
  /^deno\.jsonc?$/,
  /^procfile$/,
  /^(docker-)?compose(\.[a-z0-9_-]+)?\.ya?ml$/,
];

const OBEYED = new Set(OBEYED_NAMES.map(foldName));

/**
 * Whether what is written at a path of the project is run or obeyed by other programs: `path` is one of the list, or lies
 * in one. Relative to the folder, with `/` between names; links are not followed. Case does not matter.
 */
export const isObeyed = (path: string): boolean => foldedNames(path).some((name) => OBEYED.has(name));

/** Whether it is a file that says what a build, a test or a start of the project runs. */
export function isBuildFile(path: string): boolean {
  const names = foldedNames(path);
  const name = names.at(-1) ?? '';
  return (
    BUILD_FILES.some((pattern) => pattern.test(name)) ||
    (names.at(-2) === '.cargo' && /^config(\.toml)?$/.test(name))
  );
}
