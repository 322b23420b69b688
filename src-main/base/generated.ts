/** Folders with downloads or build output. */
const GENERATED =
  /^(node_modules|dist|build|target|out|vendor|\.venv|venv|coverage|bin|obj|__pycache__|\.next|\.gradle|\.cache)$/;

export const isGenerated = (name: string): boolean => GENERATED.test(name);

export const isInGenerated = (path: string): boolean => path.split('/').slice(0, -1).some(isGenerated);
