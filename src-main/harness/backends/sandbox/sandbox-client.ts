import { systemPath, textOfLatin1, textOfPath } from '../../../base/path-names';
import type { ExecuteOptions, ExecuteResponse } from '../commands';
import type { CallOptions, FileDownloadResponse, FileUploadResponse } from '../protocol';
import type { MaybePromise } from '../published-protocol';
import { callOf } from './sandbox-answers';

/** Everything that a sandbox has to offer: commands in a POSIX shell, and file transfer by absolute path. */
export interface SandboxClient {
  /** Not empty. */
  readonly id: string;
  /** Runs a command line with `sh`. An exit code is an answer; it rejects only if nothing is known of the command. */
  execute(command: string, options?: ExecuteOptions): MaybePromise<ExecuteResponse>;
  /**
   * The same with the output in `latin1`, so that names which are not UTF-8 arrive. With it, the paths of transfers have each
   * byte that is not UTF-8 as `\xHH`, and the backslash of a literal `\xHH` as `\x5c`.
   */
  executeLatin1?(command: string, options?: ExecuteOptions): MaybePromise<ExecuteResponse>;
  /** One answer for each file, in their order. Folders that are missing are created. The signal may be ignored. */
  uploadFiles(
    files: [path: string, content: Uint8Array][],
    options?: Pick<CallOptions, 'signal'>,
  ): MaybePromise<FileUploadResponse[]>;
  /** `maxBytes`: the kind is `too_large` for larger files. It and the signal may be ignored. */
  downloadFiles(
    paths: string[],
    maxBytes?: number,
    options?: Pick<CallOptions, 'signal'>,
  ): MaybePromise<FileDownloadResponse[]>;
}

/** Runs a script that prints names. They are in their text form in the output. */
export async function namesFrom(
  client: SandboxClient,
  script: string,
  options: CallOptions,
): Promise<ExecuteResponse> {
  if (client.executeLatin1 === undefined) {
    const ran = await client.execute(script, callOf(options));
    return { ...ran, output: textOfPath(ran.output) };
  }
  const ran = await client.executeLatin1(script, callOf(options));
  return { ...ran, output: textOfLatin1(ran.output) };
}

/** A path in its text form as the client takes it for a transfer. */
export function clientPath(client: SandboxClient, path: string): string {
  const plain = client.executeLatin1 === undefined ? systemPath(path) : path;
  return typeof plain === 'string' ? plain : path;
}
