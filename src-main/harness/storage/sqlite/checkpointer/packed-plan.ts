import type { Text } from './plain-text';
import type { StoredItems } from './stored-lists';

/** An object, its shape when it was taken, and the key under which a copy of it may appear again. */
export interface Source {
  value: object;
  shape: object;
  name: string | null;
}

/** A value split into parts: what the serializer still has to write, references to known pieces, and lists of parts. */
export type Plan =
  | { kind: 'leaf'; text: number; source: Source | null; fresh: Fresh | null }
  | { kind: 'known'; mark: string }
  | { kind: 'inline'; text: string }
  | {
      kind: 'items';
      open: string;
      close: string;
      /** Marks of the chunks that hold the first items already. */
      begins: readonly string[];
      /** A finished text, or one to write after a key. */
      items: (string | { before: string; plan: Plan })[];
      /** To remember the chunks; null if there are none. */
      stored: StoredItems | null;
    };

export interface Taken {
  plan: Plan;
  texts: (Text | Promise<Text>)[];
}

/** What is now in pieces, to be remembered once it is committed. */
export type Seen = (Source & { mark: string }) | { stored: StoredItems; chunks: readonly string[] };

export interface Packed {
  text: string;
  seen: Seen[];
}

/** An object that is being written. A step passes it on as a task's write and again in the checkpoint. */
export interface Fresh {
  thread: number;
  source: Source;
  text: Text | Promise<Text>;
  /** Its place, in the transaction with that number. */
  mark: { text: string; transaction: number } | null;
}

/** What was taken of a list or record whose items are all in pieces or short. */
export interface TakenItems {
  thread: number;
  isThorough: boolean;
  values: readonly unknown[];
  keys: readonly string[] | null;
  plan: Plan;
}

export interface Known {
  thread: number;
  shape: object;
  mark: string;
}
