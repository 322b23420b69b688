import { createHash } from 'node:crypto';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { z } from 'zod';
import type { Compaction } from '../context/compaction';

/**
 * What a thread was told once, in its system prompt. It stays as it was for the whole thread, since any change there
 * would make the provider read the whole conversation again; what changed later is said in a message instead. After a
 * compaction, which costs that anyway, the prompt is brought up to date.
 */
export const Told = z.object({
  /** The section of the system prompt. */
  section: z.string(),
  /** Hash of each part as the thread knows it now, by name. */
  known: z.record(z.string(), z.string()),
  /** Compactions that there were when the section was made. */
  compactions: z.number(),
});
export type Told = z.infer<typeof Told>;

export interface Parts {
  /** The whole section for a system prompt; empty for none. */
  section: string;
  /** Text of each part, by name. */
  parts: Readonly<Record<string, string>>;
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
const hashesOf = (parts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, hashOf(text)]));

/**
 * What the state is to hold now, and what the model is to be told of what changed; null where nothing did. Where one of
 * `muted` was told, the prompt is recreated without it, whatever that costs: the person does not want it to be sent.
 */
export function bringUpToDate(
  told: Told | undefined,
  now: Parts,
  compactions: readonly Compaction[] | undefined,
  muted: readonly string[] = [],
): { told: Told; changes: { name: string; text: string | null }[]; isAnew?: true } | null {
  const known = hashesOf(now.parts);
  const count = compactions?.length ?? 0;
  if (told === undefined) return { told: { section: now.section, known, compactions: count }, changes: [] };
  if (count > told.compactions && now.section !== told.section)
    return { told: { section: now.section, known, compactions: count }, changes: [] };
  if (muted.some((name) => told.known[name] !== undefined))
    return { told: { section: now.section, known, compactions: count }, changes: [], isAnew: true };
  const changes = [
    ...Object.entries(now.parts)
      .filter(([name]) => told.known[name] !== known[name])
      .map(([name, text]) => ({ name, text })),
    ...Object.keys(told.known)
      .filter((name) => known[name] === undefined)
      .map((name) => ({ name, text: null })),
  ];
  return changes.length === 0 ? null : { told: { ...told, known }, changes };
}

/** Takes the place of each word of that source, which may say what the person does not want to be sent any more. */
export function withoutNotes(messages: readonly BaseMessage[], source: string): BaseMessage[] {
  return messages.flatMap((message) =>
    message.id !== undefined && message.additional_kwargs.lc_source === source
      ? [
          new HumanMessage({
            id: message.id,
            content: noteMessage(source, 'This text is out of date.').content,
            additional_kwargs: message.additional_kwargs,
          }),
        ]
      : [],
  );
}

/** A word from the app itself, among the messages. */
export function noteMessage(source: string, text: string): HumanMessage {
  return new HumanMessage({
    content: `<note from="Deepdesk">\n${text}\n</note>`,
    additional_kwargs: { lc_source: source },
  });
}
