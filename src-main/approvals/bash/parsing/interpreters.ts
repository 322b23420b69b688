import { SHELLS } from './wrappers';

/** How an interpreter reads the words before its script. */
interface Interpreter {
  names: RegExp;
  /** Options without a value in the next word. */
  flags?: RegExp;
  /** Options with their value in the next word. */
  values?: RegExp;
  /** Options whose code runs instead of a script, in the next word. */
  code?: RegExp;
  /** The same, with the code in the same word: `-ne'print'`. */
  joinedCode?: RegExp;
}

/** Node.js options that name a file to run before the script. */
export const NODE_LOADS = /^(-r|--require|--import|--loader|--experimental-loader|--preload)$/;

const SHELL: Interpreter = {
  names: new RegExp(`^(${[...SHELLS].join('|')}|source|\\.)$`),
  flags:
    /^[-+][abefhiklmnprstuvxBCDEHPT]+$|^--(login|norc|noprofile|noediting|posix|restricted|verbose|no-config)$/,
  values: /^[-+][abefhiklmnprstuvxBCDEHPT]*[oO]$/,
  code: /^-[a-zBCEHPT]*c$/,
};

const LANGUAGES: readonly Interpreter[] = [
  {
    names: /^(python|pypy)[\d.]*$/,
    flags: /^-[bBdEhiIOPqRsSuvVx?]+$/,
    values: /^-[bBdEhiIOPqRsSuvVx]*[WX]$/,
    code: /^-[bBdEhiIOPqRsSuvVx]*c$/,
    joinedCode: /^-[bBdEhiIOPqRsSuvVx]*c./s,
  },
  {
    names: /^(node|nodejs|tsx|ts-node(-esm)?)$/,
    flags:
      /^-[ci]$|^--(no-[\w-]+|inspect(-brk|-wait)?|test|watch|check|interactive|expose-gc|enable-source-maps|preserve-symlinks(-main)?|trace-(warnings|deprecation|uncaught|exit)|experimental-(strip-types|transform-types|vm-modules|wasm-modules|sqlite))$/,
    values: NODE_LOADS,
    code: /^(-e|-p|-pe|--eval|--print)$/,
  },
  {
    names: /^(deno|bun)$/,
    flags:
      /^-[Aqr]$|^--(allow|deny|no|unstable)-[\w-]+$|^--(quiet|reload|cached-only|watch|hot|smol|bun|silent)$/,
    values: NODE_LOADS,
    code: /^(-e|-p|--eval|--print)$/,
  },
  {
    names: /^perl[\d.]*$/,
    flags: /^-[acfnpsStTuUvwWX]+$|^-[0CFiIlmMxDV]./,
    code: /^-[alnpsw]*[eE]$/,
    joinedCode: /^-[alnpsw]*[eE]./s,
  },
  {
    names: /^ruby[\d.]*$/,
    flags: /^-[acdlnpsSvwy]+$|^-[0CEFiIKrWxT]./,
    code: /^-[alnpsw]*e$/,
    joinedCode: /^-[alnpsw]*e./s,
  },
  { names: /^php[\d.]*$/, flags: /^-[nqse]+$|^-[dcz]./, code: /^-[rRBE]$/, joinedCode: /^-[rRBE]./s },
  // Lua also runs the script after `-e`.
  {
    names:
      /^(lua[\d.]*|luajit|tclsh[\d.]*|wish|expect|guile|julia|Rscript|raku|pwsh|powershell|osascript|groovy|elixir|iex|erl|escript|scala|scala-cli|amm|kotlin|kotlinc|clojure|clj|bb|jshell|runghc|ghc|ghci|R|ocaml|swift|crystal|racket|sbcl|octave|nim|irb|psysh|psh)$/,
  },
];

const languageOf = (name: string): Interpreter | undefined => LANGUAGES.find(({ names }) => names.test(name));

const interpreterOf = (name: string): Interpreter | undefined =>
  SHELL.names.test(name) ? SHELL : languageOf(name);

/** Whether a program runs scripts: a shell, or the interpreter of a language. */
export const isInterpreter = (name: string): boolean => interpreterOf(name) !== undefined;

/** The same without shells. */
export const isLanguage = (name: string): boolean => languageOf(name) !== undefined;

/** Whether all options with which the interpreter of a language takes code are known. */
export const hasKnownCodeOptions = (name: string): boolean => languageOf(name)?.code !== undefined;

/** Whether a word gives an interpreter the code to run, so that it runs neither a script nor its input. */
export function isCodeOption(name: string, word: string): boolean {
  const { code, joinedCode } = interpreterOf(name) ?? {};
  return code?.test(word) === true || joinedCode?.test(word) === true;
}

/**
 * The word that names an interpreter's script, and each word before it that may be the value of an unknown option instead.
 * Empty if it runs none, and for other programs.
 */
export function scriptWords(name: string, words: readonly string[]): string[] {
  const interpreter = interpreterOf(name);
  if (interpreter === undefined) return [];
  const { flags, values } = interpreter;
  const found: string[] = [];
  for (const [at, word] of words.entries()) {
    const before = words[at - 1] ?? '';
    const isOption = (one: string) => /^[-+]./.test(one) && one !== '--';
    if (before !== '--') {
      if (isCodeOption(name, word)) return [];
      if (isOption(word) || word === '--' || values?.test(before) === true) continue;
    }
    found.push(word);
    if (!isOption(before) || before.includes('=') || flags?.test(before) === true) break;
  }
  return found;
}
