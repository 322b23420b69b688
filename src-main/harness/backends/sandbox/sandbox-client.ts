import type { ExecuteOptions, ExecuteResponse } from '../commands';
import type { FileDownloadResponse, FileUploadResponse } from '../protocol';
import type { MaybePromise } from '../published-protocol';

/** Everything that a sandbox has to offer: commands in a POSIX shell, and file transfer by absolute path. */
export interface SandboxClient {
  /** Not empty. */
  readonly id: string;
  /** Runs a command line with `sh`. An exit code is an answer; it rejects only if nothing is known of the command. */
  execute(command: string, options?: ExecuteOptions): MaybePromise<ExecuteResponse>;
  /** One answer for each file, in their order. Folders that are missing are created. */
  uploadFiles(files: [path: string, content: Uint8Array][]): MaybePromise<FileUploadResponse[]>;
  /** `maxBytes`: the kind is `too_large` for larger files. It may be ignored. */
  downloadFiles(paths: string[], maxBytes?: number): MaybePromise<FileDownloadResponse[]>;
}
