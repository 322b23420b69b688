/**
 * The subcommands of programs by all of their names. Rules and the package file readers share this table, so a rule that
 * forbids `npm install` also covers `npm i`.
 */
interface Subcommands {
  /** Other names of a subcommand, by the name in the manual. */
  aliases: Readonly<Record<string, string>>;
  /** Additional effects of a subcommand: `npm ci` also installs. */
  includes?: Readonly<Record<string, string>>;
  /** A prefix of a name stands for it. */
  abbreviates?: true;
  /**
   * Its built-in subcommands, if the person or the folder can define others. The effect of those is known only at run time.
   */
  own?: string;
  /** For such a program: options before the subcommand that take the next word as their value. */
  withValue?: string;
  /** Subcommands that take another command as their arguments. */
  runs?: string;
  /** It runs a word that is not a subcommand as a script or a program. */
  runsUnknown?: true;
}

const PROGRAMS: Readonly<Record<string, Subcommands>> = {
  npm: {
    aliases: {
      install: 'i in ins inst insta instal isnt isnta isntal isntall add',
      ci: 'clean-install ic install-clean isntall-clean',
      'install-test': 'it',
      'install-ci-test': 'cit clean-install-test sit',
      run: 'run-script rum urn',
      test: 't tst',
      start: '',
      stop: '',
      restart: '',
      exec: 'x',
      uninstall: 'un unlink remove rm r',
      update: 'up upgrade udpate',
      rebuild: 'rb',
      publish: '',
      pack: '',
      version: 'verison',
      link: 'ln',
      list: 'ls ll la',
      view: 'v info show',
      search: 's se find',
      init: 'create innit',
      config: 'c',
      dedupe: 'ddp',
      adduser: 'add-user login',
      owner: 'author',
      docs: 'home',
      bugs: 'issues',
      explain: 'why',
      org: 'ogr',
      'dist-tag': 'dist-tags',
    },
    includes: { ci: 'install', 'install-test': 'install test', 'install-ci-test': 'ci install test' },
    abbreviates: true,
    runs: 'exec',
  },
  pnpm: {
    aliases: {
      install: 'i',
      'install-test': 'it',
      run: 'run-script',
      test: 't tst',
      remove: 'rm un uninstall',
      update: 'up upgrade',
      list: 'ls',
      link: 'ln',
      rebuild: 'rb',
      config: 'c',
    },
    includes: { 'install-test': 'install test', add: 'install' },
    runs: 'exec dlx',
    runsUnknown: true,
  },
  yarn: {
    aliases: { install: '', run: '', test: '' },
    includes: { add: 'install' },
    runs: 'exec dlx',
    runsUnknown: true,
  },
  bun: {
    aliases: { install: 'i', add: 'a', remove: 'rm', run: '' },
    includes: { add: 'install' },
    runs: 'x run',
    runsUnknown: true,
  },
  git: {
    aliases: {
      add: 'stage',
      blame: 'annotate',
      init: 'init-db',
      fsck: 'fsck-objects',
      push: 'send-pack http-push',
      fetch: 'fetch-pack http-fetch',
    },
    includes: { pull: 'fetch' },
    withValue: '-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source',
    own: `am apply archive bisect branch bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format
      checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph commit-tree config
      count-objects credential daemon describe diagnose diff diff-files diff-index diff-tree difftool fast-export
      fast-import filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch gc get-tar-commit-id grep gui
      hash-object help hook imap-send index-pack instaweb interpret-trailers lfs log ls-files ls-remote ls-tree mailinfo
      mailsplit maintenance merge merge-base merge-file merge-index merge-tree mergetool mktag mktree multi-pack-index mv
      name-rev notes pack-objects pack-redundant pack-refs patch-id prune prune-packed pull quiltimport range-diff
      read-tree rebase receive-pack reflog remote repack replace request-pull rerere reset restore rev-list rev-parse
      revert rm send-email shortlog show show-branch show-index show-ref sparse-checkout stash status stripspace submodule
      switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info upload-archive
      upload-pack var verify-commit verify-pack verify-tag version whatchanged worktree write-tree`,
  },
  cargo: {
    withValue: '--color --config -Z -C',
    aliases: { build: 'b', check: 'c', doc: 'd', run: 'r', test: 't', remove: 'rm' },
    own: `add bench clean clippy config fetch fix fmt generate-lockfile help info init install locate-project login logout
      metadata new owner package pkgid publish report rustc rustdoc search tree uninstall update vendor
      verify-project version yank`,
  },
  gh: {
    withValue: '-R --repo',
    aliases: { codespace: 'cs', repo: '', run: '', extension: 'extensions ext' },
    own: `alias api attestation auth browse cache completion config gist gpg-key help issue label org pr preview project
      release ruleset search secret ssh-key status variable workflow`,
  },
  brew: { aliases: { uninstall: 'rm remove', list: 'ls', info: 'abv', install: '', doctor: 'dr' } },
  composer: {
    aliases: { install: 'i', update: 'u upgrade', require: 'r', remove: 'rm uninstall' },
    abbreviates: true,
  },
  gem: { aliases: { install: 'i', uninstall: '' }, abbreviates: true },
  bundle: { aliases: { install: '', exec: 'e' }, abbreviates: true, runs: 'exec' },
  hg: { aliases: { commit: 'ci', update: 'up checkout co' }, abbreviates: true },
  svn: {
    aliases: {
      commit: 'ci',
      checkout: 'co',
      delete: 'del remove rm',
      update: 'up',
      switch: 'sw',
      copy: 'cp',
      move: 'mv rename ren',
    },
  },
  poetry: { aliases: {}, runs: 'run' },
  uv: { aliases: {}, runs: 'run' },
  pipenv: { aliases: {}, runs: 'run' },
  hatch: { aliases: {}, runs: 'run' },
  corepack: { aliases: {}, runsUnknown: true },
  'cross-env': { aliases: {}, runsUnknown: true },
};

