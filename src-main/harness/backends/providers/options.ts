import type { VfsOptions } from './vfs';

type Files = Record<string, string | Uint8Array>;

export interface Common {
  /** Where the backend's `/` is in the sandbox. Default: the sandbox's `/`. */
  root?: string;
  /** By absolute path in the sandbox. Missing folders are created. */
  initialFiles?: Files;
}

/** Options of each provider's package, with the names used there. */
export interface ProviderOptions {
  modal: Common & {
    appName?: string;
    imageName?: string;
    volumes?: Record<string, string>;
    secrets?: string[];
    /** Lifetime of the sandbox in milliseconds. */
    timeoutMs?: number;
    auth?: { tokenId?: string; tokenSecret?: string };
  };
  daytona: Common & {
    language?: 'typescript' | 'python' | 'javascript';
    image?: string;
    snapshot?: string;
    resources?: { cpu?: number; memory?: number; disk?: number };
    envVars?: Record<string, string>;
    labels?: Record<string, string>;
    target?: string;
    /** Time limit of one command in seconds. Default 300. */
    timeout?: number;
    /** In minutes. */
    autoStopInterval?: number;
    auth?: { apiKey?: string; apiUrl?: string };
  };
  deno: Common & {
    memoryMb?: number;
    /** `session`, or a duration such as `5m`. */
    lifetime?: string;
    region?: string;
    auth?: { token?: string };
  };
  vfs: VfsOptions;
}

/** Whose sandbox to open. */
export type ProviderKind = keyof ProviderOptions;
