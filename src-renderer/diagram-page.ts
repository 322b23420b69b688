// The page of the hidden view that draws diagrams and SVG files: a process of its own, which the main process ends where one takes too long.
import { drawDiagram } from './ui/markdown/mermaid';
import { drawVectors } from './ui/markdown/vectors';

Object.assign(globalThis, { drawDiagram, drawVectors });
