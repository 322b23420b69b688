import { posix } from 'node:path';
import {
  type AndOr,
  type Command,
  forEachChild,
  type If,
  type Script,
  type Statement,
  type SyntaxNode,
} from 'unbash';
import { type ShellWord, shellWord } from '../parsing/words';

/** The arguments of every `cd` in order, from the line's start; null if one is unknown. */
export type Moves = readonly string[] | null;

/** Maximum number of `cd`s to follow. */
const MAX_MOVES = 20;

/** Variables that affect `cd`. */
const DECIDES = /^(CDPATH|HOME|PWD|OLDPWD)(=|$)/;

/**
 * Finds the directory of each command of a line. A `cd` to a literal place is followed through lists, groups and conditions,
 * and is assumed to succeed; callers that need certainty check whether the folder exists. The directory is unknown if it
 * depends on a command's exit status, a loop or a variable.
 */
export function directoriesOf(script: Script): Map<SyntaxNode, Moves> {
  const walk = new Walk();
  walk.list(script.commands, []);
  return walk.found;
}

/** Walks the statements of one line, tracking the directory before and after each. */
class Walk {
  readonly found = new Map<SyntaxNode, Moves>();
  /** Functions that change the caller's directory. */
  private readonly movers = new Set<string>();

  list(statements: readonly Statement[], start: Moves): Moves {
    let at = start;
    for (const { command, background } of statements) {
      const after = this.run(command, at);
      if (background !== true) at = after;
    }
    return at;
  }

  /** Commands in the words of a node, which run in their own shells. */
  private nested(node: SyntaxNode, at: Moves): void {
    forEachChild(node, (child) => {
      if (child.type === 'Script') this.list(child.commands, at);
      else if (child.type === 'CompoundList') this.list(child.commands, at);
      else this.nested(child, at);
    });
  }

  private run(node: SyntaxNode, at: Moves): Moves {
    switch (node.type) {
      case 'Command':
        this.found.set(node, at);
        this.nested(node, at);
        return this.after(node, at);
      case 'Pipeline': {
        const [only, ...others] = node.commands;
        if (only !== undefined && others.length === 0) return this.run(only, at);
        for (const command of node.commands) this.run(command, at);
        return at;
      }
      case 'AndOr':
        return this.chain(node, at);
      case 'Redirected': {
        this.found.set(node, at);
        for (const redirect of node.redirects) this.nested(redirect, at);
        return this.run(node.command, at);
      }
      case 'BraceGroup':
        return this.list(node.body.commands, at);
      case 'If':
        return this.branches(node, at);
      case 'For':
      case 'Select':
      case 'While':
      case 'ArithmeticFor': {
        // The second iteration starts where the first one ended.
        const isMoving = moves(node);
        this.nested(node, isMoving ? null : at);
        return isMoving ? null : at;
      }
      case 'Case': {
        this.nested(node.word, at);
        return either(at, ...node.items.map((item) => this.list(item.body.commands, at)));
      }
      case 'Function':
        if (moves(node)) this.movers.add(node.name.text);
        // A function runs in the directory of its caller.
        this.nested(node, null);
        return at;
      default:
        // Subshells and the like do not change the directory.
        this.nested(node, at);
        return at;
    }
  }

  private branches(node: If, at: Moves): Moves {
    let clause = this.list(node.clause.commands, at);
    const ends = [this.list(node.then.commands, clause)];
    for (const branch of node.elif) {
      clause = this.list(branch.clause.commands, clause);
      ends.push(this.list(branch.then.commands, clause));
    }
    ends.push(node.else === undefined ? clause : this.list(node.else.commands, clause));
    return either(...ends);
  }

  private chain({ commands, operators }: AndOr, start: Moves): Moves {
    let succeeded = start;
    let failed = start;
    for (const [index, command] of commands.entries()) {
      const isElse = operators[index - 1] === '||';
      const from = isElse ? failed : succeeded;
      const to = this.run(command, from);
      const whereFailed = isMove(command) ? from : to;
      // A `cd` is assumed to succeed, so that whatever follows `cd x || exit` runs in `x`.
      if (!isElse) succeeded = to;
      else if (isMove(command)) succeeded = either(succeeded, to);
      failed = index === 0 ? whereFailed : either(failed, whereFailed);
    }
    // A `cd` after any other command may not be reached.
    const before = commands.slice(0, commands.findLastIndex(isMove) + 1);
    return before.every(isMove) ? succeeded : either(start, succeeded);
  }

