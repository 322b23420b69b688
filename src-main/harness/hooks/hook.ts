import { compileGlob } from '../../base/globs/glob';
import { descriptorOf, runsCommand } from '../tools/catalogue';

/** A command that runs before or after tool calls, or at the end of a turn. */
export interface Hook {
  /** Unique in a project. */
  name: string;
  event: 'before_tool' | 'after_tool' | 'turn_end';
  /** Names of tools, with `*` for any characters. Empty: all. */
  tools: readonly string[];
  /** Globs relative to the project. A call without a path does not match. Empty: any. */
  paths: readonly string[];
  /** Commands, with `*` for any characters. A call that runs no command does not match. Empty: any. */
  commands: readonly string[];
  command: string;
  timeoutSeconds: number;
  /** Whether a call is denied if the hook that runs before it fails. */
  onError: 'deny' | 'continue';
}

export interface HookedCall {
  callId: string;
  tool: string;
  args: Record<string, unknown>;
  /** Name of the sub-agent; null for the thread's own agent. */
  agent: string | null;
}

/** Whether the hook matches the call. `folder`: the project, as tools name it. */
export function matchesCall(hook: Hook, { tool, args }: HookedCall, folder: string): boolean {
  const { tools, paths, commands } = hook;
  if (tools.length > 0 && !tools.some((pattern) => matchesText(pattern, tool))) return false;
  if (paths.length > 0 && !paths.some((pattern) => matchesPath(pattern, tool, args, folder))) return false;
  return commands.length === 0 || (runsCommand(tool) && matchesCommand(commands, String(args.command ?? '')));
}

/** The path of the call relative to the project, or null. */
export function pathWithin(tool: string, args: Record<string, unknown>, folder: string): string | null {
  const place = descriptorOf(tool)?.path;
  const path = place === undefined ? undefined : args[place.argument];
  if (typeof path !== 'string') return null;
  const whole = path.startsWith('/') ? path : `${folder}/${path.replace(/^(?:\.\/)+/u, '')}`;
  // Tools ignore these parts.
  const plain = whole.replaceAll(/\/(?:\.?(?:\/|$))+/gu, '/').replace(/(?!^)\/$/u, '');
  if (plain !== folder && !plain.startsWith(`${folder}/`)) return null;
  return plain.slice(folder.length + 1);
}

function matchesPath(pattern: string, tool: string, args: Record<string, unknown>, folder: string): boolean {
  const path = pathWithin(tool, args, folder);
  const glob = compileGlob(pattern, { dot: true });
  if (path === null || 'error' in glob) return false;
  return glob.matches(path) || (descriptorOf(tool)?.path?.below === true && glob.mayMatchBelow(path));
}

/** Between commands. `&` and parentheses are also part of `2>&1` or a name, so both forms are tried. */
const ENDS = [/&&|\|\||[;|\n]/u, /[&;|\n()]/u];

/** The whole line, or one of the commands in it. */
const matchesCommand = (patterns: readonly string[], line: string): boolean =>
  [line, ...ENDS.flatMap((end) => line.split(end))].some((part) =>
    patterns.some((pattern) => matchesText(pattern, part.trim())),
  );

/** `*` stands for any characters. Takes linear time. */
export function matchesText(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
