import type { z } from 'zod';

/** A store for a few named values. */
export interface KeptValues {
  get<S extends z.ZodType>(key: string, schema: S): z.infer<S> | null;
  set(key: string, value: unknown): void;
  remove(key: string): void;
}