  /** The directory after a simple command. */
  private after(command: Command, at: Moves): Moves {
    for (const part of command.prefix) if (part.type === 'Assignment' && DECIDES.test(part.name)) return null;
    if (command.name === undefined) return at;
    const words = [
      shellWord(command.name),
      ...command.args.flatMap((arg) => (arg.type === 'Word' ? [shellWord(arg)] : [])),
    ];
    const [first, ...rest] = withoutPrefix(words);
    if (first === undefined) return at;
    if (!first.literal || this.movers.has(first.value)) return null;
    if (/^(export|declare|typeset|local|readonly|read|unset)$/.test(first.value))
      return command.args.some((arg) => DECIDES.test(arg.text)) ? null : at;
    if (/^(eval|source|\.|popd|alias)$/.test(first.value)) return null;
    if (!/^(cd|chdir|pushd)$/.test(first.value)) return at;
    if (this.movers.has('cd')) return null;
    const to = destination(first.value, rest);
    if (to === null) return null;
    if (/^[/~]/.test(to)) return [to];
    return at === null || at.length >= MAX_MOVES ? null : [...at, to];
  }
}

/** The common directory of all branches; null if they lead to different ones. */
function either(...all: Moves[]): Moves {
  const [first = null] = all;
  return all.every((moves) => moves?.join('\0') === first?.join('\0')) ? first : null;
}

/** `command` and `builtin` run the following words in this shell. */
function withoutPrefix(words: readonly ShellWord[]): readonly ShellWord[] {
  let at = 0;
  while (/^(command|builtin)$/.test(words[at]?.value ?? '')) at++;
  return words.slice(at);
}

function isMove(command: SyntaxNode): boolean {
  if (command.type !== 'Command' || command.name === undefined) return false;
  const words = command.args.flatMap((arg) => (arg.type === 'Word' ? [shellWord(arg)] : []));
  const [first] = withoutPrefix([shellWord(command.name), ...words]);
  return /^(cd|chdir|pushd)$/.test(first?.value ?? '');
}

const moving = new WeakMap<SyntaxNode, boolean>();

/** Whether anything in a node may change the directory. Cached, since nested loops repeat the question. */
function moves(node: SyntaxNode): boolean {
  const before = moving.get(node);
  const found = before ?? findsMove(node);
  if (before === undefined) moving.set(node, found);
  return found;
}

function findsMove(node: SyntaxNode): boolean {
  if (node.type === 'Subshell') return false;
  if (node.type === 'Command') {
    const name = node.name === undefined ? undefined : shellWord(node.name);
    if (
      name !== undefined &&
      (!name.literal || /^(cd|chdir|pushd|popd|eval|source|\.|command|builtin)$/.test(name.value))
    )
      return true;
  }
  let found = false;
  forEachChild(node, (child) => {
    found ||= moves(child);
  });
  return found;
}

/** The target of `cd`, with `~` and `~/x` for the home folder. Null if it is known only at run time. */
function destination(name: string, words: readonly ShellWord[]): string | null {
  const operands: ShellWord[] = [];
  for (const [index, word] of words.entries()) {
    if (word.value === '--') {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (word.value === '-L') continue;
    // The target of `-P`, `-` or `+1` depends on links or on earlier commands.
    if (/^[-+]/.test(word.value)) return null;
    operands.push(word);
  }
  const [only, ...others] = operands;
  if (others.length > 0) return null;
  if (only === undefined) return name === 'pushd' ? null : '~';
  if (/^~(\/[\w./-]*)?$/.test(only.text)) return only.text;
  if (!only.literal || only.value === '') return null;
  // A quoted `~` is an ordinary name.
  return only.value.startsWith('~') ? `./${only.value}` : only.value;
}

/** The directory after these moves, as the shell tracks it; null if unknown. */
export function directoryAfter(moves: Moves, start: string | null, home: string): string | null {
  if (moves === null) return null;
  let at = start;
  for (const move of moves) {
    if (/^~(\/|$)/.test(move)) at = posix.normalize(home + move.slice(1));
    else if (move.startsWith('/')) at = posix.normalize(move);
    else if (at !== null) at = posix.join(at, move);
  }
  return at === null || at === '/' ? at : at.replace(/\/$/, '');
}
