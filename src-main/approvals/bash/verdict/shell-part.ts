import type { Approval } from '../../../contract/approvals';
import { because, type Reason } from '../../../contract/shared/reasons';
import { runsWords } from '../parsing/wrappers';

/** The verdict on one simple command of a line. */
export interface ShellPart {
  text: string;
  verdict: 'allow' | 'ask' | 'deny';
  reason: Reason;
  risk: Approval['risk'];
  /** Path of the program. Absent if it is unknown, and for builtins. */
  program?: string;
  /**
   * The command's words, if exactly these words run: no expansions, redirections or assignments, and the program is not in
   * the folder. Only such a command can be named by a rule.
   */
  words?: string[];
  /** Its words in all cases, with expansions as written and the program's bare name: enough to forbid it. */
  written?: string[];
  /** Some of its words are a command that it runs, nobody knows which: for certain, or maybe, because the program is unknown. */
  hides?: 'certain' | 'possible';
  /** It gets more words when it runs, as from `xargs`. */
  isOpen?: true;
  /** Other commands that it may run: with variables of the line replaced, and those that it gives to a program as text. */
  alsoRuns?: readonly string[];
  /** The program, if the command gives its path. */
  named?: string;
  /** The files that it reads as its standard input; empty for the output of another command. Absent: neither. */
  input?: readonly string[];
  /** Absolute directory that it runs in, after every `cd` before it. Null if unknown; absent if the line starts there. */
  directory?: string | null;
}

/** Shells may read this part in different ways, so it is not allowed and no rule covers it. */
export function makeUncertain(part: Omit<ShellPart, 'text' | 'risk'>): void {
  delete part.words;
  if (part.verdict !== 'allow') return;
  part.verdict = 'ask';
  part.reason = because('read_differently');
}

/** It gets more words, which are a command of their own to `env` and the like. */
export function makeOpen(part: Omit<ShellPart, 'text' | 'risk'>): void {
  part.isOpen = true;
  if (runsWords(part.written?.[0] ?? '')) part.hides = 'certain';
}
