import type { ToolMessage } from '@langchain/core/messages';
import { z } from 'zod';
import { optional } from '../../contract/shared/optional';
import { Reasons } from '../../contract/shared/reasons';
import { runsCommand } from '../../harness/tools/catalogue';

export interface PlannedCall {
  name: string;
  args: Record<string, unknown>;
}

/** What the model's text shows of the result of one call. */
export interface Outcome {
  /** As executed: the person may have changed the arguments. */
  call: PlannedCall;
  state: 'done' | 'failed' | 'rejected' | 'unanswered' | 'no_tool';
  text: string;
  /** The command's; null if there is none, after a timeout or if the person answered instead. */
  exitCode: number | null;
  /** Why it was refused before it started. The text is for a model that tries again, not for the person. */
  refused?: Reasons;
}

const CHANGED_ARGUMENTS = /^\[The person changed the arguments before this ran: (\{.*\})\]$/mu;
const EXIT = /\[Command (?:succeeded|failed) with exit code (-?\d+)\]/u;

/** `result` is absent if the call was never answered. */
export function outcomeOf(call: PlannedCall, result: ToolMessage | undefined): Outcome {
  if (result === undefined) return { call, state: 'unanswered', text: '', exitCode: null };
  const { text, args } = withoutNote(result.text);
  const refused = Refusal.safeParse(result.artifact).data?.refused;
  const exit = runsCommand(call.name) ? lastMatch(text, EXIT) : undefined;
  const exitCode = exit === undefined ? null : Number(exit);
  return {
    call: { name: call.name, args: args ?? call.args },
    state: stateOf(call.name, result, text, exitCode),
    text,
    exitCode,
    ...optional({ refused }),
  };
}

const Refusal = z.object({ refused: Reasons });

function stateOf(tool: string, result: ToolMessage, text: string, exitCode: number | null): Outcome['state'] {
  const failed = result.status === 'error';
  if (failed && /\brejected\b/iu.test(text)) return 'rejected';
  if (
    /was cancelled - another message came in|\[The person stopped this command before it finished\]$/u.test(
      text,
    )
  )
    return 'unanswered';
  if (failed || (exitCode !== null && exitCode !== 0)) return 'failed';
  // Backends of the published package report failures as successes with an error text. A command or a file may print
  // anything.
  return !runsCommand(tool) && text.startsWith('Error: ') ? 'failed' : 'done';
}

/** The note about changed arguments is for the model; its arguments are the executed ones. */
function withoutNote(text: string): { text: string; args: Record<string, unknown> | null } {
  const note = CHANGED_ARGUMENTS.exec(text);
  if (!note) return { text, args: null };
  return { text: text.replace(note[0], '').trim(), args: objectOf(note[1] ?? '') };
}

function objectOf(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return value !== null && typeof value === 'object' ? { ...value } : null;
  } catch {
    // A line in a file may look like the note.
    return null;
  }
}

function lastMatch(text: string, regex: RegExp): string | undefined {
  return [...text.matchAll(new RegExp(regex, 'gu'))].at(-1)?.[1];
}

/** Paths of an `ls`, `glob` or `grep` (file names) result, in order, without notes; directories end in `/`. */
export function pathsIn(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const [, path, kind] =
      /^(\/.*?)(?: \((directory|[\d?]+ bytes(?:, [\d :-]+)?)\))?$/u.exec(line.trim()) ?? [];
    if (path === undefined) return [];
    return [kind === 'directory' && !path.endsWith('/') ? `${path}/` : path];
  });
}

/** Matches of a `grep` result with contents: `path:`, then lines of `  n: text`. */
export function matchesIn(text: string): { path: string; line: number }[] {
  const matches: { path: string; line: number }[] = [];
  let path: string | null = null;
  for (const row of text.split('\n')) {
    const line = /^ {2}(\d+): /u.exec(row)?.[1];
    if (line !== undefined && path !== null) matches.push({ path, line: Number(line) });
    else if (/^\/.*:$/u.test(row)) path = row.slice(0, -1);
  }
  return matches;
}

/** Number of matches that a `grep` left out because their files need approval. */
export function omittedIn(text: string): number {
  // The note is the last line; a file's line starts with its number.
  return Number(/^\[(\d+) more in files that need the person's permission\b.*\]$/mu.exec(text)?.[1] ?? 0);
}

/** The lines of a `read_file` result without their numbers; rejoins long lines that were shown in parts. */
export function linesIn(text: string): string[] {
  const lines: string[] = [];
  for (const row of text.split('\n')) {
    const [, part, content] = /^ *\d+(\.\d+)?\t(.*)$/su.exec(row) ?? [];
    if (content === undefined) continue;
    if (part === undefined) lines.push(content);
    else lines.push((lines.pop() ?? '') + content);
  }
  return lines;
}
