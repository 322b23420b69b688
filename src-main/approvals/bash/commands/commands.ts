import {
  type Command,
  forEachChild,
  type Pipeline,
  parse,
  type Redirection,
  type Script,
  type SyntaxNode,
} from 'unbash';
import { because, type Reason } from '../../../contract/shared/reasons';
import { setNewest } from '../../../contract/shared/set-newest';
import { filledIn, namedCommand, newBudget, noteValues, type Values } from '../parsing/variables';
import { type ShellWord, shellWord } from '../parsing/words';
import { Calls } from './calls';
import { directoriesOf, type Moves } from './directories';
import { givenCommands, surelyGiven } from './given/given-commands';
import { heldBy } from './given/in-variable';
import {
  evaluatedIn,
  hereTexts,
  hiddenIn,
  inputOfShells,
  MAX_HIDDEN,
  printed,
  wordsOf,
} from './hidden-commands';

/** Maximum number of commands in a pipeline that record the commands before them. */
const MAX_PIPELINE = 100;

export interface ShellRedirect {
  text: string;
  operator: string;
  /** Null for here-documents and if no target is named. */
  target: ShellWord | null;
  /** The target of `>&` and the like is a file descriptor, not a file. */
  isDescriptor: boolean;
  /** `{name}<file` sets a variable, which later commands may use. */
  setsVariable: boolean;
}

/** One simple command, anywhere in the line. */
export interface ShellCommand {
  /** As written. */
  text: string;
  words: ShellWord[];
  /** Names of the variables set for it. */
  assignments: string[];
  redirects: ShellRedirect[];
  /** Names of the commands before it in its pipeline, nearest first; null for anything but a simple command. */
  inputFrom: (string | null)[];
  /** Every `cd` before it, from the line's start; null if unknown. */
  moves: Moves;
  /**
   * Other commands that it may run: with its variables replaced by values of the line, and those that it gives to a program
   * as text.
   */
  alsoRuns: string[];
  /** Only a redirection, of a whole compound command. */
  isCompound?: true;
  /** What it reads from the line: here-documents, and what `echo` and `printf` pass on. */
  typed: string[];
  /**
   * What it surely runs: the command with its variables replaced by the last values that the line gave them before it, or
   * before the call of its function; with the program that a link or an alias stands for; and what a shell runs for it.
   */
  filled: string[];
}

/** A part of a line that is more than a list or pipeline of simple commands. */
export interface Construct {
  text: string;
  reason: Reason;
  /** The function copies itself endlessly. */
  isForkBomb?: boolean;
}

export interface ParsedLine {
  commands: ShellCommand[];
  constructs: Construct[];
  /** The part that the parser could not understand. If set, the rest proves nothing. */
  problem: Reason | null;
}

/** Recently parsed lines: one call is judged, tried and shown from the same line. */
const known = new Map<string, ParsedLine>();
const MAX_KNOWN = 32;

/**
 * Finds every simple command of a line of Bash, including those in lists, pipelines, subshells, substitutions and functions.
 */
export function parseLine(source: string): ParsedLine {
  const before = known.get(source);
  if (before !== undefined) return before;
  const parsed = isTooDeep(source)
    ? { commands: [], constructs: [], problem: because('nested_too_deeply') }
    : readLine(source);
  setNewest(known, source, parsed, MAX_KNOWN);
  return parsed;
}

/** Maximum nesting of brackets and compound commands. Nobody writes that many, and parsing them takes seconds. */
const MAX_NESTED = 60;
const MAX_CONSTRUCTS = 150;

