import { createContext, type ReactNode, useContext } from 'react';
import { englishWords, type Words } from './english';

const Context = createContext<Words>(englishWords);

export const WordsProvider = ({ words, children }: { words: Words; children: ReactNode }) => (
  <Context value={words}>{children}</Context>
);

export const useWords = (): Words => useContext(Context);
