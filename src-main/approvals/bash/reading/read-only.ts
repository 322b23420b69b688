import { because, type Reason } from '../../../contract/shared/reasons';
import type { ShellWord } from '../parsing/words';
import { type AllowedOptions, parseOptions } from './options';

/** Recognizes a command that only reads. */
interface ReadOnly extends AllowedOptions {
  /** Which operands are files or folders. Default: none, so any words may appear. */
  paths?: 'all' | 'after-first' | 'none';
  /** Maximum operands. With more, the command means something else, such as an output file. */
  most?: number;
  /** Options whose value is a file to read. */
  fileOptions?: readonly string[];
  /** Every path must be a file, because links in a folder would be followed. */
  filesOnly?: boolean;
  /** Options that select the names to search. */
  picksNames?: readonly string[];
  /** Why an option with that value needs approval; null if it is harmless. */
  checkOption?: (name: string, value: string) => Reason | null;
  /** Checks all words of a command that has no options and operands in the usual sense. Returns the reason to ask. */
  checkWords?: (words: readonly ShellWord[]) => Reason | null;
  /** Checks what the options do not cover. Returns the reason to ask. */
  check?: (operands: readonly ShellWord[], words: readonly ShellWord[]) => Reason | null;
}

const only = (...flags: string[]): ReadOnly => ({
  checkWords: (words) =>
    words.length === 1 && flags.includes(words[0]?.value ?? '') ? null : because('only_version'),
});

/** Only program names, so that nothing is revealed about other files. */
const namesOnly = (operands: readonly ShellWord[]): Reason | null =>
  operands.every(({ value }) => /^[\w.+-]+$/.test(value)) ? null : because('names_a_file');

/** `1p`, `1,20p`, `$p`, several with `;`: prints lines and does nothing else. */
const PRINTS = /^(\d+|\$)(,(\d+|\$))?p(;(\d+|\$)(,(\d+|\$))?p)*$/;

const GREP: ReadOnly = {
  // Not `r`: it would search hidden files, where secrets are.
  flags: 'abcEFGhHiIlLnoPqsvwxzZ0',
  values: 'ABCemf',
  long: [
    'after-context=',
    'before-context=',
    'color',
    'color=',
    'context=',
    'count',
    'exclude-dir=',
    'exclude=',
    'extended-regexp',
    'files-with-matches',
    'files-without-match',
    'fixed-strings',
    'ignore-case',
    'include=',
    'invert-match',
    'line-number',
    'line-regexp',
    'max-count=',
    'no-filename',
    'no-messages',
    'only-matching',
    'perl-regexp',
    'quiet',
    'regexp=',
    'with-filename',
    'word-regexp',
  ],
  paths: 'after-first',
  fileOptions: ['f'],
};

