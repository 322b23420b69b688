import type { ExecuteOptions, ExecuteResponse } from '../commands';
import type { FileDownloadResponse, FileUploadResponse } from '../protocol';
import { SandboxBackend } from './sandbox';

/**
 * A sandbox whose subclass only runs commands and transfers files. All other methods build on these and work the same in
 * every sandbox.
 */
export abstract class BaseSandbox extends SandboxBackend {
  constructor() {
    // `this` cannot be passed to the parent's constructor, so each call looks it up.
    const own: { sandbox?: BaseSandbox } = {};
    const sandbox = (): BaseSandbox => {
      if (own.sandbox === undefined) throw new Error('The sandbox is used before it is made.');
      return own.sandbox;
    };
    super({
      get id() {
        return sandbox().id;
      },
      execute: (command, options) => sandbox().execute(command, options),
      uploadFiles: (files) => sandbox().uploadFiles(files),
      downloadFiles: (paths) => sandbox().downloadFiles(paths),
    });
    own.sandbox = this;
  }

  abstract override get id(): string;
  abstract override execute(command: string, options?: ExecuteOptions): Promise<ExecuteResponse>;
  abstract override uploadFiles(files: [path: string, content: Uint8Array][]): Promise<FileUploadResponse[]>;
  abstract override downloadFiles(paths: string[]): Promise<FileDownloadResponse[]>;
}
