import { createContext, useContext } from 'react';

/** What you can do with a code block besides copying it. UI components never talk to another process themselves. */
export interface CodeActions {
  /** Prompts for a file and writes the text to it. */
  save?(name: string, text: string): void;
}

const Context = createContext<CodeActions>({});

export const CodeActionsProvider = Context.Provider;
export const useCodeActions = (): CodeActions => useContext(Context);
