import { type ComponentType, createContext, use } from 'react';

const Context = createContext<ComponentType<{ text: string }> | null>(null);

/** Draws the code in lines of Markdown below it, for example as links to files. */
export const InlineCodeProvider = Context.Provider;

export const useInlineCode = () => use(Context);