function isTooDeep(source: string): boolean {
  let depth = 0;
  let constructs = 0;
  for (const [token] of source.matchAll(
    /[({[]|[)}\]]|`|<<|\b(if|for|while|until|case|select|function|coproc|time)\b/g,
  )) {
    if (/^[({[]$/.test(token)) depth++;
    else if (/^[)}\]]$/.test(token)) depth = Math.max(0, depth - 1);
    else constructs++;
    if (depth > MAX_NESTED || constructs > MAX_CONSTRUCTS) return true;
  }
  return false;
}

/** Maximum depth of functions that pass their arguments to others. */
const CALL_DEPTH = 2;
const REFERS = /\$\{!|\s-\w*n\w*\s/;

function readLine(source: string): ParsedLine {
  const commands: ShellCommand[] = [];
  const constructs: Construct[] = [];
  let problem: Reason | null = null;
  let substitutions = 0;
  let places = new Map<SyntaxNode, Moves>();
  const inputs = new Map<SyntaxNode, Input>();
  /** All values of each variable, and its last one so far. */
  const values: Values = new Map();
  const functions = new Map<string, SyntaxNode>();
  const byNode = new Map<SyntaxNode, ShellCommand>();
  const calls = new Calls(functions, byNode);
  const visited: SyntaxNode[] = [];
  const latest: Values = new Map();
  const budget = newBudget();

  const visit = (node: SyntaxNode, text: string): void => {
    let inside = text;
    for (const hidden of evaluatedIn(node).slice(0, MAX_HIDDEN)) {
      problem ??= because('partly_read_differently');
      visit(parse(hidden), hidden);
    }
    for (const line of inputOfShells(node)) visit(parse(line), line);
    const at = commands.length;
    switch (node.type) {
      case 'Script': {
        const { errors, source: own } = node as Script & { errors?: readonly { message: string }[] };
        if (errors !== undefined && errors.length > 0)
          problem ??= because('syntax', { text: errors[0]?.message ?? '' });
        // Text between escaped backticks is parsed separately.
        if (own !== undefined) inside = own;
        break;
      }
      case 'Statement':
        if (node.background === true)
          constructs.push({ text: slice(inside, node), reason: because('background') });
        break;
      case 'Pipeline':
        if (node.commands.length > MAX_PIPELINE) problem ??= because('pipeline_too_long');
        noteInputs(node, inputs);
        break;
      case 'Command': {
        const command = simpleCommand(node, inside, {
          input: inputs.get(node),
          moves: places.get(node) ?? null,
        });
        commands.push(command);
        byNode.set(node, command);
        break;
      }
      case 'Redirected':
        for (const redirect of node.redirects)
          commands.push(bareRedirect(redirect, inside, places.get(node) ?? null));
        break;
      case 'Function':
        functions.set(node.name.text, node.body);
        constructs.push(functionConstruct(node, inside));
        break;
      default: {
        if (node.type === 'ProcessSubstitution') substitutions++;
        const reason = CONSTRUCTS[node.type];
        if (reason !== undefined) constructs.push({ text: slice(inside, node), reason });
      }
    }
    for (const { filled, text: own, words } of commands.slice(at))
      filled.push(...filledIn(own, latest, budget), ...namedCommand(words, latest));
    noteValues(node, values, 'all', functions);
    noteValues(node, latest, 'last', functions);
    if (node.type === 'Command') calls.follow(node, latest);
    visited.push(node);
    forEachChild(node, (child) => {
      const input = PASSES_INPUT.has(node.type) ? inputs.get(node) : undefined;
      if (input !== undefined && !inputs.has(child)) inputs.set(child, input);
      visit(child, inside);
    });
  };
  try {
    const script = parse(source);
    places = directoriesOf(script);
    visit(script, source);
    const hidden = hiddenIn(source, substitutions);
    if (hidden.length > 0) {
      problem ??= because('partly_read_differently');
      for (const text of hidden) visit(parse(text), text);
    }
  } catch (error) {
    // The nesting overflowed the stack. Any other error is a bug.
    if (!(error instanceof RangeError)) throw error;
    problem = because('nested_too_deeply');
  }
  // A function's arguments come after its body, and `${!x}` may name a variable that is set later.
  const passes = functions.size > 0 ? CALL_DEPTH : REFERS.test(source) ? 1 : 0;
  for (let pass = 0; pass < passes; pass++)
    for (const node of visited) noteValues(node, values, 'all', functions);
  fillAll(commands, values);
  return { commands, constructs, problem };
}

function functionConstruct(node: SyntaxNode & { type: 'Function' }, source: string): Construct {
  const name = node.name.text;
  const body = slice(source, node.body).replaceAll(/\s/g, '');
  return {
    text: slice(source, node),
    reason: because('function'),
    isForkBomb: name !== '' && body.includes(`${name}|${name}&`),
  };
}

/** A redirection of a whole compound command. */
const bareRedirect = (redirect: Redirection, source: string, moves: Moves): ShellCommand => ({
  text: slice(source, redirect),
  words: [],
  assignments: [],
  redirects: [redirectOf(redirect, source)],
  isCompound: true,
  inputFrom: [],
  moves,
  alsoRuns: [],
  typed: [],
  filled: [],
});

/** Adds what each command runs with any values of its variables. */
function fillAll(commands: readonly ShellCommand[], values: Values): void {
  const budget = newBudget();
  for (const [name, texts] of values)
    for (const text of texts) commands[0]?.alsoRuns.push(...heldBy(name, text));
  for (const command of commands) {
    command.alsoRuns.push(...namedCommand(command.words, values), ...filledIn(command.text, values, budget));
  }
}

/** What a command reads from the commands before it in its pipeline. */
interface Input {
  /** Their names, nearest first; null for anything but a simple command. */
  from: (string | null)[];
  /** What they print, as far as the line tells. */
  typed: string[];
}

/** Adds what each command of a pipeline reads, also from outside of it. */
function noteInputs(pipeline: Pipeline, inputs: Map<SyntaxNode, Input>): void {
  let { from, typed }: Input = inputs.get(pipeline) ?? { from: [], typed: [] };
  for (const command of pipeline.commands.slice(0, MAX_PIPELINE)) {
    inputs.set(command, { from, typed });
    const isSimple = command.type === 'Command';
    from = [isSimple ? (command.name?.value ?? null) : null, ...from];
    if (isSimple) typed = [...typed, ...hereTexts(command), ...printed(wordsOf(command))];
  }
}

/** Parts of a pipeline whose commands read its input: `curl x | (sh)`. */
const PASSES_INPUT: ReadonlySet<SyntaxNode['type']> = new Set([
  'Statement',
  'Subshell',
  'BraceGroup',
  'CompoundList',
  'AndOr',
  'If',
  'While',
  'For',
  'Case',
  'CaseItem',
  'Elif',
  'Negation',
  'Select',
  'Time',
  'Redirected',
]);

function simpleCommand(
  node: Command,
  source: string,
  { input = { from: [], typed: [] }, moves }: { input: Input | undefined; moves: Moves },
): ShellCommand {
  const words = [
    ...(node.name === undefined ? [] : [shellWord(node.name)]),
    ...node.args.map((arg) =>
      arg.type === 'Word' ? shellWord(arg) : { text: arg.text, value: arg.text, literal: false, bare: false },
    ),
  ];
  const typed = [...input.typed, ...hereTexts(node)];
  const assigned = node.prefix.flatMap((part) =>
    part.type === 'Assignment' && part.value?.type === 'Word' ? [`${part.name}=${part.value.value}`] : [],
  );
  return {
    text: slice(source, node),
    words,
    assignments: node.prefix.flatMap((part) => (part.type === 'Assignment' ? [part.name] : [])),
    redirects: node.redirects.map((redirect) => redirectOf(redirect, source)),
    inputFrom: input.from,
    moves,
    alsoRuns: givenCommands(words, { assigned, typed }),
    typed,
    filled: surelyGiven(words, typed),
  };
}

/** Reasons to ask, by node type of the syntax tree. */
const CONSTRUCTS: Partial<Record<SyntaxNode['type'], Reason>> = {
  Subshell: because('subshell'),
  BraceGroup: because('group'),
  If: because('condition'),
  For: because('repeats'),
  ArithmeticFor: because('repeats'),
  Select: because('choice'),
  While: because('repeats'),
  Case: because('by_pattern'),
  Coproc: because('second_process'),
  TestCommand: because('expression'),
  ArithmeticCommand: because('computes'),
  ArithmeticExpansion: because('computes'),
  CommandExpansion: because('command_for_words'),
  ProcessSubstitution: because('command_for_file'),
  SimpleExpansion: because('variable'),
  ParameterExpansion: because('variable'),
  BraceExpansion: because('braces'),
  ExtendedGlob: because('pattern'),
  HereDoc: because('own_input'),
  HereString: because('own_input'),
};

const slice = (source: string, node: { pos: number; end: number }): string =>
  source.slice(node.pos, node.end);

function redirectOf(redirect: Redirection, source: string): ShellRedirect {
  const target =
    redirect.type === 'HereDoc' || redirect.target === undefined ? null : shellWord(redirect.target);
  return {
    text: slice(source, redirect),
    operator: redirect.operator,
    target: redirect.type === 'HereString' ? null : target,
    setsVariable: redirect.descriptor?.type === 'FileDescriptorVariable',
    isDescriptor: /^[<>]&$/.test(redirect.operator) && /^(\d+-?|-)$/.test(target?.value ?? ''),
  };
}
