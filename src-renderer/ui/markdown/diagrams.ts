import { createContext, useContext } from 'react';

/** A drawn diagram: a URL of the picture, with its size in CSS pixels. */
export interface Drawing {
  source: string;
  width: number;
  height: number;
}

/** Draws a diagram from its source, outside the renderer. `slow`: it took too long. `wrong`: the source is not a diagram. */
export type DrawDiagram = (source: string, dark: boolean) => Promise<Drawing | 'slow' | 'wrong'>;

const Context = createContext<DrawDiagram>(() => Promise.resolve('wrong'));

export const DiagramsProvider = Context.Provider;
export const useDrawDiagram = (): DrawDiagram => useContext(Context);
