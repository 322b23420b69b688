import type { Reasons } from '../../contract/shared/reasons';
import type { ActionName } from './actions';

/** The parts of one language: the grammar of requests and the texts of answers. */
export interface Language {
  id: 'en' | 'zh';
  /** Whether spaces separate words. */
  space: 'some' | 'any';
  /** Patterns in the order of matching; see template.ts. */
  grammar: readonly (readonly [ActionName, ...patterns: string[]])[];
  examples: readonly Example[];
  /** The first requests to try. */
  starters: readonly string[];
  /** Separates two requests on one line, including surrounding white space and commas. Sticky, no groups. */
  thenWord: RegExp;
  /** Polite phrases and list marks before a request; not part of it. */
  opening: RegExp;
  words: Words;
}

export interface Place {
  path: string;
  line?: number;
}

/**
 * Answers. A clause says what was done, without a subject, so that one sentence can hold several. Names appear as the person
 * wrote them.
 */
export interface Words {
  listed(dir: string, names: readonly string[]): string;
  read(file: string, lines: number): string;
  /** `omitted`: matches in files that need the person's approval first. */
  found(text: string, matches: number, first: Place | null, omitted: number): string;
  matched(glob: string, files: readonly string[]): string;
  created(file: string): string;
  replaced(from: string, to: string, file: string): string;
  deleted(file: string): string;
  ran(command: string, exitCode: number | null): string;
  /** A result that is not from the tool: the person answered in its place. */
  answered(what: string, answer: string): string;
  remembered(file: string, added: boolean): string;
  recalled(notes: readonly string[], about: string | null): string;
  forgot(file: string): string;
  planned(items: readonly string[]): string;
  delegated(request: string): string;

  /** All clauses in one sentence. */
  summary(clauses: readonly string[]): string;
  /** Clauses for failures. */
  failed(what: string, reason: string): string;
  /** It was refused before it started. */
  refused(what: string, why: Reasons): string;
  exited(command: string, exitCode: number): string;
  /** It ran in a throwaway layer. */
  discarded(command: string): string;
  timedOut(command: string): string;
  rejected(what: string, message: string | null): string;
  noResult(what: string): string;
  noTool(what: string, tool: string): string;
  nothingToAppend(file: string): string;
  /** Its first word marks a sub-agent's report as a failure (flows.ts). */
  stopped(report: {
    step: number;
    steps: number;
    failures: readonly string[];
    done: readonly string[];
    left: readonly string[];
  }): string;
  /** Everything that is understood. `rows`: a request, and what happens. */
  help(rows: readonly Example[]): string;
  /** `unclear`: what was not understood. `near`: requests that may have been meant; empty if nothing is close. */
  notUnderstood(unclear: string, near: readonly string[], whole: boolean): string;
}

/** A request that is understood, for help and suggestions. */
export interface Example {
  action: ActionName;
  request: string;
  what: string;
  /** Other words that people begin such a request with. */
  cues: readonly string[];
}
