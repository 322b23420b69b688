/** A video whose picture is wanted. */
export interface Video {
  bytes: Uint8Array;
  mimeType: string;
  /** Seconds from its beginning. */
  at: number;
}

/**
 * One frame of a video as PNG, of any provenance; null where none could be had, for whatever reason. Cancel: rejects with
 * the signal's reason.
 */
export type DrawFrame = (video: Video, signal: AbortSignal) => Promise<Uint8Array | null>;
