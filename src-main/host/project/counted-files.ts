/** Maximum number of files whose lines are counted per list. */
export const MAX_COUNTED_FILES = 300;

/** The part of an answer that says how many of its files have no counts for that reason. */
export const uncountedOf = (files: number): { uncounted?: number } =>
  files > MAX_COUNTED_FILES ? { uncounted: files - MAX_COUNTED_FILES } : {};
