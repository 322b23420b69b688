import { z } from 'zod';
import { MemoryChoice, UsedMemory } from '../../contract/commands/memories';
import type { Message, ThreadState, ToolCall } from '../../contract/conversation';
import type { CallId, MessageId, ThreadId } from '../../contract/ids';
import { tokensOfText } from '../../contract/shared/tokens-of-text';
import { checkPath } from '../../harness/backends';
import { descriptorOf } from '../../harness/tools/catalogue';
import type { Storage } from '../../storage';
import { readBody } from '../../storage/json-columns';
import { MEMORIES, SHARED_MEMORIES } from '../project/mounts';
import { isUnverified, UNVERIFIED } from './marked-memories';
import { memoryAt } from './memory-scopes';

const Uses = z.array(UsedMemory);
const INSTRUCTIONS = [`${SHARED_MEMORIES}/AGENTS.md`, `${MEMORIES}/AGENTS.md`];

/** Records which memories a thread's turns were shown, and what the person chose. */
export class MemoryUses {
  constructor(private readonly storage: Storage) {}

  choices(threadId: ThreadId): Record<string, MemoryChoice> {
    const known = Object.entries(this.storage.browse.choices(threadId)).flatMap(([path, choice]) => {
      const parsed = MemoryChoice.safeParse(choice);
      return parsed.success ? [[path, parsed.data] as const] : [];
    });
    return Object.fromEntries(known);
  }

  /** Paths of memories by choice. */
  chosen(threadId: ThreadId): { muted: string[]; pinned: string[] } {
    const all = Object.entries(this.choices(threadId));
    const those = (choice: MemoryChoice) => all.flatMap(([path, own]) => (own === choice ? [path] : []));
    return { muted: those('muted'), pinned: those('pinned') };
  }

  turns(threadId: ThreadId): { messageId: MessageId; used: UsedMemory[] }[] {
    return this.storage.browse.uses(threadId).map(({ messageId, body }) => ({
      // `note` writes this column.
      messageId: messageId as MessageId,
      used: readBody(Uses, body) ?? [],
    }));
  }

  /** Records what every request of the new turn loads. */
  async loaded(state: ThreadState, contents: Readonly<Record<string, string>>): Promise<void> {
    const used = await Promise.all(
      Object.entries(contents).map(
        async ([path, text]): Promise<UsedMemory> => ({
          path,
          how: 'loaded',
          tokens: tokensOfText(text),
          unverified: await this.isUnverified(state, path),
        }),
      ),
    );
    this.note(state, (before) => [
      ...used,
      ...before.filter(({ path }) => !used.some((one) => one.path === path)),
    ]);
  }

  /** Records which memories a finished call showed to the model. */
  async called(state: ThreadState, callId: CallId, text: string): Promise<void> {
    const call = callIn(state.messages, callId);
    const lines = descriptorOf(call?.name ?? '')?.resultLines;
    const path = call !== undefined && lines === 'page' ? memoryPath(call) : undefined;
    const shown =
      path !== undefined
        ? [{ path, text, unverified: await this.isUnverified(state, path) }]
        : lines === 'matches'
          ? foundIn(text)
          : [];
    if (shown.length === 0) return;
    this.note(state, (before) => shown.reduce(withRead, before));
  }

  /** Whether the thread contains content that neither comes from the person nor is confirmed by them. */
  metOutside(state: ThreadState): boolean {
    return (
      state.messages.some(
        (message) =>
          ((message.role === 'user' || message.role === 'agent') && message.imported === true) ||
          (message.role === 'user' && (message.attachments?.length ?? 0) > 0) ||
          (message.role === 'agent' && message.calls.some(bringsIn)),
      ) || this.turns(state.thread.id).some(({ used }) => used.some(isDoubtful))
    );
  }

  private async isUnverified({ thread }: ThreadState, path: string): Promise<boolean> {
    if (!path.startsWith(`${MEMORIES}/`)) return false;
    const at = memoryAt(this.storage, path, thread.projectId);
    if (!at.ok) return false;
    const item = await this.storage.store.get(at.value.namespace, at.value.key);
    return isUnverified(item?.value);
  }

  private note(state: ThreadState, change: (before: UsedMemory[]) => UsedMemory[]): void {
    const question = state.messages.findLast(({ role }) => role === 'user');
    if (question === undefined) return;
    const { id } = state.thread;
    const before = this.turns(id).find(({ messageId }) => messageId === question.id)?.used ?? [];
    const now = change(before);
    if (now.length > 0) this.storage.browse.noteUses(id, question.id, JSON.stringify(now));
  }
}

/** An unverified memory, or instructions that a folder brings: a cloned one may have anybody's. */
const isDoubtful = ({ path, how, unverified }: UsedMemory): boolean =>
  unverified || (how === 'loaded' && !path.startsWith(`${MEMORIES}/`));

/**
 * Adds pinned memories to the instruction files, the most general first. Muted ones are named, so that what was loaded of
 * them before is dropped.
 */
export function withChoices<S extends string | { path: string }>(
  sources: readonly S[],
  { muted, pinned }: { muted: readonly string[]; pinned: readonly string[] },
): (S | string | { path: string; muted: true })[] {
  const pathOf = (source: S) => (typeof source === 'string' ? source : source.path);
  const kept = sources.filter((source) => !muted.includes(pathOf(source)));
  const first = kept.filter((source) => INSTRUCTIONS.includes(pathOf(source)));
  const more = pinned.filter((path) => !INSTRUCTIONS.includes(path));
  const rest = kept.filter((source) => !INSTRUCTIONS.includes(pathOf(source)));
  return [...first, ...more, ...rest, ...muted.map((path) => ({ path, muted: true as const }))];
}

function withRead(
  before: UsedMemory[],
  { path, text, unverified }: { path: string; text: string; unverified: boolean },
): UsedMemory[] {
  const old = before.find((one) => one.path === path && one.how === 'read');
  const rest = before.filter((one) => one !== old);
  return [...rest, { path, how: 'read', tokens: (old?.tokens ?? 0) + tokensOfText(text), unverified }];
}

/** Memories whose lines a search showed. Each name has its own line above its indented lines. */
function foundIn(text: string): { path: string; text: string; unverified: boolean }[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    if (!line.startsWith(`${MEMORIES}/`) || !line.endsWith(':')) return [];
    const end = lines.findIndex((one, later) => later > at && !one.startsWith(' '));
    const own = lines.slice(at, end === -1 ? lines.length : end);
    return own.length < 2
      ? []
      : [{ path: line.slice(0, -1), text: own.join('\n'), unverified: own[1] === `  ${UNVERIFIED}` }];
  });
}

function bringsIn(call: ToolCall): boolean {
  const tool = descriptorOf(call.name);
  if (
    tool?.resultIsOwn === true ||
    call.status === 'pending' ||
    call.status === 'waiting' ||
    call.status === 'rejected'
  )
    return false;
  return tool?.path === undefined || memoryPath(call) === undefined;
}

/** The path below /memories in the call's arguments. */
function memoryPath({ args }: ToolCall): string | undefined {
  const checked = checkPath(args.file_path ?? args.path, [MEMORIES]);
  return 'error' in checked ? undefined : checked.path;
}

/** The last one with that id. Its message is near the end, so the search does not go through a long conversation. */
function callIn(messages: readonly Message[], callId: CallId): ToolCall | undefined {
  const isIt = (call: ToolCall) => call.callId === callId;
  const message = messages.findLast((one) => one.role === 'agent' && one.calls.some(isIt));
  return message?.role === 'agent' ? message.calls.findLast(isIt) : undefined;
}
