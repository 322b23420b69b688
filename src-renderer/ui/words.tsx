import { createContext, type ReactNode, useContext } from 'react';

/** The few words that the parts themselves say. The catalogue (i18n) takes the English from here and translates it. */
export const englishWords = {
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  wrap: 'Wrap lines',
  saveFile: 'Save as a file…',
  diagram: 'Diagram',
  showDiagram: 'Show the diagram',
  showSource: 'Show the source',
  diagramFailed: 'mermaid (could not be drawn)',
  table: 'Table',
  details: 'Details',
  unchangedLines: '{count} unchanged lines',
  binaryOrEmpty: 'Nothing to show',
  diffAdded: 'Added',
  diffRemoved: 'Removed',
  loading: 'Loading',
  findAt: '{at} of {total}',
  findNone: 'Not found',
  findMany: 'Many places',
  findPrevious: 'Previous place',
  findNext: 'Next place',
  findClose: 'Close the search',
};
export type Words = typeof englishWords;

const Context = createContext<Words>(englishWords);

export const WordsProvider = ({ words, children }: { words: Words; children: ReactNode }) => (
  <Context value={words}>{children}</Context>
);

export const useWords = (): Words => useContext(Context);
