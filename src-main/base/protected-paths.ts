import { foldedNames, foldName } from './names';

/*
 * The only list of files that other programs run or load without asking the person: whoever can write them can run anything
 * later. Tools, commands, rules and the sandbox use it.
 */

/** Files and folders at any depth, including everything in such a folder. */
export const OBEYED_NAMES: readonly string[] = [
  // Run by git or by programs that it starts, or by other version control. `.git` also holds data that undo cannot restore.
  '.git',
  '.gitconfig',
  '.hg',
  '.jj',
  '.sl',
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
  '_darcs',
  '.pijul',
  // Run by services that build the repository.
  '.github',
  '.gitlab-ci.yml',
  '.gitlab',
  '.circleci',
  '.buildkite',
  'azure-pipelines.yml',
  'Jenkinsfile',
  'bitbucket-pipelines.yml',
  '.travis.yml',
  'appveyor.yml',
  '.appveyor.yml',
  '.drone.yml',
  '.cirrus.yml',
  '.woodpecker',
  '.woodpecker.yml',
  '.woodpecker.yaml',
  '.forgejo',
  '.gitea',
  '.builds',
  '.build.yml',
  'cloudbuild.yaml',
  'buildspec.yml',
  '.semaphore',
  '.teamcity',
  '.tekton',
  '.zuul.yaml',
  '.zuul.d',
  'bitrise.yml',
  'codemagic.yaml',
  'wercker.yml',
  '.gitpod.yml',
  '.replit',
  '.idx',
  // Loaded by editors and by other agents.
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
  '.kiro',
  '.roo',
  '.continue',
  '.qwen',
  '.opencode',
  'opencode.json',
  '.crush.json',
  'crush.json',
  '.amazonq',
  '.junie',
  '.kilocode',
  '.trae',
  '.helix',
  '.nova',
  '.aider.conf.yml',
  '.mcp.json',
  '.deepdesk',
  '.exrc',
  '.vimrc',
  '.nvimrc',
  '.nvim.lua',
  '.lvimrc',
  '.dir-locals.el',
  '.dir-locals-2.el',
  '.ycm_extra_conf.py',
  '.luarc.json',
  '.bsp',
  'hie.yaml',
  '.gdbinit',
  '.lldbinit',
  // Run on entering the folder, or loaded by programs that start there.
  '.envrc',
  '.mise.toml',
  'mise.toml',
  '.mise.local.toml',
  'mise.local.toml',
  '.mise',
  '.rtx.toml',
  '.shadowenv.d',
  '.autoenv',
  '.autoenv.zsh',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.Rprofile',
  '.irbrc',
  '.pryrc',
  '.pdbrc',
  '.iex.exs',
  '.ghci',
  '.ocamlinit',
  '.mvn',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
];

/** Files that the person's next `npm test` or `make` runs. They are loaded too, but change during normal work. */
const BUILD_FILES: readonly RegExp[] = [
  /^package\.json$/,
  /^(gnu)?makefile$/,
  /\.mk$/,
  /^\.?justfile$/,
  /^taskfile\.ya?ml$/,
  /^(rake|gem|pod|brew|guard|vagrant|docker|container|jake|gulp|grunt)file(\.[cm]?[jt]s)?$/,
  /^(flake|shell|default)\.nix$/,
  /^(workspace|build|module)\.bazel$/,
  /^(setup|noxfile|conftest|fabfile|tasks|sitecustomize|usercustomize)\.py$/,
  /^pyproject\.toml$/,
  // Code that tools, and editors with their extensions, load when they start in the folder.
  /\.config\.[cm]?[jt]s$/,
  /^\.[a-z-]+rc\.[cm]?[jt]s$/,
  /^\.(eslintrc|babelrc|mocharc|lintstagedrc|prettierrc|stylelintrc|postcssrc|pylintrc|flake8|rspec|bazelrc|rubocop)(\.(json|ya?ml|toml))?$/,
  /\.code-workspace$/,
  /^tox\.ini$/,
  /^(build|settings)\.gradle(\.kts)?$/,
  /^(gradlew|mvnw)(\.bat|\.cmd)?$/,
  /^pom\.xml$/,
  /^build\.(rs|zig|xml)$/,
  /^cmakelists\.txt$/,
  /^composer\.json$/,
  /^(cargo|bunfig|netlify|wrangler)\.toml$/,
  /^rust-toolchain(\.toml)?$/,
  /^\.pnp\.(c?js|loader\.mjs)$/,
  /^binding\.gyp$/,
  /^(nx|turbo|lerna|angular|cmakepresets|cmakeuserpresets)\.json$/,
  /\.cmake$/,
  /^meson\.build$/,
  /^(sconstruct|wscript|configure)$/,
  /^conanfile\.py$/,
  /^gradle-wrapper\.(jar|properties)$/,
  /^build\.(sbt|sc|mill)$/,
  /^directory\.build\.(props|targets)$/,
  /\.(cs|fs|vb)proj$/,
  /^mix\.exs$|^\.formatter\.exs$/,
  /^(setup\.hs|package\.swift|makefile\.pl|build\.pl)$/,
  /^(pytest|mypy)\.ini$|^\.mypy\.ini$|^(setup|tox)\.cfg$|^pylintrc$/,
  /^phpunit\.xml(\.dist)?$/,
  /^deno\.jsonc?$/,
  /^procfile$/,
  /^(docker-)?compose(\.[a-z0-9_-]+)?\.ya?ml$/,
];

const OBEYED = new Set(OBEYED_NAMES.map(foldName));

/**
 * Whether other programs run or load a path of the project: it is in the list, or in a folder from the list. `path` is
 * relative to the folder, with `/` between names. Links are not followed, and case does not matter.
 */
export const isObeyed = (path: string): boolean => foldedNames(path).some((name) => OBEYED.has(name));

/** Whether the file decides what a build, a test or a start script of the project runs. */
export function isBuildFile(path: string): boolean {
  const names = foldedNames(path);
  const name = names.at(-1) ?? '';
  return (
    BUILD_FILES.some((pattern) => pattern.test(name)) ||
    (names.at(-2) === '.cargo' && /^config(\.toml)?$/.test(name)) ||
    // The package manager itself.
    names.some((folder, at) => folder === '.yarn' && /^(releases|plugins|sdks)$/.test(names[at + 1] ?? ''))
  );
}

/**
 * Whether it is code of an installed package, which programs of the project load: its tests, its servers, its build. Caches that
 * tools keep beside packages are not, such as `node_modules/.cache`.
 */
export function isPackageCode(path: string): boolean {
  const names = foldedNames(path);
  return names.some((name, at) => {
    const inside = names[at + 1];
    if (inside === undefined) return false;
    if (name === 'node_modules') return inside === '.bin' || !inside.startsWith('.');
    return /^(site|dist)-packages$/.test(name) && !names.includes('__pycache__');
  });
}
