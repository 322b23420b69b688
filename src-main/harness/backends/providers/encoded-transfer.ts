import { randomBytes } from 'node:crypto';
import type { FileDownloadResponse, FileUploadResponse } from '../protocol';
import type { SandboxClient } from '../sandbox/sandbox';
import { MAX_INLINE, quote } from '../sandbox/sandbox-scripts';

/** Maximum bytes of a file that shares an answer with others. A larger file is sent alone, in pieces. */
const TOGETHER = 1024 * 1024;
/** Bytes per piece. */
const PIECE = 8 * 1024 * 1024;
/** Characters of paths in one command, far below the limit of a command. */
const MAX_COMMAND = 60_000;

/**
 * A client that transfers files as base64 through commands. The wrapped client's transfer decodes files as text, which
 * corrupts binary bytes, and puts paths unquoted into shell commands. Large files are uploaded as base64 text under a plain
 * name.
 */
export function encodedTransfer(client: SandboxClient): SandboxClient {
  const run = async (command: string) => client.execute(command);

  const upload = async (path: string, content: Uint8Array): Promise<FileUploadResponse> => {
    const encoded = Buffer.from(content).toString('base64');
    const target = quote(path);
    const decode = (source: string) => `[ -d ${target} ] && exit 21; ${source} | base64 -d >${target}`;
    if (content.length <= MAX_INLINE) {
      const { exitCode } = await run(decode(`printf %s ${quote(encoded)}`));
      return { path, error: uploadError(exitCode) };
    }
    const beside = `/tmp/deepdesk-${randomBytes(6).toString('hex')}`;
    const [sent] = await client.uploadFiles([[beside, new TextEncoder().encode(encoded)]]);
    if (sent === undefined || sent.error !== null) return { path, error: sent?.error ?? 'permission_denied' };
    const { exitCode } = await run(`trap 'rm -f ${beside}' EXIT; ${decode(`cat ${beside}`)}`);
    return { path, error: uploadError(exitCode) };
  };

  const inPieces = async (path: string, size: number): Promise<Uint8Array | null> => {
    const pieces: Buffer[] = [];
    for (let at = 0; at < size; at += PIECE) {
      const { output, exitCode, truncated } = await run(
        `tail -c +${at + 1} ${quote(path)} | head -c ${PIECE} | base64`,
      );
      const piece = Buffer.from(output, 'base64');
      if (exitCode !== 0 || truncated || piece.length !== Math.min(PIECE, size - at)) return null;
      pieces.push(piece);
    }
    return new Uint8Array(Buffer.concat(pieces));
  };

  const downloadSome = async (paths: string[]): Promise<FileDownloadResponse[]> => {
    const script = `one() {
if [ -d "$1" ]; then echo directory; elif [ ! -e "$1" ]; then echo missing
elif [ ! -f "$1" ] || [ ! -r "$1" ]; then echo closed
else s=$(wc -c <"$1"); echo file $s; [ "$s" -gt ${TOGETHER} ] || base64 <"$1"
fi; echo //; }
${paths.map((path) => `one ${quote(path)}`).join('\n')}`;
    const { output } = await run(script);
    const answers = output.split('//\n');
    return Promise.all(
      paths.map(async (path, index): Promise<FileDownloadResponse> => {
        const [, word, length, encoded = ''] =
          /^\s*(\w+) ?(\d*)\n([\s\S]*)$/.exec(answers[index] ?? '') ?? [];
        if (word !== 'file') return { path, content: null, error: downloadError(word) };
        const size = Number(length);
        const content =
          size > TOGETHER ? await inPieces(path, size) : new Uint8Array(Buffer.from(encoded, 'base64'));
        return content === null || content.length !== size
          ? { path, content: null, error: 'permission_denied' }
          : { path, content, error: null };
      }),
    );
  };

  return {
    get id() {
      return client.id;
    },
    execute: (command, options) => client.execute(command, options),
    async uploadFiles(files) {
      const answers: FileUploadResponse[] = [];
      for (const [path, content] of files) answers.push(await upload(path, content));
      return answers;
    },
    async downloadFiles(paths) {
      const answers: FileDownloadResponse[] = [];
      for (let from = 0; from < paths.length; ) {
        let to = from;
        for (let length = 0; to < paths.length; to += 1) {
          length += (paths[to]?.length ?? 0) + 10;
          if (to > from && length > MAX_COMMAND) break;
        }
        answers.push(...(await downloadSome(paths.slice(from, to))));
        from = to;
      }
      return answers;
    },
  };
}

function uploadError(exitCode: number | null): FileUploadResponse['error'] {
  if (exitCode === 0) return null;
  return exitCode === 21 ? 'is_directory' : 'permission_denied';
}

function downloadError(word: string | undefined): FileDownloadResponse['error'] {
  if (word === 'missing') return 'file_not_found';
  return word === 'directory' ? 'is_directory' : 'permission_denied';
}
