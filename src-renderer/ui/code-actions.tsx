import { createContext, useContext } from 'react';

/** What a code block lets a person do beyond copying; the parts themselves reach no other process. */
export interface CodeActions {
  /** Asks for a file and writes the text to it. */
  save?(name: string, text: string): void;
}

const Context = createContext<CodeActions>({});

export const CodeActionsProvider = Context.Provider;
export const useCodeActions = (): CodeActions => useContext(Context);
