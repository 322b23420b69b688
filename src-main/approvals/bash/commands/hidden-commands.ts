import { type Command, forEachChild, type SyntaxNode, type WordPart } from 'unbash';
import { scriptWords } from '../parsing/interpreters';
import { readStrictly } from '../parsing/strict';
import { printedText } from '../parsing/variables';
import { type ShellWord, shellWord } from '../parsing/words';
import { innerOf, SHELLS } from '../parsing/wrappers';

/** Maximum number of hidden texts read from one line or command, and the maximum length of each. */
export const MAX_HIDDEN = 20;
const MAX_HIDDEN_LENGTH = 500;

/**
 * Returns the text behind each opening that the parser did not see as a substitution. Bash may run that text: `$[…]` is
 * arithmetic to Bash and a word to the parser, and `1>(…)` is a command to Bash and a word to the parser.
 */
export function hiddenIn(source: string, substitutions: number): string[] {
  const written = source.match(/[<>]\(/g)?.length ?? 0;
  if (written <= substitutions && !source.includes('$[')) return [];
  if (readStrictly(source) !== null) return [];
  return [...source.matchAll(/[<>$]\(|`/g)]
    .slice(0, MAX_HIDDEN)
    .map((found) => source.slice(found.index + found[0].length).slice(0, MAX_HIDDEN_LENGTH));
}

/** Builtins that read words as names of variables, as arithmetic or as text to expand. */
const EVALUATES =
  /^(test|\[|read|unset|declare|typeset|local|export|readonly|let|wait|getopts|mapfile|readarray|compgen|complete)$/;

/**
 * The commands that Bash runs in quoted text, because it expands a name or a number once more: `a[$(…)]` in `[ -v 'a[$(…)]' ]`,
 * `[[ 'a[$(…)]' -eq 0 ]]` and `((a['$(…)']))`; and in values of variables, which later commands may use in that way.
 */
export function evaluatedIn(node: SyntaxNode): string[] {
  switch (node.type) {
    case 'Command': {
      const words = [node.name, ...node.args].flatMap((word) => (word?.type === 'Word' ? [word] : []));
      const [name = '', first] = words
        .map(({ value }) => value)
        .filter((value, at) => at > 1 || !/^(command|builtin)$/.test(value));
      const evaluates = EVALUATES.test(name) || (name === 'printf' && first?.startsWith('-v') === true);
      return (evaluates ? words : []).flatMap(quotedCommands);
    }
    case 'Assignment':
    case 'TestCommand':
    case 'ArithmeticCommand':
    case 'ArithmeticExpansion':
      return wordsBelow(node).flatMap(quotedCommands);
    default:
      return [];
  }
}

interface Word {
  value: string;
  parts?: readonly WordPart[] | undefined;
}

/** The words in an expression. */
function wordsBelow(node: SyntaxNode): Word[] {
  const words: Word[] = [];
  forEachChild(node, (child) => {
    if (child.type === 'Word') words.push(child);
    else if (child.type === 'ArithmeticWord') words.push({ value: child.value, parts: child.parts });
    else words.push(...wordsBelow(child));
  });
  return words;
}

/** The text behind each opening of a command in the quoted parts of a word. */
function quotedCommands({ value, parts }: Word): string[] {
  const texts = parts === undefined ? [value] : parts.flatMap(literalTexts);
  return texts.flatMap((text) =>
    [...text.matchAll(/\$\(|`/g)].map((found) =>
      text.slice(found.index + found[0].length).slice(0, MAX_HIDDEN_LENGTH),
    ),
  );
}

function literalTexts(part: WordPart): string[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [part.value];
    case 'DoubleQuoted':
      return part.parts.flatMap(literalTexts);
    default:
      return [];
  }
}

/**
 * The lines that a shell reads as its input, as far as they are in the text: here-documents, here-strings, and what `echo` and
 * `printf` pass on.
 */
export function inputOfShells(node: SyntaxNode): string[] {
  if (node.type === 'Command') {
    const words = wordsOf(node);
    return [...(readsInput(words) ? hereTexts(node) : []), ...scriptTexts(words)];
  }
  if (node.type !== 'Pipeline') return [];
  const commands = node.commands.map((one) => (one.type === 'Command' ? one : null));
  const last = commands.findLastIndex((one) => one !== null && readsInput(wordsOf(one)));
  return commands
    .slice(0, Math.max(0, last))
    .flatMap((one) => (one === null ? [] : [...hereTexts(one), ...printed(wordsOf(one))]));
}

export const wordsOf = ({ name, args }: Command): ShellWord[] =>
  [name, ...args].flatMap((word) => (word?.type === 'Word' ? [shellWord(word)] : []));

/** Whether a command is a shell without a line or a script of its own, also if another program runs it. */
function readsInput([first, ...rest]: readonly ShellWord[]): boolean {
  const name = first?.value.split('/').at(-1) ?? '';
  const inner = first === undefined ? null : innerOf(name, rest);
  if (inner !== null) return 'words' in inner && readsInput(inner.words);
  const values = rest.map(({ value }) => value);
  if (name === 'ssh') return values.length === 1;
  if (/^(at|batch)$/.test(name)) return true;
  const [script] = scriptWords(SHELLS.has(name) ? name : 'sh', values);
  return (
    (SHELLS.has(name) && (script === undefined || values.includes('-s'))) ||
    (/^(source|\.)$/.test(name) || SHELLS.has(name) ? /^(-|\/dev\/(stdin|fd\/0))$/.test(script ?? '') : false)
  );
}

/** `bash <(echo x)`, `source <(printf x)`. */
function scriptTexts(words: readonly ShellWord[]): string[] {
  const isShell = words.some(({ value }) => /^(source|\.)$/.test(value) || SHELLS.has(bareName(value)));
  return isShell ? words.flatMap(({ text }) => substituted(text)) : [];
}

const substituted = (text: string): string[] => {
  const printed = /^<\(\s?(?:echo|printf)\s([^()`$]*)\)$/s.exec(text)?.[1];
  return printed === undefined ? [] : [printedText(printed.replaceAll('\\n', '\n'))];
};

const bareName = (program: string) => program.split('/').at(-1) ?? '';

export const hereTexts = ({ redirects }: Command): string[] =>
  redirects.flatMap((redirect) => {
    if (redirect.type === 'HereDoc') return [redirect.body?.text ?? ''];
    if (redirect.type === 'HereString') return [redirect.target?.value ?? ''];
    return substituted(redirect.target?.text ?? '');
  });

export const printed = ([first, ...rest]: readonly ShellWord[]): string[] =>
  /^(.*\/)?(echo|printf)$/.test(first?.value ?? '')
    ? [rest.map(({ value }) => value.replaceAll('\\n', '\n')).join(' ')]
    : [];
