import { z } from 'zod';

export const placesEvents = [
  /** A place was added, changed or removed, or its state changed. */
  z.object({ type: z.literal('places.changed') }),
] as const;
