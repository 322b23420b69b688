import type { ExecuteOptions, ExecuteResponse, FileDownloadResponse, FileUploadResponse } from './protocol';
import { SandboxBackend } from './sandbox';

/**
 * A sandbox by what its subclass can: run a command, take files and give them. All other methods are made of these, and
 * mean the same in every sandbox.
 */
export abstract class BaseSandbox extends SandboxBackend {
  constructor() {
    // A parent's constructor cannot be given `this`: calls look for it when they are made.
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