const wordsOf = (list: string | undefined): string[] =>
  list?.split(/\s+/).filter((word) => word !== '') ?? [];

const of = (program: string): Subcommands | undefined =>
  Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;

/** Every name in a program, with the name in the manual. Of two entries with one name, the first counts. */
function namesIn({ aliases, own }: Subcommands): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const add = (name: string, subcommand: string) => names.set(name, names.get(name) ?? subcommand);
  for (const [subcommand, others] of Object.entries(aliases))
    for (const name of [subcommand, ...wordsOf(others)]) add(name, subcommand);
  for (const name of wordsOf(own)) add(name, name);
  return names;
}

/** A command may have thousands of words, and each is compared with these names. */
const NAMES: ReadonlyMap<Subcommands, ReadonlyMap<string, string>> = new Map(
  Object.values(PROGRAMS).map((known) => [known, namesIn(known)]),
);
const namesOf = (known: Subcommands): ReadonlyMap<string, string> => NAMES.get(known) ?? new Map();

/** Whether a word is a subcommand of any of these programs. */
export const isSubcommand = (word: string): boolean => [...NAMES.values()].some((names) => names.has(word));

/** The subcommand that a word stands for, by one of its names or by an unambiguous prefix. */
export function subcommandOf(program: string, word: string): string | undefined {
  const known = of(program);
  if (known === undefined) return undefined;
  const names = namesOf(known);
  const exact = names.get(word);
  if (exact !== undefined) return exact;
  if (known.abbreviates === undefined || word.length < 2) return undefined;
  const meant = new Set(
    [...names].flatMap(([name, subcommand]) => (name.startsWith(word) ? [subcommand] : [])),
  );
  return meant.size === 1 ? [...meant][0] : undefined;
}

/** Whether `given` does the same as the subcommand `wanted`: as another name, as an additional effect, or as a prefix. */
export function mayDo(program: string, given: string, wanted: string): boolean {
  if (given === wanted) return true;
  const known = of(program);
  if (known === undefined) return false;
  const names = namesOf(known);
  const meant = names.get(wanted) ?? wanted;
  const exact = names.get(given) ?? given;
  if (exact === meant || wordsOf(known.includes?.[exact]).includes(meant)) return true;
  if (known.abbreviates === undefined || given.length < 2 || names.has(given)) return false;
  return (
    meant.startsWith(given) ||
    [...names].some(([name, subcommand]) => subcommand === meant && name.startsWith(given))
  );
}

