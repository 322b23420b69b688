import { isConditional } from '../checked-change';
import type { ExecuteOptions, ExecuteResponse } from '../commands';
import type { FileDownloadResponse, FileUploadResponse, WriteOptions } from '../protocol';
import { SandboxBackend } from './sandbox';

/**
 * A sandbox whose subclass only runs commands and transfers files. All other methods build on these and work the same in
 * every sandbox. Uploads with conditions do, too: the subclass need not know them.
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
      uploadFiles: (files) => upload.call(sandbox(), files),
      downloadFiles: (paths) => sandbox().downloadFiles(paths),
    });
    own.sandbox = this;
    const upload = this.uploadFiles;
    this.uploadFiles = (files: [path: string, content: Uint8Array][], options?: WriteOptions) =>
      isConditional(options) ? super.uploadFiles(files, options) : upload.call(this, files);
  }

  abstract override get id(): string;
  abstract override execute(command: string, options?: ExecuteOptions): Promise<ExecuteResponse>;
  abstract override uploadFiles(files: [path: string, content: Uint8Array][]): Promise<FileUploadResponse[]>;
  abstract override downloadFiles(paths: string[]): Promise<FileDownloadResponse[]>;
}
