import type { CommandName, Input, Output } from '@contract/commands';
import type { ProjectId, ThreadId } from '@contract/ids';
import type { ErrorInWords } from '@contract/result';
import { useCallback, useEffect, useState } from 'react';
import { call } from '../../../link';
import { useChanged } from '../use-changed';

/** An open file. */
export interface Place {
  projectId: ProjectId;
  threadId: ThreadId | null;
  /** Absolute, as the agent's tools name it. */
  path: string;
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

type Whole = 'files.text' | 'files.document' | 'files.address';
export type Answer<T> =
  | { phase: 'loading' }
  /** `failed`: why it could not be read again. */
  | { phase: 'there'; value: T; failed?: NotRead }
  | ({ phase: 'failed' } & NotRead);

interface NotRead {
  error: ErrorInWords;
  retry(): void;
}

/**
 * The response for a file, requested again whenever the file changes. The old response stays until then, and also if that fails.
 */
function useAnswer<C extends Whole & CommandName>(command: C, place: Place): Answer<Output<C>> {
  const { projectId, threadId, path } = place;
  const [answer, setAnswer] = useState<Answer<Output<C>>>({ phase: 'loading' });
  const [asked, setAsked] = useState(0);
  const again = useCallback(() => setAsked((n) => n + 1), []);
  useChanged(projectId, threadId, path, again);
  // biome-ignore lint/correctness/useExhaustiveDependencies: requests again when the file changes
  useEffect(() => {
    const controller = new AbortController();
    const input: Input<Whole> = { projectId, threadId, path };
    void call(command, input as Input<C>, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      setAnswer((before) => {
        if (result.ok) return { phase: 'there', value: result.value };
        const failed = { error: result.error, retry: again };
        return before.phase === 'there' ? { ...before, failed } : { phase: 'failed', ...failed };
      });
    });
    return () => controller.abort();
  }, [command, projectId, threadId, path, asked]);
  return answer;
}

/** The whole text of a file. */
export const useText = (place: Place) => useAnswer('files.text', place);
/** The text of an office document. */
export const useDocument = (place: Place) => useAnswer('files.document', place);
/** A URL for an element that shows the file. */
export const useAddress = (place: Place) => useAnswer('files.address', place);

/** Reads bytes of a file; fewer at its end. Rejects with the error. */
export async function readBytes(
  place: Place,
  offset: number,
  length: number,
  signal?: AbortSignal,
): Promise<{ bytes: Uint8Array; size: number }> {
  const { projectId, threadId, path } = place;
  const result = await call('files.bytes', { projectId, threadId, path, offset, length }, signal);
  if (!result.ok) throw new Error(result.error.message);
  const text = atob(result.value.data);
  return { bytes: Uint8Array.from(text, (character) => character.charCodeAt(0)), size: result.value.size };
}
