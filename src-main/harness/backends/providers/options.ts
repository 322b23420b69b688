import type { VfsOptions } from './vfs';

/** Options of all providers. */
export interface Common {
  /** Where the backend's `/` is in the sandbox. Default: the sandbox's `/`. */
  root?: string;
  /** By absolute path in the sandbox. Missing folders are created. */
  initialFiles?: Record<string, string | Uint8Array>;
}

/** Options of each provider's package, with the names used there. */
export interface ProviderOptions {
  /** For `@langchain/modal`. */
  modal: Common & {
    /** Modal app that contains the sandbox. It is created if it does not exist. Default: `deepagents-sandbox`. */
    appName?: string;
    /** Container image. Default: `alpine:3.21`. */
    imageName?: string;
    /** Names of Modal volumes, by mount path. */
    volumes?: Record<string, string>;
    /** Names of Modal secrets, which become variables. */
    secrets?: string[];
    /** Lifetime of the sandbox in milliseconds. */
    timeoutMs?: number;
    /** Default: the environment. */
    auth?: {
      /** Default: `MODAL_TOKEN_ID`. */
      tokenId?: string;
      /** Default: `MODAL_TOKEN_SECRET`. */
      tokenSecret?: string;
    };
  };
  /** For `@langchain/daytona`. */
  daytona: Common & {
    /** Runtime of the sandbox. Default: `typescript`. */
    language?: 'typescript' | 'python' | 'javascript';
    /** Container image, instead of a snapshot. */
    image?: string;
    /** Snapshot to start from, instead of `image`. Default: the provider's. */
    snapshot?: string;
    /** Default: the provider's. Needs `image`. */
    resources?: {
      /** Cores. */
      cpu?: number;
      /** GiB. */
      memory?: number;
      /** GiB. */
      disk?: number;
    };
    /** Environment variables of commands. */
    envVars?: Record<string, string>;
    /** Labels of the sandbox at the provider. */
    labels?: Record<string, string>;
    /** Region: `us` (default) or `eu`. */
    target?: string;
    /** Time limit of one command in seconds. Default 300. */
    timeout?: number;
    /** Minutes without use after which the sandbox stops. 0: never. Default 15. */
    autoStopInterval?: number;
    /** Default: the environment. */
    auth?: {
      /** Default: `DAYTONA_API_KEY`. */
      apiKey?: string;
      /** Default: `DAYTONA_API_URL`, or else Daytona's own service. */
      apiUrl?: string;
    };
  };
  /** For `@langchain/deno`. */
  deno: Common & {
    /** Memory in MB. */
    memoryMb?: number;
    /** `session`, or a duration such as `5m`. */
    lifetime?: string;
    /** Region of the sandbox. */
    region?: string;
    /** Default: the environment. */
    auth?: {
      /** Default: `DENO_DEPLOY_TOKEN`. The package also sets that variable of this process to it. */
      token?: string;
    };
  };
  /** Files in memory, without a provider. */
  vfs: VfsOptions;
}

/** Whose sandbox to open. */
export type ProviderKind = keyof ProviderOptions;
