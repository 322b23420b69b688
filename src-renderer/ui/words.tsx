import { createContext, type ReactNode, useContext } from 'react';
import { englishWords, type Words } from './english';

const Context = createContext<Words>(englishWords);

export const WordsProvider = ({ words, children }: { words: Words; children: ReactNode }) => (
  <Context value={words}>{children}</Context>
);

/** A text with its count. */
export const counted = ({ one, other }: { one: string; other: string }, count: number): string =>
  (count === 1 ? one : other).replace('{count}', String(count));

export const useWords = (): Words => useContext(Context);
