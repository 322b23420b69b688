import { randomBytes } from 'node:crypto';
import { diskFull, type Failure, failure } from '../failure';
import { asDirectory, type CheckedPath } from '../paths';
import type { CallOptions, WriteOptions } from '../protocol';
import { callOf, notKnown, refusal, signalOf, wasKilled } from './sandbox-answers';
import { clientPath, type SandboxClient } from './sandbox-client';
import { lastWord, MAX_INLINE, type Placing, placeScript, quotePath, reasonIn } from './sandbox-scripts';

/** A file, and where it and its folder are in the sandbox. */
interface Place {
  at: CheckedPath;
  target: string;
  folder: string;
}

/**
 * Replaces a file in a sandbox in one step. Small content goes in one command. Larger content is uploaded beside its target
 * first, and nothing of it is left behind if that fails. `unsummed`: the sandbox has no checksums, so it cannot tell whether
 * the file has the expected version, and nothing was done. `formed`, only with `keepsForm`: nothing was done, because the
 * file is more than ASCII with LF, so the new text may have to be encoded like the old one.
 */
export async function putFile(
  client: SandboxClient,
  { at, target, folder }: Place,
  bytes: Buffer,
  options: WriteOptions & { keepsForm: boolean },
): Promise<Failure | null | 'unsummed' | 'formed'> {
  const beside = `${asDirectory(folder)}.deepdesk-${randomBytes(6).toString('hex')}`;
  const { createOnly = false, expectedVersion: version = null, keepsForm } = options;
  const put = (content: Placing['content']) =>
    place(client, at, { target, folder, beside, createOnly, version, keepsForm, content }, options);
  const small = bytes.length > MAX_INLINE ? 'plain' : await put({ base64: bytes.toString('base64') });
  if (small !== 'plain') return small === 'ready' ? refusal(small, at) : small;
  const ready = await put('prepare');
  if (ready !== 'ready') return ready === 'plain' ? refusal(ready, at) : ready;
  try {
    const [sent] = await client.uploadFiles([[clientPath(client, beside), bytes]], signalOf(options));
    if (sent?.error === null) {
      const done = await put('finish');
      return typeof done === 'string' ? refusal(done, at) : done;
    }
    await discard(client, beside);
    if (sent?.kind === 'storage') return diskFull(at.path);
    return failure('denied', `'${at.path}' could not be written (${sent?.error ?? 'no answer'}).`);
  } catch (thrown) {
    void discard(client, beside);
    throw thrown;
  }
}

/** Null: it is done. A text: what to do next. */
async function place(
  client: SandboxClient,
  at: CheckedPath,
  placing: Placing,
  options: CallOptions,
): Promise<Failure | null | 'plain' | 'ready' | 'unsummed' | 'formed'> {
  const ran = await client.execute(placeScript(placing), callOf(options));
  if (wasKilled(ran)) return notKnown(at.path);
  const { output } = ran;
  const word = lastWord(output);
  return word === 'plain' || word === 'ready' || word === 'unsummed' || word === 'formed'
    ? word
    : refusal(word, at, reasonIn(output));
}

async function discard(client: SandboxClient, beside: string): Promise<void> {
  try {
    await client.execute(`rm -f -- ${quotePath(beside)}`);
  } catch {
    // The sandbox cannot be reached.
  }
}
