import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { FileData } from '../../harness/backends/protocol';
import { openStorage } from '../../storage';
import { openDatabase } from '../../storage/database/open';
import { namespaceOf, pathOfMemory } from '../memories/memory-scopes';
import type { SoakResult } from './soak';
import { expectedAfter, LONG_OUTPUT_LINES } from './soak-plan';

/** Pairs of expected and actual values; all are equal after a good run. */
export interface Findings {
  database: unknown[];
  /** Markers of the agent's answers, in order: from the graph, the window, and sub-agents. */
  graph: string[];
  shown: string[];
  parts: Map<string, string[]>;
  /** Calls that are not followed by exactly one result. */
  unanswered: string[];
  folder: Map<string, string>;
  log: string[];
  notes: Map<string, string>;
  memories: Map<string, string>;
  /** Results that were offloaded to a file, and those whose file is missing or incomplete. */
  offloaded: number;
  incompleteOffloads: string[];
  /** Compactions, and their archives that are missing or hold the wrong steps. */
  compactions: number;
  badArchives: string[];
}

/** Inspects everything that the run left, in a process that took no part in it. */
export async function findingsOf(result: SoakResult): Promise<Findings> {
  const { file, threadId, state, folder } = result;
  const checked = openDatabase(file);
  if (!checked.ok) throw new Error(inEnglish(checked.error));
  const { db, warnings } = checked.value;
  const database = [db.pragma('integrity_check', { simple: true }), db.pragma('foreign_key_check'), warnings];
  db.close();

  const opened = openStorage(file);
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  const storage = opened.value;
  try {
    const tuple = await storage.checkpointer.getTuple({ configurable: { thread_id: threadId } });
    const values = tuple?.checkpoint.channel_values as GraphValues | undefined;
    if (values === undefined) throw new Error('the thread has no checkpoint');
    const { messages, files, _compactions: compactions = [] } = values;
    const namespace = namespaceOf(storage, state.thread.projectId) ?? [];
    const memories = await storage.store.search(namespace, { limit: 1_000 });
    const ended = state.messages.filter((message) => message.role === 'agent' && message.phase === 'done');
    const shown = ended.flatMap((message) =>
      message.role === 'agent' && message.parentCallId === undefined ? marks(message.text, 'Step') : [],
    );
    const parts = new Map<string, string[]>();
    for (const message of ended)
      for (const mark of message.role === 'agent' ? marks(message.text, 'Part') : []) {
        const who = mark.slice(5, -2);
        parts.set(who, [...(parts.get(who) ?? []), mark]);
      }
    const scratch = Object.entries(files);
    return {
      database,
      graph: messages.flatMap((one) => (AIMessage.isInstance(one) ? marks(one.text, 'Step') : [])),
      shown,
      parts,
      unanswered: unanswered(messages),
      folder: new Map(
        readdirSync(join(folder, 'out')).map((name) => [
          `out/${name}`,
          readFileSync(join(folder, 'out', name), 'utf8'),
        ]),
      ),
      log: readFileSync(join(folder, 'log.txt'), 'utf8').trimEnd().split('\n'),
      notes: new Map(
        scratch.flatMap(([path, data]) =>
          path.startsWith('/notes/') ? [[path, textOf(data)] as const] : [],
        ),
      ),
      memories: new Map(
        memories.map(({ key, value }) => [pathOfMemory({ namespace, key }), textOf(value as FileData)]),
      ),
      ...offloads(messages, files),
      compactions: compactions.length,
      badArchives: badArchives(messages, files, compactions),
    };
  } finally {
    storage.close();
  }
}

interface GraphValues {
  messages: BaseMessage[];
  files: Record<string, FileData>;
  _compactions?: { keptFrom: number; archive: string | null }[];
}

/** What the same run should leave. */
export function plannedFor(result: SoakResult): Omit<Findings, 'compactions'> {
  const { root, ...expected } = expectedAfter(result.rootSteps, result);
  return {
    database: ['ok', [], []],
    graph: root,
    shown: root,
    unanswered: [],
    ...expected,
    incompleteOffloads: [],
    badArchives: [],
  };
}

const marks = (text: string, word: 'Step' | 'Part'): string[] => {
  const found = new RegExp(`^${word} [0-9a-z-]+`).exec(text);
  return found === null ? [] : [found[0]];
};

const textOf = ({ content }: FileData): string =>
  Array.isArray(content) ? content.join('\n') : typeof content === 'string' ? content : '';

function unanswered(messages: readonly BaseMessage[]): string[] {
  const open = new Map<string, number>();
  for (const message of messages) {
    if (AIMessage.isInstance(message)) for (const { id = '' } of message.tool_calls ?? []) open.set(id, 0);
    if (ToolMessage.isInstance(message))
      open.set(message.tool_call_id, (open.get(message.tool_call_id) ?? 1) + 1);
  }
  return [...open].flatMap(([id, results]) => (results === 1 ? [] : [`${id}: ${results}`]));
}

function offloads(messages: readonly BaseMessage[], files: Record<string, FileData>) {
  let offloaded = 0;
  const incompleteOffloads: string[] = [];
  for (const message of messages) {
    if (!ToolMessage.isInstance(message)) continue;
    const path = /\/large_tool_results\/[\w-]+\.txt/.exec(message.text)?.[0];
    if (path === undefined) continue;
    offloaded++;
    const data = files[path];
    const text = data === undefined ? '' : textOf(data);
    if (message.name === 'execute' && !text.includes(`${LONG_OUTPUT_LINES} of a long output`))
      incompleteOffloads.push(`${path}: ${text.length} characters`);
  }
  return { offloaded, incompleteOffloads };
}

function badArchives(
  messages: readonly BaseMessage[],
  files: Record<string, FileData>,
  compactions: readonly { keptFrom: number; archive: string | null }[],
): string[] {
  let from = 0;
  return compactions.flatMap(({ keptFrom, archive }) => {
    const going = messages.slice(from, keptFrom);
    from = keptFrom;
    const data = archive === null ? undefined : files[archive];
    if (data === undefined) return [`${archive} is missing`];
    const held = [...textOf(data).matchAll(/^Step \d{4}/gm)].map(([mark]) => mark);
    const went = going.flatMap((one) => (AIMessage.isInstance(one) ? marks(one.text, 'Step') : []));
    return JSON.stringify(held) === JSON.stringify(went) ? [] : [`${archive}: ${held} instead of ${went}`];
  });
}
