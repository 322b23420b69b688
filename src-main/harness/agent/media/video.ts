/** A video to render a frame of. */
export interface Video {
  /** The whole file. */
  bytes: Uint8Array;
  /** Such as `video/mp4`. */
  mimeType: string;
  /** Seconds from its start. */
  at: number;
}

/**
 * Renders one frame of an untrusted video as PNG; null if that fails for any reason. Cancel: rejects with the signal's
 * reason.
 */
export type DrawFrame = (video: Video, signal: AbortSignal) => Promise<Uint8Array | null>;
