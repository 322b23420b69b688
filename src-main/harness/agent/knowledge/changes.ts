import { createHash } from 'node:crypto';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { z } from 'zod';
import type { Compaction } from '../context/compaction';

/**
 * What a thread was told once in its system prompt. It stays the same for the whole thread, since any change would make the
 * provider read the whole conversation again; later changes go into a message instead. A compaction costs that anyway, so it
 * also updates the prompt.
 */
export const Told = z.object({
  /** Section of the system prompt. */
  section: z.string(),
  /** Hash of each part as the thread knows it now, by name. */
  known: z.record(z.string(), z.string()),
  /** Number of compactions when the section was created. */
  compactions: z.number(),
});
export type Told = z.infer<typeof Told>;

export interface Parts {
  /** The whole section for a system prompt; empty if there is none. */
  section: string;
  /** Text of each part, by name. */
  parts: Readonly<Record<string, string>>;
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
const hashesOf = (parts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, hashOf(text)]));

/**
 * The new state, and the note for the model about what changed; null if nothing changed. If one of `muted` was in the
 * prompt, the prompt is recreated without it at any cost, because the person does not want it sent.
 */
export function bringUpToDate(
  told: Told | undefined,
  now: Parts,
  compactions: readonly Compaction[] | undefined,
  muted: readonly string[] = [],
): { told: Told; changes: { name: string; text: string | null }[]; isReset?: true } | null {
  const known = hashesOf(now.parts);
  const count = compactions?.length ?? 0;
  if (told === undefined) return { told: { section: now.section, known, compactions: count }, changes: [] };
  if (count > told.compactions && now.section !== told.section)
    return { told: { section: now.section, known, compactions: count }, changes: [] };
  if (muted.some((name) => told.known[name] !== undefined))
    return { told: { section: now.section, known, compactions: count }, changes: [], isReset: true };
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

/** Replaces each note about that source, since it may contain what the person no longer wants to send. */
export function withoutNotes(messages: readonly BaseMessage[], note: NoteKind): BaseMessage[] {
  return messages.flatMap((message) =>
    message.id !== undefined && message.additional_kwargs.lc_source === note.source
      ? [
          new HumanMessage({
            id: message.id,
            content: noteMessage(note, 'This text is out of date.').content,
            additional_kwargs: message.additional_kwargs,
          }),
        ]
      : [],
  );
}

export interface NoteKind {
  /** What it is about, for `lc_source`. */
  source: string;
  /** The program that writes it, for the model. */
  from: string | undefined;
}

/** A note among the messages that is not the person's. */
export function noteMessage({ source, from }: NoteKind, text: string): HumanMessage {
  const begin = from === undefined ? '<note>' : `<note from=${JSON.stringify(from)}>`;
  return new HumanMessage({
    content: `${begin}\n${text}\n</note>`,
    additional_kwargs: { lc_source: source },
  });
}
