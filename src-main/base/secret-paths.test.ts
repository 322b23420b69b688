import { describe, expect, it } from 'vitest';
import { isBuildFile, isObeyed } from './protected-paths';
import { isSecretFolder, isSecretPath } from './secret-paths';
import { SECRET_NAMES, SHARED_NAMES } from './testing/secret-names';

const HOME = '/home/me';

describe('files that hold secrets [safety 16]', () => {
  it.each(SECRET_NAMES)('include %s at any depth and in any case', (name) => {
    for (const path of [name, `/p/${name}`, `a/b/${name}`, `/p/${name.toUpperCase()}`])
      expect({ path, secret: isSecretPath(path, HOME) }).toEqual({ path, secret: true });
  });

  it.each(['.env~', '.env.~2~', '#.env#', '.#.env', '.netrc~', 'server.key copy', 'server.key (1)'])(
    'include the copy %s',
    (name) => expect(isSecretPath(`/p/${name}`, HOME)).toBe(true),
  );

  it.each([...SHARED_NAMES, '.env.example~', '#server.crt#', 'notes.txt~', 'key copy'])(
    'do not include %s',
    (name) => {
      expect(isSecretPath(`/home/me/project/${name}`, HOME)).toBe(false);
    },
  );

  it('are found under spellings that a case-insensitive system treats as equal', () => {
    for (const name of [
      ...['.ENV', '.En\u200bv', '\uff0eenv', 'id_r\u017fa', 'server.\u212aEY'],
      ...['.env ', '.env. .', '.env::$DATA', '.npmrc .'],
    ])
      expect({ name, secret: isSecretPath(name) }).toEqual({ name, secret: true });
  });

  it('include places in the home folder and in the system, only there', () => {
    for (const path of [
      '/home/me/.config/gh/hosts.yml',
      '/home/me/.mozilla/x',
      '/etc/shadow',
      '/etc/sudoers.d/a',
    ])
      expect(isSecretPath(path, HOME)).toBe(true);
    for (const path of ['/home/you/.config/gh/hosts.yml', '/srv/etc/shadow', 'etc/shadow', HOME, '/'])
      expect(isSecretPath(path, HOME)).toBe(false);
  });

  it('include everything in some folders', () => {
    expect(isSecretFolder('/p/.ssh', HOME)).toBe(true);
    expect(isSecretFolder('/p/keys', HOME)).toBe(false);
  });
});

describe('files that other programs run or load [safety 16]', () => {
  it.each([
    '.git/config',
    'sub/.git/hooks/pre-commit',
    '.GIT/info/attributes',
    '.husky/pre-push',
    '.github/workflows/ci.yml',
    '.vscode/tasks.json',
    '.cursor/mcp.json',
    '.idea/runConfigurations/a.xml',
    'a/.envrc',
    '.mcp.json',
    '.deepdesk/mcp.json',
    'lefthook.yml',
    '.pre-commit-config.yaml',
    'Jenkinsfile',
    '.g\u200bit/config',
    '.git./config',
    '.git /config',
    'GIT~1/config',
    '.git::$INDEX_ALLOCATION/config',
    '.hg/hgrc',
    '.jj/repo/config.toml',
    '.zshrc',
    '.gitconfig',
    '.travis.yml',
    '.Rprofile',
    '.mvn/extensions.xml',
    'mise.local.toml',
    '.helix/languages.toml',
    '.bsp/sbt.json',
    'hie.yaml',
    '.ycm_extra_conf.py',
    '.junie/mcp.json',
    '.gitpod.yml',
    '.autoenv.zsh',
  ])('include %s', (path) => expect(isObeyed(path)).toBe(true));

  it.each([
    'gitignore',
    '.gitignore',
    'src/git/config',
    'vscode/tasks.json',
    'docs/husky.md',
    'src/config.ts',
    '.yarn/cache/a.zip',
    'tsconfig.json',
    'docs/cargo.md',
    '',
  ])('do not include “%s”', (path) => expect(isObeyed(path) || isBuildFile(path)).toBe(false));

  it.each([
    'package.json',
    'app/package.json',
    'Makefile',
    'GNUmakefile',
    'rules.mk',
    'build.gradle.kts',
    '.cargo/config.toml',
    'pyproject.toml',
    'web/vite.config.ts',
    'eslint.config.mjs',
    '.eslintrc.json',
    '.prettierrc.cjs',
    'Dockerfile',
    'Vagrantfile',
    'gulpfile.js',
    'flake.nix',
    'app.code-workspace',
    '.yarn/releases/yarn-4.9.1.cjs',
    '.pnp.cjs',
    'rust-toolchain.toml',
    'Cargo.toml',
    'bunfig.toml',
    '.prettierrc',
    'mypy.ini',
    'gradle/wrapper/gradle-wrapper.properties',
    'Directory.Build.targets',
    'App.csproj',
    'cmake/find.cmake',
    'mix.exs',
  ])('include %s, which decides what a build runs', (path) => expect(isBuildFile(path)).toBe(true));
});
