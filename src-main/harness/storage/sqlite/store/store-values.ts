import type { Item } from '@langchain/langgraph-checkpoint';
import { z } from 'zod';
import { decodeNamespace } from '../../../../base/sqlite/store-namespaces';
import type { ItemRow, NewValue } from './store-tables';
import { MAX_INDEXED } from './store-text-index';

const id = z.string().min(1).max(200);

/** Who wrote a version of an item. */
export const Author = z.discriminatedUnion('by', [
  z.object({ by: z.literal('person') }),
  z.object({
    by: z.literal('agent'),
    /** Null if unknown. */
    threadId: id.nullable().default(null),
    /** Id of the tool call. Null if unknown. */
    callId: id.nullable().default(null),
    /** Written after the agent saw untrusted content, and not reviewed by the person since. */
    unverified: z.boolean().optional(),
  }),
]);
export type Author = z.infer<typeof Author>;

/** A value of our own column, written by `rowOf`. */
export const parse = (json: string): Record<string, unknown> => JSON.parse(json);

export function itemOf(row: ItemRow): Item {
  return {
    namespace: decodeNamespace(row.ns),
    key: row.key,
    value: parse(row.value),
    createdAt: new Date(row.created),
    updatedAt: new Date(row.updated),
  };
}

export function contentOf({ content, encoding }: Record<string, unknown>): string | null {
  if (typeof content === 'string') return encoding === 'base64' ? null : content;
  return Array.isArray(content) && content.every((line) => typeof line === 'string')
    ? content.join('\n')
    : null;
}

/** Bytes of a file's content, in the form in which `content` was found in its value; -1 if there is none. */
function sizeOf(content: string | null, value: Record<string, unknown> | null): number {
  if (content !== null) return Buffer.byteLength(content);
  if (typeof value?.content === 'string') return Buffer.byteLength(value.content, 'base64');
  return typeof value?.content === 'object' && value.content !== null
    ? Object.keys(value.content).length
    : -1;
}

export function rowOf(value: Record<string, unknown> | null): NewValue {
  const by = value?.written_by;
  const author = by === undefined ? null : (Author.safeParse(by).data ?? null);
  const content = value === null ? null : contentOf(value);
  const agent = author?.by === 'agent' ? author : null;
  return {
    value: value === null ? null : JSON.stringify(value),
    size: sizeOf(content, value),
    isLarge: content !== null && content.length > MAX_INDEXED,
    modifiedAt: typeof value?.modified_at === 'string' ? value.modified_at : '',
    author: author?.by ?? null,
    threadId: agent?.threadId ?? null,
    callId: agent?.callId ?? null,
  };
}

export function authorOf(by: string | null, threadId: string | null, callId: string | null): Author | null {
  return Author.safeParse({ by, threadId, callId }).data ?? null;
}
