import { useEffect, useMemo, useState } from 'react';
import { Highlighter, type HighlightWorker, MAX_HIGHLIGHTED, type Token } from './highlighter';
import type { Language } from './languages';

const startWorker = (): HighlightWorker =>
  new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });

let highlighter = new Highlighter(startWorker);

/** For tests, which have no workers. */
export const setHighlightWorker = (start: (() => HighlightWorker) | undefined): void => {
  highlighter = new Highlighter(start ?? startWorker);
};

interface Colored {
  code: string;
  language: Language;
  /** Null: this code stays plain. */
  tokens: Token[][] | null;
}

/**
 * The tokens of `code`. Undefined while there are none yet, without a language, and for code that takes too long (show it
 * plain then). While new code is being colored, unchanged lines at its start and end keep their colors.
 */
export function useHighlight(code: string, language: Language | undefined): Token[][] | undefined {
  const [done, setDone] = useState<Colored>();
  useEffect(() => {
    if (language === undefined) return;
    return highlighter.ask(code, language, (tokens) => setDone({ code, language, tokens }));
  }, [code, language]);
  return useMemo(() => {
    if (language === undefined || code.length > MAX_HIGHLIGHTED) return undefined;
    if (done?.language !== language) return highlighter.known(code, language);
    if (done.code === code) return done.tokens ?? undefined;
    return (
      highlighter.known(code, language) ?? (done.tokens === null ? undefined : carriedOver(done.tokens, code))
    );
  }, [code, language, done]);
}

/** The lines of `code`, with the tokens of the unchanged lines at both ends. */
export function carriedOver(before: readonly Token[][], code: string): Token[][] | undefined {
  const lines = code.split('\n');
  const isSame = (line: string, tokens: readonly Token[] | undefined) =>
    tokens !== undefined && tokens.map(({ text }) => text).join('') === line;
  const most = Math.min(lines.length, before.length);
  let start = 0;
  while (start < most && isSame(lines[start] ?? '', before[start])) start += 1;
  let end = 0;
  while (end < most - start && isSame(lines[lines.length - 1 - end] ?? '', before[before.length - 1 - end]))
    end += 1;
  if (start + end === 0) return undefined;
  return lines.map(
    (text, at) =>
      (at < start
        ? before[at]
        : at >= lines.length - end
          ? before[before.length - lines.length + at]
          : undefined) ?? [{ text }],
  );
}