/** Globs that select names with such extensions, at most below a folder. Any other glob could include hidden files. */
const PLAIN_GLOB = /^([\w-]+\/)*(\*\*\/)?\*\.(\w+|\{\w+(,\w+)*\})$/;
const SECRET_ENDING = /[.,{](env|pem|key|p12|pfx|jks|kdbx|keystore)\b/i;

const rgOption = (name: string, value: string): Reason | null => {
  if ((name !== 'g' && name !== 'glob') || value.startsWith('!')) return null;
  return PLAIN_GLOB.test(value) && !SECRET_ENDING.test(value) ? null : because('hidden_files_pattern');
};

/** Read-only predicates and actions of `find`. */
const FIND_TESTS = new Set(
  (
    '-a -and -o -or -not ! ( ) -print -print0 -prune -true -false -depth -daystart -mount -xdev -empty -readable ' +
    '-writable -executable -ls -noleaf -nouser -nogroup -P'
  ).split(' '),
);
const FIND_VALUES = new Set(
  (
    '-name -iname -path -ipath -wholename -regex -iregex -regextype -type -size -mtime -mmin -atime -amin -ctime ' +
    '-cmin -newer -maxdepth -mindepth -perm -user -group -links -inum'
  ).split(' '),
);

/** Commands that write nothing, run nothing and use no network, with the options that keep them read-only. */
const READ_ONLY: Readonly<Record<string, ReadOnly>> = {
  ls: {
    // Not `L` and `H`, which follow links.
    flags: 'aABcCdfFgGhiklmnNopqQrRsStuUvxX1Z',
    long: [
      'all',
      'almost-all',
      'color',
      'color=',
      'directory',
      'human-readable',
      'recursive',
      'reverse',
      'sort=',
      'time=',
      'full-time',
      'group-directories-first',
      'size',
      'inode',
    ],
    paths: 'all',
  },
  pwd: { flags: 'LP', most: 0 },
  echo: { checkWords: () => null },
  // `-v NAME` and `%n` set a variable that the next command may use.
  printf: {
    checkWords: (words) =>
      /^(?!-)([^%]|%%|%-?\d{0,3}s)*$/.test(words[0]?.value ?? '') ? null : because('can_set_variable'),
  },
  // Whatever comes after it does not run, which no verdict counts on.
  exit: { flags: '', most: 1 },
  ':': { checkWords: () => null },
  true: { most: 0 },
  false: { most: 0 },
  cat: { flags: 'AbeEnstTuv', long: ['number', 'show-all'], paths: 'all' },
  tac: { paths: 'all' },
  nl: { flags: 'p', values: 'bdfhilnsvw', paths: 'all' },
  head: { flags: 'qv0', values: 'nc', long: ['lines=', 'bytes=', 'quiet', 'verbose'], paths: 'all' },
  tail: { flags: 'qv0', values: 'nc', long: ['lines=', 'bytes=', 'quiet', 'verbose'], paths: 'all' },
  wc: { flags: 'clmLw', long: ['bytes', 'chars', 'lines', 'words', 'max-line-length'], paths: 'all' },
  cut: {
    flags: 'sz',
    values: 'bcdf',
    long: ['bytes=', 'characters=', 'delimiter=', 'fields=', 'complement'],
    paths: 'all',
  },
  sort: {
    flags: 'bcCdfghimMnrRsuVz',
    values: 'kt',
    long: ['reverse', 'numeric-sort', 'unique', 'key=', 'field-separator='],
    paths: 'all',
  },
  uniq: { flags: 'cdDiuz', values: 'fsw', long: ['count', 'repeated', 'unique'], paths: 'all', most: 1 },
  tr: { flags: 'cCdst', paths: 'none' },
  rev: { paths: 'all' },
  fold: { flags: 'bs', values: 'w', paths: 'all' },
  column: { flags: 't', values: 's', paths: 'all' },
  comm: { flags: '123', paths: 'all', most: 2 },
  cmp: { flags: 'bls', paths: 'all', most: 2 },
  diff: {
    flags: 'abBcdiqsuwyENTt',
    values: 'U',
    long: ['brief', 'unified', 'unified=', 'color', 'color=', 'stat'],
    paths: 'all',
    most: 2,
    filesOnly: true,
  },
  stat: { flags: 'ft', values: 'c', long: ['format=', 'printf=', 'terse'], paths: 'all' },
  // Not `z`, which runs decompression programs.
  file: { flags: 'bhikN0', long: ['brief', 'mime-type', 'mime'], paths: 'all' },
  du: {
    flags: 'abchHklmsSx0',
    values: 'd',
    long: ['max-depth=', 'human-readable', 'summarize', 'total'],
    paths: 'all',
  },
  basename: { flags: 'az', values: 's' },
  dirname: { flags: 'z' },
  realpath: { flags: 'emLPqsz', paths: 'all' },
  readlink: { flags: 'efmnqsvz', paths: 'all' },
  seq: { flags: 'w', values: 'fs' },
  md5sum: { flags: 'bt', paths: 'all' },
  sha1sum: { flags: 'bt', paths: 'all' },
  sha256sum: { flags: 'bt', paths: 'all' },
  date: {
    flags: 'uR',
    long: ['utc', 'iso-8601', 'iso-8601='],
    check: (operands) =>
      operands.every((operand) => operand.value.startsWith('+')) ? null : because('can_set_clock'),
  },
  uname: { flags: 'amnoprsv', most: 0 },
  whoami: { most: 0 },
  which: { flags: 'a', check: namesOnly },
  type: { flags: 'afptP', check: namesOnly },
  tree: {
    // Not `l`, which follows links, nor `R`, which writes a file into each folder.
    flags: 'adDfFghinNpqrsStuUvx',
    values: 'LIP',
    // In `-Io x y`, it takes `x` as the pattern and `y` as the output file.
    apart: true,
    long: ['dirsfirst', 'noreport', 'prune'],
    paths: 'all',
  },
  grep: GREP,
  // Not egrep and fgrep: these scripts run the first grep in the search path.
  rg: {
    // Not `L`, which follows links.
    flags: 'acFHiIlnNopPqsSUvVwx0',
    values: 'ABCegmTtdf',
    long: [
      'after-context=',
      'before-context=',
      'case-sensitive',
      'color=',
      'context=',
      'count',
      'count-matches',
      'files',
      'files-with-matches',
      'files-without-match',
      'fixed-strings',
      'glob=',
      'heading',
      'ignore-case',
      'invert-match',
      'line-number',
      'max-count=',
      'max-depth=',
      'multiline',
      'no-heading',
      'no-line-number',
      'only-matching',
      'regexp=',
      'smart-case',
      'sort=',
      'stats',
      'type=',
      'type-not=',
      'vimgrep',
      'with-filename',
      'word-regexp',
    ],
    paths: 'after-first',
    fileOptions: ['f'],
    picksNames: ['g', 'glob', 't', 'type'],
    checkOption: rgOption,
  },
  sed: {
    flags: 'nErsz',
    values: 'e',
    long: ['quiet', 'silent', 'regexp-extended'],
    paths: 'after-first',
    // Also if the value is in the same word as the option.
    checkOption: (name, value) => (name !== 'e' || PRINTS.test(value) ? null : because('script_can_change')),
    check: (operands, words) => {
      const scripts = scriptsOf(words);
      const all = scripts.length > 0 ? scripts : operands.slice(0, 1).map((operand) => operand.value);
      return all.length > 0 &&
        all.every((script) => PRINTS.test(script)) &&
        words.some((word) => /^-n/.test(word.value))
        ? null
        : because('script_can_change');
    },
  },
  node: only('--version', '-v'),
  git: only('--version'),
  // Not npm, which runs the first node in the search path. Not yarn, pnpm, go, cargo, rustc and python: the folder decides
  // which version runs or is downloaded.
};

const scriptsOf = (words: readonly ShellWord[]): string[] =>
  words.flatMap((word, index) => (word.value === '-e' ? [words[index + 1]?.value ?? ''] : []));

/** The options with which a known program only reads. None for other programs, or for those with a different syntax. */
export const optionsOf = (name: string): AllowedOptions | undefined =>
  Object.hasOwn(READ_ONLY, name) && READ_ONLY[name]?.checkWords === undefined ? READ_ONLY[name] : undefined;

/** The files that a command reads. */
export interface Reading {
  paths: ShellWord[];
  /** Each path must be a file. */
  filesOnly?: boolean;
  /** Options select the names to search, including hidden ones. */
  picksNames?: boolean;
}

/** `isGeneral`: the program itself is unknown. */
export type ReadOnlyVerdict = Reading | { reason: Reason; isGeneral?: true };

/** The files that a command reads, if it does nothing else; otherwise the reason to ask. */
export function readOnly(name: string, words: readonly ShellWord[]): ReadOnlyVerdict {
  if (name === 'find') return findPaths(words);
  const known = Object.hasOwn(READ_ONLY, name) ? READ_ONLY[name] : undefined;
  if (known === undefined) return { reason: because('can_change', { name }), isGeneral: true };
  if (known.checkWords !== undefined) {
    const reason = known.checkWords(words);
    return reason === null ? { paths: [] } : { reason };
  }
  const parsed = parseOptions(words, known);
  if ('unknown' in parsed) return { reason: because('option_not_reading', { name, option: parsed.unknown }) };
  const { operands, options } = parsed;
  if (known.most !== undefined && operands.length > known.most)
    return { reason: because('too_many_operands', { name }) };
  const problem = known.check?.(operands, words) ?? null;
  if (problem !== null) return { reason: problem };
  for (const { name: option, value } of options) {
    const off = known.checkOption?.(option, value?.value ?? '') ?? null;
    if (off !== null) return { reason: off };
  }
  const files = options.flatMap(({ name: option, value }) =>
    value !== null && known.fileOptions?.includes(option) === true ? [value] : [],
  );
  if (known.paths === 'all')
    return { paths: [...files, ...operands], ...(known.filesOnly === true ? { filesOnly: true } : {}) };
  if (known.paths !== 'after-first') return { paths: files };
  const hasPattern = options.some(
    ({ name: option }) => option === 'e' || option === 'regexp' || option === 'f' || option === 'files',
  );
  const picksNames = options.some(
    ({ name: option, value }) =>
      known.picksNames?.includes(option) === true && value?.value.startsWith('!') !== true,
  );
  return {
    paths: [...files, ...operands.slice(hasPattern ? 0 : 1)],
    ...(picksNames ? { picksNames: true } : {}),
  };
}

/** `find` takes operands first, then an expression with its own grammar. */
function findPaths(words: readonly ShellWord[]): ReadOnlyVerdict {
  const starts = words.findIndex(
    (word) => word.value.startsWith('-') || word.value === '!' || word.value === '(',
  );
  const paths = starts === -1 ? [...words] : words.slice(0, starts);
  const expression = starts === -1 ? [] : words.slice(starts);
  for (let at = 0; at < expression.length; at++) {
    const value = expression[at]?.value ?? '';
    if (FIND_VALUES.has(value)) {
      if (value === '-newer') paths.push(...expression.slice(at + 1, at + 2));
      at++;
    } else if (!FIND_TESTS.has(value)) return { reason: because('find_option', { option: value }) };
  }
  return { paths };
}
