import { because, type Reason } from '../../../contract/shared/reasons';
import { type AllowedOptions, parseOptions } from './options';
import { optionsOf } from './read-only';

const COLOR = ['color', 'color=', 'no-color'];
const LOG: AllowedOptions = {
  flags: 'pswb0',
  values: 'nSGLU',
  long: [
    ...COLOR,
    ...'oneline stat graph all decorate follow name-only name-status merges no-merges reverse patch abbrev-commit'.split(
      ' ',
    ),
    ...'first-parent shortstat numstat no-ext-diff no-textconv decorate= author= since= until= grep= max-count='.split(
      ' ',
    ),
    ...'format= pretty= date= unified='.split(' '),
  ],
};

const GIT: Readonly<Record<string, AllowedOptions>> = {
  status: {
    flags: 'sbvz',
    long: 'short branch porcelain porcelain= long verbose ignored show-stash untracked-files untracked-files='.split(
      ' ',
    ),
  },
  diff: {
    flags: 'pusbwz',
    values: 'U',
    long: [
      ...COLOR,
      ...'stat numstat shortstat summary name-only name-status cached staged word-diff ignore-all-space quiet check'.split(
        ' ',
      ),
      ...'ignore-space-change patch exit-code merge-base no-ext-diff no-textconv unified='.split(' '),
    ],
  },
  log: LOG,
  show: LOG,
  blame: { flags: 'wlsetf', values: 'L' },
  branch: {
    flags: 'arv',
    long: 'all remotes list verbose show-current contains= merged= no-merged= sort='.split(' '),
  },
  tag: { flags: 'l', long: 'list contains= sort='.split(' ') },
  add: { flags: 'Auvn', long: 'all update verbose dry-run intent-to-add'.split(' ') },
  commit: { flags: 'aqv', values: 'm', long: 'all message= quiet verbose allow-empty signoff'.split(' ') },
  stash: { flags: 'uq', values: 'm', long: 'message= quiet include-untracked'.split(' ') },
  fetch: { flags: 'apqtv', long: 'all prune tags quiet verbose dry-run'.split(' ') },
  'rev-parse': { long: 'abbrev-ref short show-toplevel verify git-dir is-inside-work-tree'.split(' ') },
  describe: { long: 'tags always dirty long all'.split(' ') },
  'ls-files': { flags: 'cdmoszt', long: 'cached deleted modified others stage exclude-standard'.split(' ') },
  shortlog: { flags: 'snec' },
};

/** Options that all checkers and test runners share. Their `reporter` may only be a name, never a file. */
const TESTS: AllowedOptions = {
  flags: 'vqxis',
  values: 'tkm',
  // To vitest, jest and mocha, `-tc=x` is `-t -c=x`.
  apart: true,
  long: [
    ...COLOR,
    ...'bail run watch coverage verbose silent quiet ci runInBand passWithNoTests changed lf ff headless'.split(
      ' ',
    ),
    ...'no-coverage no-watch collect-only strict bail= watch= coverage= testNamePattern= grep= reporter='.split(
      ' ',
    ),
    ...'maxWorkers= workers= shard= retry= timeout= maxfail= tb= durations= max-warnings='.split(' '),
  ],
};
/** Built-in reporters. Any other name may be a file in the folder. */
const REPORTERS =
  /^(basic|blob|default|dot|doc|github-actions|hanging-process|html|json|json-stream|junit|landing|line|list|markdown|min|minimal|nyan|progress|silent|spec|summary|tap|tap-flat|tree|verbose|xunit)$/;
/** Their options with any text as a value. */
const FREE = new Set([
  't',
  'k',
  'testNamePattern',
  'grep',
  'm',
  'message',
  'author',
  'since',
  'until',
  'S',
  'G',
]);

const PROGRAMS: Readonly<Record<string, AllowedOptions>> = {
  npm: { flags: 's', long: 'silent quiet if-present all json long depth='.split(' ') },
  pnpm: TESTS,
  yarn: TESTS,
  vitest: TESTS,
  jest: TESTS,
  mocha: TESTS,
  ava: TESTS,
  pytest: TESTS,
  phpunit: {},
  cargo: {
    flags: 'qvr',
    values: 'pj',
    long: [
      ...'release all workspace all-targets all-features no-default-features lib bins tests examples quiet verbose'.split(
        ' ',
      ),
      ...'locked offline frozen no-run no-fail-fast check package= features= bin= test= example= jobs='.split(
        ' ',
      ),
    ],
  },
  tsc: { long: 'noEmit pretty skipLibCheck strict listFiles'.split(' ') },
  eslint: { long: [...COLOR, 'quiet', 'max-warnings=', 'ext='] },
  prettier: { flags: 'cl', long: ['check', 'list-different'] },
  mypy: { long: ['strict', 'pretty', 'ignore-missing-imports'] },
  ruff: { long: ['quiet', 'statistics', 'no-cache'] },
  black: { flags: 'q', long: ['check', 'diff', 'quiet'] },
  dotnet: { values: 'cv', apart: true, long: ['no-restore', 'no-build', 'nologo'] },
  mkdir: { flags: 'pv', long: ['parents', 'verbose'] },
  touch: { flags: 'c', long: ['no-create'] },
};
/** Go has its own option syntax. */
const GO = /^-(v|race|short|cover|failfast|json|m|(run|count|timeout|bench|cpu|parallel)=[\w.^$|/]+)$/;

/** Programs where a script receives the words after `--`. */
const RUNS_SCRIPT = /^(npm|pnpm|yarn)$/;
const STASHES = /^(push|list|show|apply|pop)$/;

/**
 * Why options after the words of a rule exclude the command from it; null if all of them are known to be harmless. Programs
 * differ in how they read abbreviated, attached and clustered options, so each has a closed list. An unknown program has
 * none.
 */
