import type { ActionName } from './actions';

/** Everything one language brings: how requests are said, and how the answers are worded. */
export interface Language {
  id: 'en' | 'zh';
  /** Whether words are set apart by spaces. */
  space: 'some' | 'any';
  /** Patterns in the order they are tried; see template.ts. */
  grammar: readonly (readonly [ActionName, ...patterns: string[]])[];
  /** Between two requests on one line, with the white space and commas around it. Sticky, no groups. */
  thenWord: RegExp;
  /** Words of politeness and list marks before a request; not part of it. */
  opening: RegExp;
  words: Words;
}

export interface Place {
  path: string;
  line?: number;
}

/**
 * Answers. Clauses are what was done, without a subject, so that one sentence can hold several of them; names arrive
 * as the person gave them.
 */
export interface Words {
  listed(dir: string, names: readonly string[]): string;
  read(file: string, lines: number): string;
  /** `omitted`: matches in files about which the person has to be asked first. */
  found(text: string, matches: number, first: Place | null, omitted: number): string;
  matched(glob: string, files: readonly string[]): string;
  created(file: string): string;
  replaced(from: string, to: string, file: string): string;
  deleted(file: string): string;
  ran(command: string, exitCode: number | null): string;
  /** A result that did not come from the tool itself: the person answered in its place. */
  answered(what: string, answer: string): string;
  remembered(file: string, added: boolean): string;
  recalled(notes: readonly string[], about: string | null): string;
  forgot(file: string): string;
  planned(items: readonly string[]): string;
  delegated(request: string): string;

  /** All clauses as one sentence. */
  summary(clauses: readonly string[]): string;
  /** Clauses of what went wrong. */
  failed(what: string, reason: string): string;
  exited(command: string, exitCode: number): string;
  timedOut(command: string): string;
  rejected(what: string, message: string | null): string;
  noResult(what: string): string;
  noTool(what: string, tool: string): string;
  nothingToAppend(file: string): string;
  /** Its first word tells a sub-agent's report to be a failure (flows.ts). */
  stopped(report: {
    step: number;
    steps: number;
    failures: readonly string[];
    done: readonly string[];
    left: readonly string[];
  }): string;
  /** `unclear`: the part of a longer request that was not understood. */
  help(unclear: string | null): string;
}
