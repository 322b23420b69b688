import { forEachChild, parse, type Redirection, type Script, type SyntaxNode } from 'unbash';
import { type ShellWord, shellWord } from './words';

export interface ShellRedirect {
  text: string;
  operator: string;
  /** Null for here-documents and where nothing is named. */
  target: ShellWord | null;
  /** The target of `>&` and the like is a number: no file. */
  isDescriptor: boolean;
  /** `{name}<file`: it sets a variable, which what follows may go by. */
  setsVariable: boolean;
}

/** One simple command, wherever in the line it stands. */
export interface ShellCommand {
  /** As written. */
  text: string;
  words: ShellWord[];
  /** Names of the variables set for it. */
  assignments: string[];
  redirects: ShellRedirect[];
  /** Names of the commands before it in its pipeline, nearest first; null for what is no simple command. */
  inputFrom: (string | null)[];
}

/** What in a line is more than a list or pipeline of simple commands. */
export interface Construct {
  text: string;
  reason: string;
  /** The function copies itself without end. */
  isForkBomb?: boolean;
}

export interface ParsedLine {
  commands: ShellCommand[];
  constructs: Construct[];
  /** What the parser could not understand; then nothing may be concluded from the rest. */
  problem: string | null;
}

/** Finds every simple command of a line of Bash, in lists, pipelines, subshells, substitutions, functions and the rest. */
export function parseLine(source: string): ParsedLine {
  const commands: ShellCommand[] = [];
  const constructs: Construct[] = [];
  let problem: string | null = null;
  const pipes = new Map<SyntaxNode, (string | null)[]>();

  const visit = (node: SyntaxNode, text: string): void => {
    let inside = text;
    switch (node.type) {
      case 'Script': {
        const { errors, source: own } = node as Script & { errors?: readonly { message: string }[] };
        if (errors !== undefined && errors.length > 0) problem ??= errors[0]?.message ?? 'unknown';
        // Between escaped backticks the text is another one.
        if (own !== undefined) inside = own;
        break;
      }
      case 'Statement':
        if (node.background === true)
          constructs.push({ text: slice(inside, node), reason: 'it runs in the background' });
        break;
      case 'Pipeline': {
        const before: (string | null)[] = [];
        for (const command of node.commands) {
          pipes.set(command, [...before]);
          before.unshift(command.type === 'Command' ? (command.name?.value ?? null) : null);
        }
        break;
      }
      case 'Command':
        commands.push({
          text: slice(inside, node),
          words: [
            ...(node.name === undefined ? [] : [shellWord(node.name)]),
            ...node.args.map((arg) =>
              arg.type === 'Word'
                ? shellWord(arg)
                : { text: arg.text, value: arg.text, literal: false, bare: false },
            ),
          ],
          assignments: node.prefix.flatMap((part) => (part.type === 'Assignment' ? [part.name] : [])),
          redirects: node.redirects.map((redirect) => redirectOf(redirect, inside)),
          inputFrom: pipes.get(node) ?? [],
        });
        break;
      case 'Redirected':
        for (const redirect of node.redirects)
          commands.push({
            text: slice(inside, redirect),
            words: [],
            assignments: [],
            redirects: [redirectOf(redirect, inside)],
            inputFrom: [],
          });
        break;
      case 'Function': {
        const name = node.name.text;
        const body = slice(inside, node.body).replaceAll(/\s/g, '');
        constructs.push({
          text: slice(inside, node),
          reason: 'it defines a function',
          isForkBomb: name !== '' && body.includes(`${name}|${name}&`),
        });
        break;
      }
      default: {
        const reason = CONSTRUCTS[node.type];
        if (reason !== undefined) constructs.push({ text: slice(inside, node), reason });
      }
    }
    forEachChild(node, (child) => visit(child, inside));
  };
  try {
    visit(parse(source), source);
  } catch (error) {
    // Nested so deeply that the stack is used up. Anything else is a bug.
    if (!(error instanceof RangeError)) throw error;
    problem = 'it is nested too deeply';
  }
  return { commands, constructs, problem };
}

/** Reasons to ask, by the node of the syntax tree. */
const CONSTRUCTS: Partial<Record<SyntaxNode['type'], string>> = {
  Subshell: 'it runs in a subshell',
  BraceGroup: 'it is a group of commands',
  If: 'it decides by a condition',
  For: 'it repeats commands',
  ArithmeticFor: 'it repeats commands',
  Select: 'it asks for a choice',
  While: 'it repeats commands',
  Case: 'it decides by a pattern',
  Coproc: 'it starts a second process beside itself',
  TestCommand: 'it evaluates an expression',
  ArithmeticCommand: 'it computes, which can run commands',
  ArithmeticExpansion: 'it computes, which can run commands',
  CommandExpansion: 'it runs a command to make up its words',
  ProcessSubstitution: 'it runs a command in place of a file',
  SimpleExpansion: 'it uses a variable, whose value is not known',
  ParameterExpansion: 'it uses a variable, whose value is not known',
  BraceExpansion: 'it expands braces',
  ExtendedGlob: 'it expands a pattern',
  HereDoc: 'it brings its own input',
  HereString: 'it brings its own input',
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
