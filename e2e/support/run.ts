import { z } from 'zod';

/** What one run of the journeys shares: made by global-setup, read by every worker. */
const Run = z.object({
  /** The folder that Electron starts: the repository, or a copy of what the app needs of it. */
  appFolder: z.string(),
  /** Where tests make their folders; removed after the run. */
  temp: z.string(),
  /** Who runs the app. Null: whoever runs the tests. Root never runs it: Chromium's sandbox is part of what is tested. */
  user: z.object({ uid: z.number(), gid: z.number() }).nullable(),
  /** What the app gets of the tests' environment, such as the display. */
  env: z.record(z.string(), z.string()),
  /** What `npm run package` would package. `binding`: of SQLite for that Electron, where the package's own does not fit. */
  runtime: z.object({ dist: z.string(), binding: z.string().optional() }),
  /** Electron's program, where the app's user can run it. */
  program: z.string(),
  /** Copies of Electron need their helper to belong to root with the set-user-id bit: the app's user can make no namespaces. */
  needsHelper: z.boolean(),
  /** Why Chromium cannot sandbox its processes on this system; null where it can. */
  sandboxOff: z.string().nullable(),
});
export type Run = z.infer<typeof Run>;

const VARIABLE = 'DEEPDESK_E2E_RUN';

/** Hands the run to the workers, which inherit the environment. */
export function shareRun(run: Run): void {
  process.env[VARIABLE] = JSON.stringify(run);
}

/** The run that global-setup made. Throws outside of a Playwright run. */
export function currentRun(): Run {
  const text = process.env[VARIABLE];
  if (text === undefined) throw new Error('no run is set up: start the journeys with npm run e2e');
  return Run.parse(JSON.parse(text));
}
