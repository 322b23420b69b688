import type { Message } from '@contract/conversation';
import type { ProjectId, ThreadId } from '@contract/ids';
import type { ToolDisplay } from '@contract/shared/tool-display';
import { useEffect, useMemo } from 'react';
import { call, onHostEvent, useThreadPart } from '../../link';

const FOLLOWED = new Set<ToolDisplay | undefined>(['read', 'write', 'edit']);
/** Maximum number of characters of a line to search for. */
const MAX_QUERY = 1_000;

interface Followed {
  id: string;
  path: string;
  /** 1-based line of the read. */
  line: number | null;
  /** Set after a write: a line of the written text, to search for if nothing tells its position. */
  wrote: { words: string } | null;
}

/** The file of the agent's last started call. */
function lastFile(messages: readonly Message[]): Followed | null {
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role !== 'agent') continue;
    const last = message.calls.findLast(
      ({ display, status, args }) =>
        FOLLOWED.has(display) && status !== 'pending' && typeof args.file_path === 'string',
    );
    if (last === undefined) continue;
    const { file_path: path, offset, new_string: text } = last.args;
    if (typeof path !== 'string') continue;
    const words = typeof text === 'string' ? (text.split('\n').find((line) => line.trim() !== '') ?? '') : '';
    return {
      id: last.callId,
      path,
      line: typeof offset === 'number' && offset > 0 ? offset + 1 : null,
      wrote: last.status === 'done' && last.display !== 'read' ? { words: words.slice(0, MAX_QUERY) } : null,
    };
  }
  return null;
}

interface FollowOptions {
  projectId: ProjectId;
  threadId: ThreadId | null;
  on: boolean;
  open(path: string, line: number | null): void;
}

/** While it is on, opens what the agent reads and edits, at the line that it reads or has changed. */
export function useFollow({ projectId, threadId, on, open }: FollowOptions): void {
  const text = useThreadPart(on ? threadId : null, ({ messages }) => JSON.stringify(lastFile(messages)));
  const key = useMemo(() => text ?? 'null', [text]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens once per call, and again after a write
  useEffect(() => {
    const last = on ? (JSON.parse(key) as Followed | null) : null;
    if (last === null) return;
    open(last.path, last.line);
    const { wrote } = last;
    if (wrote === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    const byTimeline = async () => {
      const line = await changedLine(projectId, last, signal);
      if (line === null || signal.aborted) return;
      // The line is now known for sure, so the search stops.
      controller.abort();
      open(last.path, line);
    };
    const look = async () => {
      await byTimeline();
      if (wrote.words === '' || signal.aborted) return;
      const line = await lineOf({ projectId, threadId }, last.path, wrote.words, signal);
      if (line !== null && !signal.aborted) open(last.path, line);
    };
    void look();
    // A write may be recorded a moment after the call is done.
    const stop = onHostEvent('changes.recorded', (event) => {
      if (event.projectId === projectId && !signal.aborted) void byTimeline();
    });
    return () => {
      controller.abort();
      stop();
    };
  }, [key, on]);
}

/** The first line (1-based) that a call changed, from the timeline; null if there is none or it is unknown. */
async function changedLine(
  projectId: ProjectId,
  { id, path }: Followed,
  signal: AbortSignal,
): Promise<number | null> {
  const blame = await call('files.blame', { projectId, path }, signal);
  if (!blame.ok) return null;
  let line = 1;
  for (const { count, step } of blame.value.runs) {
    const author = step === null ? undefined : blame.value.steps[step]?.author;
    if (author?.by === 'agent' && author.callId === id) return line;
    line += count;
  }
  return null;
}

/** The first position of a line of text in a file (1-based). */
async function lineOf(
  place: { projectId: ProjectId; threadId: ThreadId | null },
  path: string,
  query: string,
  signal: AbortSignal,
): Promise<number | null> {
  const found = await call('files.search', { ...place, path, query }, signal);
  const line = found.ok ? found.value.lines[0] : undefined;
  return line === undefined ? null : line + 1;
}