export function turningOption(words: readonly string[], from: number): Reason | null {
  const [name = '', command = ''] = words;
  const extra = words.slice(from);
  if (name === 'git' && command === 'stash' && !STASHES.test(extra[0] ?? 'push'))
    return because('not_stash', { command: extra[0] ?? '' });
  const known = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : optionsOf(name);
  if (name === 'go') {
    const unknown = extra.find((word) => word.startsWith('-') && !GO.test(word));
    return unknown === undefined ? turningOperand(words, extra) : because('turns_command', { text: unknown });
  }
  const end = extra.indexOf('--');
  const before = end === -1 ? extra : extra.slice(0, end);
  const after = end === -1 ? [] : extra.slice(end + 1);
  const own = name === 'git' ? GIT[command] : known;
  return unknownIn(words, before, own ?? {}) ?? unknownIn(words, after, RUNS_SCRIPT.test(name) ? TESTS : {});
}

/** Words that, among a program's files, name another command of it or turn an option off. */
const OTHER_COMMAND: Readonly<Record<string, RegExp>> = {
  vitest: /^(init|bench|dev|watch|typecheck)$/,
  mocha: /^(init|inspect)$/,
  biome: /^(init|start|stop|migrate|upgrade|clean|rage|lsp-proxy|search|explain)$/,
  ruff: /^(format|clean|server|config|analyze|linter|rule|generate-shell-completion)$/,
  tsc: /^(true|false|null|undefined)$/i,
};
/** Enough for JSON and YAML filters to pick values, but not for calls, which read other files and the environment. */
const FILTER = /^[\w\s.[\]"|,-]*$/;
/** A word that any unknown program can only read as a file. */
const FILE = /^(\.\/)?\w[\w./-]*$/;
/** Programs that run their operands as tasks or programs. */
const RUNS_OPERANDS =
  /^(task|go-task|gulp|grunt|ant|invoke|inv|nox|phing|lein|mage|bazel|bazelisk|buck2?|pants|nx|turbo|lerna|rush|moon|jake|fab|doit|waf|scons|xmake|mill|poe|rails|mix|artisan|cross-env|cross-env-shell|dotenv|dotenvx|wireit|npm-run-all|run-s|run-p|tox)$/;
const RUNS_NEXT = /^(run|exec|x|dlx|shell|script|do|eval|develop|each|tool|runner|with)$/;

/** Whether nothing is known of a program: neither its options nor its subcommands. */
export const isUnknownProgram = (name: string): boolean =>
  name !== 'git' && name !== 'go' && !Object.hasOwn(PROGRAMS, name) && optionsOf(name) === undefined;

/** Whether a program may run what it reads as its standard input, as `sqlite3` and a script of `npm run` do. */
export const mayRunInput = (name: string): boolean => isUnknownProgram(name) || RUNS_SCRIPT.test(name);

/** Git commands that run no hook, and programs without options in the list that only reads. */
const RUNS_NOTHING =
  /^(git (status|diff|log|show|blame|rev-parse|describe|ls-files|shortlog)|mkdir|touch)( |$)/;

/** Whether a command may run files of the project, as test runners and git's hooks do. */
export const mayRunFiles = (words: readonly string[]): boolean =>
  optionsOf(words[0] ?? '') === undefined && !RUNS_NOTHING.test(words.join(' '));

/** Why an operand excludes a command from its rule: it is more than one of the files that the command works on. */
function turningOperand(words: readonly string[], operands: readonly string[]): Reason | null {
  const [name = '', command = ''] = words;
  const [operand] = operands;
  if (operand === undefined) return null;
  const isUnknown = isUnknownProgram(name);
  if (isUnknown && (RUNS_OPERANDS.test(name) || RUNS_NEXT.test(command)))
    return because('runs_operand', { name, text: operand });
  const other = Object.hasOwn(OTHER_COMMAND, name) ? OTHER_COMMAND[name] : undefined;
  const turning = operands.find(
    (value) =>
      // Option files, as many programs read them.
      (value.startsWith('@') && !/^(npm|pnpm|yarn) (ls|list|outdated)$/.test(`${name} ${command}`)) ||
      // Refspecs, files in other commits, and patterns.
      (name === 'git' && value.includes(':')) ||
      other?.test(value) === true ||
      // `npm audit fix`
      (RUNS_SCRIPT.test(name) && command === 'audit') ||
      (/^[jy]q$/.test(name) ? !FILTER.test(value) : isUnknown && !FILE.test(value)),
  );
  return turning === undefined ? null : because('turns_command', { text: turning });
}

/** `options`: those of `words` after the rule's own that belong to one program. */
function unknownIn(
  words: readonly string[],
  options: readonly string[],
  allowed: AllowedOptions,
): Reason | null {
  const parsed = parseOptions(options.map(wordOf), allowed);
  if ('unknown' in parsed) return because('turns_command', { text: parsed.unknown });
  const { operands } = parsed;
  for (const { name, value } of parsed.options) {
    if (value === null) continue;
    // Many programs read it as another option: because the value is optional, or because no value may begin like that.
    if (value.value.startsWith('-')) return because('turns_command', { text: value.value });
    if (FREE.has(name)) continue;
    if (!(name === 'reporter' ? REPORTERS : /^[\w.,:%+ -]*$/).test(value.value))
      return because('may_hold_options', { text: value.value });
    // `git show --pretty x`: git takes an optional value only from the same word.
    const isNextWord = value.text === value.value;
    if (isNextWord && name.length > 1) operands.push(value);
  }
  return turningOperand(
    words,
    operands.map(({ value }) => value),
  );
}

const wordOf = (value: string) => ({ text: value, value, literal: true, bare: true });
