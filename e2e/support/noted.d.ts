export {};

declare global {
  /**
   * In the app's main process, for journeys that replace the system there: what it was asked and told. Each journey sets the
   * parts that it records.
   */
  var noted: {
    /** Texts of dialogs. */
    asked: string[];
    /** Dialogs with their default answer. */
    questions: { detail: string | undefined; preset: number | undefined }[];
    /** The answer to such dialogs from now on. */
    answer: number;
    /** URLs and paths that were passed to the system. */
    opened: string[];
    /** Titles of error boxes. */
    said: string[];
    /** How often a window was brought to the front, and how often a page was loaded. */
    focused: number;
    loads: number;
    /** How often the pages' storage was written to the disk. */
    flushes: number;
  };
}
