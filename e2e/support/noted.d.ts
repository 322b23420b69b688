export {};

declare global {
  /**
   * In the main process of the app, for journeys that stand in for the system there: what it was asked and told. Each
   * journey sets the parts that it notes.
   */
  var noted: {
    /** Words of dialogs. */
    asked: string[];
    /** Dialogs with the answer that was set beforehand. */
    questions: { detail: string | undefined; preset: number | undefined }[];
    /** What such dialogs are answered from now on. */
    answer: number;
    /** Addresses and paths that were handed to the system. */
    opened: string[];
    /** Titles of boxes that tell of an error. */
    said: string[];
    /** Times that a window was brought to the front, and that a page was loaded. */
    focused: number;
    loads: number;
  };
}
