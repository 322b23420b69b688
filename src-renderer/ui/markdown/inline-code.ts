import { type ComponentType, createContext, type ReactNode, use } from 'react';

/** `children`: what a link to a path shows; absent for code. */
const Context = createContext<ComponentType<{ text: string; children?: ReactNode }> | null>(null);

/** Draws the code in lines of Markdown below it, and links to paths, for example as links to files. */
export const InlineCodeProvider = Context.Provider;

export const useInlineCode = () => use(Context);
