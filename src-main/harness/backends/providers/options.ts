import type { VfsOptions } from './vfs';

type Files = Record<string, string | Uint8Array>;

interface Common {
  /** Where `/` of the backend is in the sandbox. Default its own `/`. */
  root?: string;
  /** By absolute path in the sandbox; folders are made. */
  initialFiles?: Files;
}

/** What each provider's package is given; names as there. */
export interface ProviderOptions {
  modal: Common & {
    appName?: string;
    imageName?: string;
    volumes?: Record<string, string>;
    secrets?: string[];
    /** Milliseconds that the sandbox lives. */
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
    /** Seconds of one command. Default 300. */
    timeout?: number;
    /** Minutes. */
    autoStopInterval?: number;
    auth?: { apiKey?: string; apiUrl?: string };
  };
  deno: Common & {
    memoryMb?: number;
    /** `session`, or a time such as `5m`. */
    lifetime?: string;
    region?: string;
    auth?: { token?: string };
  };
  vfs: VfsOptions;
}

export type ProviderKind = keyof ProviderOptions;
