import type { ExecuteOptions, ExecuteResponse, FileDownloadResponse, FileUploadResponse } from './protocol';

type MaybePromise<T> = T | Promise<T>;

/** Everything that a sandbox has to offer: commands in a POSIX shell, and file transfer by absolute path. */
export interface SandboxClient {
  readonly id: string;
  execute(command: string, options?: ExecuteOptions): MaybePromise<ExecuteResponse>;
  uploadFiles(files: [path: string, content: Uint8Array][]): MaybePromise<FileUploadResponse[]>;
  /** `maxBytes`: the kind is `too_large` for larger files. It may be ignored. */
  downloadFiles(paths: string[], maxBytes?: number): MaybePromise<FileDownloadResponse[]>;
}
