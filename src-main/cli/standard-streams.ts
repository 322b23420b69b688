import type { Output } from './print';

type Stream = NodeJS.WritableStream & { isTTY?: boolean };

interface Streams {
  stdout: Stream;
  stderr: Stream;
}

export interface StandardStreams extends Output {
  /** Whether standard output failed, for example on a full disk. A reader that closed its end does not count. */
  isIncomplete(): boolean;
}

/**
 * Writes to standard output and standard error. The run does not depend on them: if one fails, its further text is dropped,
 * and a failure of standard output is reported once on standard error.
 */
export function standardStreams({ stdout, stderr }: Streams): StandardStreams {
  let isIncomplete = false;
  const err = writer(stderr, () => undefined);
  const out = writer(stdout, (error) => {
    // A reader that has seen enough (`| head -1`) closes its end.
    if (error.code === 'EPIPE') return;
    isIncomplete = true;
    err(`Couldn't write the output (${error.code ?? error.message}). The rest of it is not printed.\n`);
  });
  return { out, err, isIncomplete: () => isIncomplete };
}

/** Writes until the first failure. A file fails in the call, a pipe later in an event. */
function writer(stream: Stream, failed: (error: NodeJS.ErrnoException) => void): (text: string) => void {
  let isOpen = true;
  const stop = (error: NodeJS.ErrnoException) => {
    if (!isOpen) return;
    isOpen = false;
    failed(error);
  };
  stream.on('error', stop);
  return (text) => {
    if (!isOpen) return;
    try {
      stream.write(stream.isTTY === true ? text.replace(CONTROLS, escaped) : text);
    } catch (error) {
      stop(error as NodeJS.ErrnoException);
    }
  };
}

/**
 * Controls that a terminal obeys, except tabs and line ends. A file or a page that the agent quotes could set the clipboard or
 * overwrite what was printed before.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that it replaces.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\r(?!\n)/g;
const escaped = (control: string) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
