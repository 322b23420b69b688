import { z } from 'zod';

/** The shared data of one run of the journeys: written by global-setup, read by every worker. */
const Run = z.object({
  /** The folder that Electron starts: the repository, or a copy of the parts that the app needs. */
  appFolder: z.string(),
  /** The parent of the tests' folders; removed after the run. */
  temp: z.string(),
  /** The user who runs the app. Null: the user who runs the tests. Never root: Chromium's sandbox is part of the test. */
  user: z.object({ uid: z.number(), gid: z.number() }).nullable(),
  /** The part of the tests' environment that the app gets, such as the display. */
  env: z.record(z.string(), z.string()),
  /**
   * What `npm run package` would package. `binding`: the SQLite binding for that Electron if the package's own does not fit.
   */
  runtime: z.object({ dist: z.string(), binding: z.string().optional() }),
  /** Electron's program, at a path where the app's user can run it. */
  program: z.string(),
  /**
   * Copies of Electron need a helper owned by root with the set-user-id bit, because the app's user cannot create
   * namespaces.
   */
  needsHelper: z.boolean(),
  /** Why Chromium cannot sandbox its processes on this system; null if it can. */
  sandboxOff: z.string().nullable(),
});
export type Run = z.infer<typeof Run>;

const VARIABLE = 'DEEPDESK_E2E_RUN';

/** Passes the run to the workers, which inherit the environment. */
export function shareRun(run: Run): void {
  process.env[VARIABLE] = JSON.stringify(run);
}

/** The run that global-setup created. Throws outside of a Playwright run. */
export function currentRun(): Run {
  const text = process.env[VARIABLE];
  if (text === undefined) throw new Error('no run is set up: start the journeys with npm run e2e');
  return Run.parse(JSON.parse(text));
}
