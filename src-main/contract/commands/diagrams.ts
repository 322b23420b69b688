import { z } from 'zod';
import { command } from '../command';

/** UTF-16 units of a source that is drawn, and of what comes of it. */
const MAX_SOURCE = 50_000;

const MAX_PICTURE = 8_000_000;

/** A drawn diagram: a picture that runs and loads nothing where an `img` shows it, in CSS pixels. */
export const Drawing = z.object({
  source: z
    .string()
    .max(MAX_PICTURE)
    .refine((source) => source.startsWith('data:image/svg+xml;')),
  width: z.number().positive().max(100_000),
  height: z.number().positive().max(100_000),
});

/** An SVG file as pixels, and how many of them for one CSS pixel. */
export const VectorDrawing = z.object({
  url: z
    .string()
    .max(MAX_PICTURE)
    .refine((url) => url.startsWith('data:image/png;base64,')),
  scale: z.number().positive(),
});

/** Diagrams in answers. */
export const diagramsCommands = {
  /**
   * Draws a Mermaid diagram outside of the window. Errors: `invalid` for what is none, `timeout` for one that takes too
   * long, `unsupported` where nothing can draw.
   */
  'diagrams.draw': command(
    z.strictObject({ source: z.string().min(1).max(MAX_SOURCE), dark: z.boolean() }),
    Drawing,
  ),
} as const;
