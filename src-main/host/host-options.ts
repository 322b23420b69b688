import type { AppSnapshot } from '../contract/app';
import type { Approval } from '../contract/approvals';
import type { ApprovalMode } from '../contract/control';
import type { SandboxFound } from '../harness/sandbox';
import type { PageNetwork } from '../harness/tools/web/page-network';
import type { UpdatesOptions } from '../updates/updates';
import type { RehearsalEngine } from './project/rehearsals/rehearsal-engine';
import type { Clock } from './routines/clock';
import type { RequestRules } from './settings/model-service';
import type { DesktopServices } from './window/desktop-services';

export interface HostOptions {
  /** Folder of the database and of the sample project. */
  dataDir: string;
  desktop: DesktopServices;
  version: string;
  /** The running version of Electron, if it is not the one that the app is made for. */
  fallbackRuntime?: string;
  env: NodeJS.ProcessEnv;
  /** What the person should know about this run from the start. */
  warnings: AppSnapshot['warnings'];
  /** The sample project as shipped, copied into the data folder at the first start. Null: no sample is offered. */
  sampleFolder: string | null;
  /** The skills as shipped. Absent: none. */
  skillsFolder?: string;
  /** Started to find out what is wrong: no MCP server runs. */
  safeMode?: boolean;
  /** How the app gets new versions. Absent: it never checks for any. */
  updates?: Omit<UpdatesOptions, 'version'>;
  /** Reads the licenses of what ships, as the build wrote them. Absent: unknown. */
  licenses?: () => Promise<string>;
  /** The last lines of the log. Absent: there is no log. */
  logLines?: () => readonly string[];
  /** A base URL for every provider, which replaces the stored ones. */
  baseUrl?: string;
  /** The model names new threads after its first answer. */
  titles?: boolean;
  /** Runs routines when they are due. Default: only by hand. */
  schedules?: boolean;
  /** For tests: the time for routines. */
  clock?: Clock;
  /** For tests: other timeouts and retries for providers. */
  requests?: RequestRules;
  /** For tests: a sandbox for commands, or none, instead of the machine's own. */
  sandbox?: SandboxFound;
  /** For tests: runs commands in throwaway layers instead of the system's own. Null: no rehearsals. */
  layers?: RehearsalEngine | null;
  /** For tests: the maximum number of excluded files that a command names and undo keeps. */
  namedFiles?: number;
  /** For tests: how web pages are reached. */
  pages?: PageNetwork;
  /** The approval mode of this process, which overrides those of the projects. */
  mode?: ApprovalMode;
  /** Decides instead of a person about a command that reached its time limit: whether it may continue. */
  overtime?: (approval: Approval, over: AbortSignal) => Promise<boolean>;
  /** The database has to be checked, migrated or repaired, which takes seconds. Returns what to call after that. */
  onSlowData?: () => () => void;
  /** Receives bugs that were caught at a boundary. */
  report: (where: string, error: unknown) => void;
}
