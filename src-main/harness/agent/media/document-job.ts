/** What the document worker is asked. */
export interface DocumentJob {
  bytes: Uint8Array;
  /** Parts (pages, slides, rows, paragraphs) to skip. */
  offset: number;
  /** Parts wanted; 0 only counts them. */
  limit: number;
  /** UTF-16 units after which no further part is read. */
  maxLength: number;
}

export type DocumentUnit = 'page' | 'slide' | 'row' | 'paragraph';

export interface DocumentText {
  /** As a person calls it: `PDF`, `PowerPoint presentation`. */
  format: string;
  unit: DocumentUnit;
  /** Parts of the whole document. */
  total: number;
  /** The text of each part from `offset` on; one that is empty has none. */
  parts: string[];
}

/** `why` ends a sentence that begins with the document; `isUnavailable`: nothing was tried, there is no reader here. */
export type DocumentReport =
  | { ok: true; text: DocumentText }
  | { ok: false; why: string; isUnavailable?: boolean };

/** A document that cannot be read, with the reason for the person. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}
