import { z } from 'zod';
import { AppSnapshot } from '../app';
import { command, nothing } from '../command';

/** The licenses of the packages whose code ships with the app. */
export const Licenses = z.object({
  packages: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      /** SPDX */
      license: z.string(),
      /** The index of its text; null: the package ships none. */
      text: z.number().int().nonnegative().nullable(),
    }),
  ),
  texts: z.array(z.string()),
});
export type Licenses = z.infer<typeof Licenses>;

/** The app as a whole. */
export const appCommands = {
  /** The app's state. From now on, this connection receives app events. */
  'app.open': command(nothing, AppSnapshot),
  'app.licenses': command(nothing, Licenses),
  /** Facts for a bug report, in English. It contains no keys, names, paths, messages or file contents. */
  'app.diagnostics': command(nothing, z.object({ text: z.string() })),
} as const;