/** The index of the first word that is no option and no value of one; -1 if there is none. */
export function subcommandAt(program: string, words: readonly string[]): number {
  const withValue = wordsOf(of(program)?.withValue);
  return words.findIndex((word, at) => !/^[-+]/.test(word) && !withValue.includes(words[at - 1] ?? ''));
}

/**
 * Whether the person or the folder may have defined the command, as an alias or as a program. Its effect is known only at
 * run time.
 */
export function mayBeDefined([program = '', ...rest]: readonly string[]): boolean {
  const known = of(program);
  if (known?.own === undefined) return false;
  const word = rest[subcommandAt(program, rest)];
  return word !== undefined && !namesOf(known).has(word);
}

/** Programs with several names, and programs that equal another program's subcommand. */
const SAME: readonly [RegExp, readonly string[]][] = [
  [/^npx$/, ['npm', 'exec']],
  [/^pnpx$/, ['pnpm', 'dlx']],
  [/^bunx$/, ['bun', 'x']],
  [/^yarnpkg$/, ['yarn']],
  [/^nodejs$/, ['node']],
  [/^pip[\d.]+$/, ['pip']],
  [/^python[\d.]+$/, ['python']],
  [/^apt-get$/, ['apt']],
  [/^gmake$/, ['make']],
  [/^bundler$/, ['bundle']],
];

/** The words with the program under one name, so that equal commands have equal words. */
export function sameCommand(words: readonly string[]): string[] {
  let at = 0;
  let program = programOf(words[at]);
  // `python -m pip install`
  while (program[0] === 'python') {
    let module = at + 1;
    while (words[module]?.startsWith('-') === true && words[module] !== '-m') module++;
    if (words[module] !== '-m') break;
    at = module + 1;
    program = programOf(words[at]);
  }
  const isContainer = /^(docker|podman)$/.test(program[0] ?? '') && words[at + 1] === 'container';
  return [...program, ...words.slice(at + (isContainer ? 2 : 1))];
}

/** The words that a program stands for by itself. */
export function programOf(word = ''): readonly string[] {
  // File systems may ignore case.
  const name = word.toLowerCase();
  const [, ofGit] = /^git-([a-z-]+)$/.exec(name) ?? [];
  if (ofGit !== undefined) return ['git', ofGit];
  return SAME.find(([pattern]) => pattern.test(name))?.[1] ?? [name];
}

/** Whether a program, by the name in `programOf`, may run some of its words as another command. */
export function mayRunOthers(program: string): boolean {
  const known = of(program);
  return program === 'python' || known?.runs !== undefined || known?.runsUnknown === true;
}

const SCRIPTS = /^(test|start|stop|restart)$/;

/** All forms of a package manager command that run the same script: `npm test`, `npm run test`. */
export function formsOf(words: readonly string[]): (readonly string[])[] {
  const [program = '', verb = '', ...rest] = words;
  if (!/^(npm|pnpm|yarn|bun)$/.test(program)) return [words];
  const subcommand = subcommandOf(program, verb) ?? verb;
  const [script = '', ...more] = rest;
  const isShort = program === 'pnpm' || program === 'yarn';
  if (subcommand === 'run' && script !== '' && (isShort || SCRIPTS.test(script)))
    return [words, [program, script, ...more]];
  const isScript = program !== 'bun' && SCRIPTS.test(subcommand);
  const mayBeScript = isShort && subcommand === verb && of(program)?.includes?.[verb] === undefined;
  if (isScript || (mayBeScript && verb !== '' && verb !== 'install'))
    return [words, [program, 'run', subcommand, ...rest]];
  return [words];
}

/**
 * The indexes of all words at which the inner command of a program that runs another one may begin. Indexes, because the
 * commands themselves would be as long in total as the square of their number.
 */
export function* innerStarts(words: readonly string[]): Generator<number, void> {
  const [program = ''] = words;
  const known = of(program);
  const runs = wordsOf(known?.runs);
  const runsUnknown = known?.runsUnknown === true;
  if (runs.length === 0 && !runsUnknown) return;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (runsUnknown && !word.startsWith('-')) yield at;
    if (!runs.some((name) => mayDo(program, word, name))) continue;
    for (let begin = at + 1; begin < words.length; begin++) yield begin;
    return;
  }
}

/** Whether the program of a command runs another one that is among its words. */
export const runsInner = (words: readonly string[]): boolean => innerStarts(words).next().done !== true;
