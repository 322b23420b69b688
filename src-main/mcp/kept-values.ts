import type { z } from 'zod';

/** Where a few values are kept by name. */
export interface KeptValues {
  get<S extends z.ZodType>(key: string, schema: S): z.infer<S> | null;
  set(key: string, value: unknown): void;
  remove(key: string): void;
}
