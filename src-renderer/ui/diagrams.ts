import { createContext, useContext } from 'react';

/** A drawn diagram: an address of its own picture, in CSS pixels. */
export interface Drawing {
  source: string;
  width: number;
  height: number;
}

/** Draws a diagram from its source, outside of this page. `slow`: it took too long; `wrong`: it is none. */
export type DrawDiagram = (source: string, dark: boolean) => Promise<Drawing | 'slow' | 'wrong'>;

const Context = createContext<DrawDiagram>(() => Promise.resolve('wrong'));

export const DiagramsProvider = Context.Provider;
export const useDrawDiagram = (): DrawDiagram => useContext(Context);
