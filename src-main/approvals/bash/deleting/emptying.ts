import type { FoundCommand } from '../commands/walk';
import { operandsOf, type ShellWord } from '../parsing/words';

/**
 * The files that a command leaves without content, as far as its words show it: by a script that prints nothing in place, by
 * a copy of the empty device, or by a redirection of nothing. Null if it empties none.
 */
export function emptiedBy(found: FoundCommand): ShellWord[] | null {
  const { name, rest } = found;
  const words = byProgram(name.replace(/^g(?=sed$|cp$|tee$)/, ''), rest, found);
  const redirected = printsNothing(found) ? targetsOf(found) : [];
  const emptied = [...(words ?? []), ...redirected];
  return words === null && redirected.length === 0 ? null : emptied;
}

function byProgram(name: string, rest: readonly ShellWord[], found: FoundCommand): ShellWord[] | null {
  const values = rest.map(({ value }) => value);
  const operands = operandsOf(rest);
  const has = (option: RegExp) => values.some((value) => option.test(value));
  switch (name) {
    case 'sed': {
      if (!has(/^-[Enrsuz]*i|^--in-p/)) return null;
      const { scripts, files } = scriptOf(rest, operands, /^-[Enrsuzi]*e$|^--expression$/);
      const isQuiet = has(/^-[Ersuz]*n|^--(quiet|silent)$/);
      return scripts.length > 0 && scripts.every((script) => sedPrintsNothing(script, isQuiet))
        ? files
        : null;
    }
    case 'perl':
    case 'ruby': {
      if (!has(/^-[acFlnpsw0-7]*i/)) return null;
      const { scripts, files } = scriptOf(rest, operands, /^-\w*[eE]$/);
      const isQuiet = !has(/^-[aciFlsw0-7]*p/);
      const isEmpty = (code: string) =>
        isQuiet ? !/print|say|puts|\bp\b|write|<</.test(code) : CLEARS.test(code);
      return scripts.length > 0 && scripts.every(isEmpty) ? files : null;
    }
    case 'awk':
    case 'gawk': {
      const at = values.indexOf('inplace');
      if (at === -1 || !/^(-i|--include)$/.test(values[at - 1] ?? '')) return null;
      const [script, ...files] = operands.filter(({ value }) => value !== 'inplace');
      return AWK_NOTHING.test(script?.value ?? 'print') ? files : null;
    }
    case 'cp':
    case 'install':
    case 'ln':
      if (name === 'ln' && !has(/^-\w*f|^--force/)) return null;
      return operands.some(({ value }) => EMPTY_DEVICE.test(value)) ? operands.slice(1) : null;
    case 'dd': {
      if (!has(/^if=\/dev\/(null|zero|u?random)$/)) return null;
      return rest
        .filter(({ value }) => value.startsWith('of='))
        .map((word) => ({
          ...word,
          value: word.value.slice(3),
          text: word.text.replace(/^(['"]?)of=/, '$1'),
        }));
    }
    case 'tee':
      // One content for files that only the disk knows.
      return has(/^-\w*a|^--ap/) ? null : several(operands);
    case 'ed':
      return found.typed.some((text) => /^\s*([,%]|1,\$)\s*d\b/m.test(text)) ? operands : null;
    case 'fallocate':
      return has(/^-\w*[cpz]|^--(coll|punch|zero)/) ? operands.slice(-1) : null;
    default:
      return null;
  }
}

const EMPTY_DEVICE = /^\/dev\/(null|zero)$/;
/** Perl and Ruby that leave nothing of the line, in code that prints it afterwards. */
const CLEARS =
  /^\s*(undef\s*\$_|\$_\s*=\s*(""|''|undef|nil|q\(\))|s(\W)\.[*+]\3\3[gs]*|\$_\.(clear|replace\(["']{2}\)))\s*;?\s*$/;
/** An AWK program without a pattern that is true and an action that prints. */
const AWK_NOTHING = /^\s*(0|""|[^{}]*\{(?![^}]*print)[^}]*\})?\s*$/;

const ADDRESS = /\/(\\.|[^/\\])*\//g;
/** A `sed` script that prints no line. `isQuiet`: with `-n`. */
const sedPrintsNothing = (script: string, isQuiet: boolean): boolean =>
  isQuiet
    ? !/[acilprPw=]/.test(script.replaceAll(ADDRESS, ''))
    : /^\s*((1,\$)?\s*[dDQ]|s(\W)\.[*+]\3\3g?)\s*;?\s*$/.test(script);

/** The scripts among the words of `sed` and its like, and the files. */
function scriptOf(
  rest: readonly ShellWord[],
  operands: readonly ShellWord[],
  option: RegExp,
): { scripts: string[]; files: ShellWord[] } {
  const given = rest.filter((_, at) => option.test(rest[at - 1]?.value ?? ''));
  const [first, ...others] = operands;
  if (given.length === 0) return { scripts: first === undefined ? [] : [first.value], files: others };
  return {
    scripts: given.map(({ value }) => value),
    files: operands.filter((word) => !given.includes(word)),
  };
}

/** Words that stand for more than one file: a pattern, or what `find` adds. */
function several(words: readonly ShellWord[]): ShellWord[] | null {
  const found = words.filter(({ text, literal }) => !literal && (/[*?[]/.test(text) || text.includes('{}')));
  return found.length === 0 ? null : found;
}

/** Whether nothing reaches its output. */
function printsNothing({ name, rest, isCompound }: FoundCommand): boolean {
  const values = rest.map(({ value }) => value);
  switch (name) {
    case '':
      return isCompound !== true;
    case ':':
    case 'true':
      return true;
    case 'cat':
      return values.length > 0 && values.every((value) => value === '/dev/null');
    case 'echo':
      return values.every((value) => value === '-n' || value === '');
    case 'printf':
      return values.length === 1 && values[0] === '';
    default:
      return false;
  }
}

/** The files that its output replaces. */
const targetsOf = ({ redirects }: FoundCommand): ShellWord[] =>
  redirects.flatMap(({ operator, target, isDescriptor }) =>
    /^(>|>\||&>)$/.test(operator) &&
    !isDescriptor &&
    target !== null &&
    !/^([<>]\(|\/dev\/)/.test(target.text)
      ? [target]
      : [],
  );
