import { z } from 'zod';
import { command } from '../command';

/** Maximum UTF-16 units of a diagram's source, and of the result. */
const MAX_SOURCE = 50_000;

const MAX_PICTURE = 8_000_000;

/** A drawn diagram: an image that runs and loads nothing in an `img`, in CSS pixels. */
export const Drawing = z.object({
  source: z
    .string()
    .max(MAX_PICTURE)
    .refine((source) => source.startsWith('data:image/svg+xml;')),
  width: z.number().positive().max(100_000),
  height: z.number().positive().max(100_000),
});

/** An SVG file as pixels, with its number of pixels per CSS pixel. */
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
   * Draws a Mermaid diagram outside the window. Errors: `invalid` if it is not a diagram, `timeout` if it takes too long,
   * `unsupported` if nothing can draw.
   */
  'diagrams.draw': command(
    z.strictObject({ source: z.string().min(1).max(MAX_SOURCE), dark: z.boolean() }),
    Drawing,
  ),
} as const;
