import { type Command, forEachChild, type SyntaxNode, type Word } from 'unbash';
import {
  type Budget,
  filledIn,
  namedCommand,
  newBudget,
  noteValues,
  positional,
  textsOf,
  type Values,
} from '../parsing/variables';
import type { ShellWord } from '../parsing/words';

/** What is known of a command. */
interface Known {
  text: string;
  words: readonly ShellWord[];
  filled: string[];
  /** What it reads from; null for anything but a simple command. */
  inputFrom: (string | null)[];
}

/** Maximum depth of functions that call one another, and of commands in them that are filled in for one line. */
const MAX_DEPTH = 4;
const MAX_FILLED = 2_000;
/** Maximum commands that one of them reads from. */
const MAX_INPUTS = 100;
const IS_POSITIONAL = /^(\d+|[@*])$/;
/** Arguments that stand for several. */
const ALL_ARGUMENTS = /^"?\$(\{[@*]\}|[@*])"?$/;

/**
 * Follows the calls of a line's functions: what their commands run with the arguments of each call, and with the values that
 * variables have then.
 */
export class Calls {
  private readonly budget: Budget = newBudget();
  private left = MAX_FILLED;

  /** `functions`: the last body of each. `commands`: what the line's commands are. */
  constructor(
    private readonly functions: ReadonlyMap<string, SyntaxNode>,
    private readonly commands: ReadonlyMap<SyntaxNode, Known>,
  ) {}

  /** Adds to the commands of a function what they run for this call, and to the values what the function sets. */
  follow(call: Command, values: Values, depth = 0): void {
    if (this.functions.size === 0 || depth >= MAX_DEPTH) return;
    const [name = '', ...args] = wordsOf(call, values);
    const body = this.functions.get(name);
    if (body === undefined) return;
    const inside: Values = new Map(values);
    const input = this.commands.get(call)?.inputFrom ?? [];
    const scope: Scope = { args, values: inside, locals: new Set(), depth, input };
    setArguments(scope);
    this.walk(body, scope);
    for (const [variable, texts] of inside)
      if (!IS_POSITIONAL.test(variable) && !scope.locals.has(variable)) values.set(variable, texts);
  }

  private walk(node: SyntaxNode, scope: Scope): void {
    if (this.left <= 0) return;
    const { values } = scope;
    if (node.type === 'Command') {
      this.left--;
      const command = this.commands.get(node);
      if (command !== undefined) this.fill(command, scope);
      shiftOrDeclare(node, scope);
    }
    // What a call gives to the other function is no value here.
    noteValues(node, values, 'last', new Map());
    if (node.type === 'Command') this.follow(node, values, scope.depth + 1);
    if (node.type !== 'Function')
      forEachChild(node, (child) => {
        this.walk(child, scope);
      });
  }

  private fill(command: Known, { values, input }: Scope): void {
    command.filled.push(
      ...filledIn(command.text, values, this.budget),
      ...namedCommand(command.words, values),
    );
    // `curl x | f`: what the function's commands read.
    const { inputFrom } = command;
    const added = input.filter((name) => !inputFrom.includes(name));
    if (inputFrom.length + added.length <= MAX_INPUTS) command.inputFrom = [...inputFrom, ...added];
  }
}

interface Scope {
  args: string[];
  values: Values;
  /** Names of its own variables. */
  locals: Set<string>;
  depth: number;
  /** Names of the commands whose output the call reads. */
  input: readonly (string | null)[];
}

function setArguments({ args, values }: Scope): void {
  for (const name of [...values.keys()]) if (IS_POSITIONAL.test(name)) values.delete(name);
  for (const [name, text] of positional(args, 1)) values.set(name, [text]);
}

/** `shift 2`, `local x=y`. */
function shiftOrDeclare({ name, args }: Command, scope: Scope): void {
  if (name?.value === 'shift') {
    scope.args = scope.args.slice(Number.parseInt(args[0]?.text ?? '1', 10) || 1);
    setArguments(scope);
  }
  if (/^(local|declare|typeset)$/.test(name?.value ?? ''))
    for (const arg of args) scope.locals.add(arg.text.replace(/=.*/s, ''));
}

/** The words of a call, with variables replaced by their values. */
const wordsOf = ({ name, args }: Command, values: Values): string[] =>
  [...(name === undefined ? [] : [name]), ...args].flatMap((arg, at) => {
    if (arg.type !== 'Word') return [arg.text];
    const text = textOf(arg, values);
    return at === 0 || ALL_ARGUMENTS.test(arg.text) ? text.split(/\s+/) : [text];
  });

const textOf = (word: Word, values: Values): string => textsOf(word, values)[0] ?? word.text;
