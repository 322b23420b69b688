import type { Project } from '../contract/app';
import type { ProjectId } from '../contract/ids';
import type { Reason } from '../contract/shared/reasons';
import type { Clock } from './clock';
import type { ProgramPlaces } from './config/program-files';
import type { SecretValues } from './config/secret-refs';
import type { KeptValues } from './kept-values';
import type { LikelySecrets } from './open-secrets';
import type { SignInOptions } from './sign-in/sign-in';
import type { ProcessKeeper } from './transport/processes';

/** What the servers of the app need. */
export interface McpOptions extends ProgramPlaces {
  /** The folder that contains the person's `mcp.json`. */
  dataDir: string;
  /** No server runs, as if the person had turned each one off. */
  isOff?: boolean;
  baseEnv: Readonly<Record<string, string>>;
  version: string;
  processes: ProcessKeeper;
  kept: KeptValues;
  /** Stores the values that the person types in the settings. */
  values: SecretValues;
  likelySecrets: LikelySecrets;
  /** Opens an address in the person's browser. False: they declined. */
  openBrowser: (url: URL) => Promise<boolean>;
  /** The text that the browser shows after a sign-in. */
  signInWords: () => SignInOptions['words'];
  /** A turn starts without the tools of servers that the person must first sign in to. */
  onSignInNeeded: (names: string[]) => void;
  /** A turn starts without what these configuration files, entries or servers should have given it. */
  onUnusable: (why: Reason[]) => void;
  /** Names of Deepdesk's tools. */
  reserved: ReadonlySet<string>;
  onChanged: (projectId: ProjectId | null) => void;
  /**
   * A turn starts without servers that need the person's permission: those of its folder, or if `project` is null, servers
   * of the person whose files have changed.
   */
  onWaiting: (project: Project | null, names: string[]) => void;
  clock?: Clock;
}
