/** A request to the document worker. */
export interface DocumentJob {
  bytes: Uint8Array;
  /** Parts (pages, slides, rows, paragraphs) to skip. */
  offset: number;
  /** Parts to read; 0 only counts them. */
  limit: number;
  /** UTF-16 units after which no more parts are read. */
  maxLength: number;
}

export type DocumentUnit = 'page' | 'slide' | 'row' | 'paragraph';

export interface DocumentText {
  /** The name people use: `PDF`, `PowerPoint presentation`. */
  format: string;
  unit: DocumentUnit;
  /** Number of parts in the whole document. */
  total: number;
  /** The text of each part from `offset` on; an empty part has none. */
  parts: string[];
  /** In a workbook: the positions of the lines that name a sheet, among all parts. */
  headings?: number[];
  /** In a workbook, for each part: where it stands, and that it is hidden. Precedes the part, but is no text of the file. */
  marks?: string[];
}

/** `why` ends a sentence that starts with the document. `isUnavailable`: nothing was tried because there is no reader. */
export type DocumentReport =
  | { ok: true; text: DocumentText }
  | { ok: false; why: string; isUnavailable?: boolean };

/** A document that cannot be read, with a reason for the person. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}
