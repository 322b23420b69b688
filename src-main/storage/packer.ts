import type { SerializerProtocol } from '@langchain/langgraph-checkpoint';
import type { Pieces } from './pieces';
import { isUnchanged, shapeOf } from './shape';

/** A value taken apart: what the serializer has still to write, what is known to stand in a piece, and lists of such. */
type Plan =
  | { kind: 'leaf'; text: number; source: { value: object; shape: object } | null }
  | { kind: 'known'; mark: string }
  | { kind: 'items'; open: string; items: { before: string; plan: Plan }[]; close: string };

export interface Taken {
  plan: Plan;
  texts: Promise<string>[];
}

export interface Packed {
  text: string;
  /** Objects that now stand in a piece: to be remembered once that is committed. */
  seen: { value: object; shape: object; mark: string }[];
}

/** Sends hold state that holds lists: no value nests deeper than a few of those. */
const MAX_LEVELS = 6;

/**
 * Takes values apart into pieces and remembers which piece an object became, so that a step serializes what is new and
 * not all that is there. The joined text is what the serializer would have written for the whole.
 */
export class Packer {
  readonly #serde: SerializerProtocol;
  readonly #known = new WeakMap<object, { thread: number; shape: object; mark: string }>();

  constructor(serde: SerializerProtocol) {
    this.#serde = serde;
  }

  /**
   * Reads the value now, before anything is awaited: it may change while the next step runs. `thread` null: nothing that
   * is remembered is used.
   */
  take(value: unknown, thread: number | null): Taken {
    const texts: Promise<string>[] = [];
    return { plan: this.#state(value, thread, texts, 0), texts };
  }

  /** Writes what was taken, inside a transaction. `texts` are the awaited `Taken.texts`. */
  pack({ plan }: Taken, texts: readonly string[], pieces: Pieces): Packed {
    const seen: Packed['seen'] = [];
    const write = (part: Plan): string => {
      if (part.kind === 'known') return part.mark;
      if (part.kind === 'items')
        return pieces.putItems(
          part.open,
          part.items.map((item) => item.before + write(item.plan)),
          part.close,
        );
      const text = pieces.put(texts[part.text] ?? 'null');
      if (part.source && isMark(text)) seen.push({ ...part.source, mark: text });
      return text;
    };
    return { text: write(plan), seen };
  }

  remember(thread: number, seen: Packed['seen']): void {
    for (const { value, shape, mark } of seen) this.#known.set(value, { thread, shape, mark });
  }

  /** The value of a text, its items remembered, so that the first step after a restart is as cheap as any other. */
  async load(text: string, thread: number, pieces: Pieces): Promise<unknown> {
    const marks = pieces.itemMarks(text);
    const value: unknown = await this.#serde.loadsTyped('json', pieces.expand(text));
    if (marks === null || typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    if (entries.length !== marks.length) return value;
    for (const [index, { key, mark }] of marks.entries()) {
      const [name, item] = entries[index] ?? [];
      if ((key !== null && key !== name) || typeof item !== 'object' || item === null) continue;
      const shape = shapeOf(item);
      if (shape) this.#known.set(item, { thread, shape, mark });
    }
    return value;
  }

  #state(value: unknown, thread: number | null, texts: Promise<string>[], level: number): Plan {
    if (level > MAX_LEVELS) return this.#leaf(value, thread, texts);
    if (isSend(value)) {
      const items = [{ before: '"node":', plan: this.#leaf(value.node, thread, texts) }];
      items.push({ before: '"args":', plan: this.#sent(value.args, thread, texts, level + 1) });
      if (value.timeout !== undefined)
        items.push({ before: '"timeout":', plan: this.#leaf(value.timeout, thread, texts) });
      return { kind: 'items', open: '{', items, close: '}' };
    }
    const one = (item: unknown) =>
      isSend(item) ? this.#state(item, thread, texts, level + 1) : this.#leaf(item, thread, texts);
    if (isList(value))
      return {
        kind: 'items',
        open: '[',
        items: Array.from(value, (item) => ({ before: '', plan: one(item) })),
        close: ']',
      };
    if (isRecord(value)) return record(value, one);
    return this.#leaf(value, thread, texts);
  }

  /** What a Send carries is a whole state: each of its values is taken apart like a channel's. */
  #sent(args: unknown, thread: number | null, texts: Promise<string>[], level: number): Plan {
    if (!isRecord(args)) return this.#state(args, thread, texts, level);
    return record(args, (item) => this.#state(item, thread, texts, level + 1));
  }

  #leaf(value: unknown, thread: number | null, texts: Promise<string>[]): Plan {
    let source: { value: object; shape: object } | null = null;
    if (typeof value === 'object' && value !== null) {
      const known = this.#known.get(value);
      if (known && known.thread === thread && isUnchanged(value, known.shape))
        return { kind: 'known', mark: known.mark };
      const shape = shapeOf(value);
      if (shape) source = { value, shape };
    }
    texts.push(this.#dump(value));
    return { kind: 'leaf', text: texts.length - 1, source };
  }

  /** As it would stand inside a list: what JSON has no word for becomes what it becomes there. */
  async #dump(value: unknown): Promise<string> {
    const [type, bytes] = await this.#serde.dumpsTyped([value]);
    if (type !== 'json')
      throw new Error(`checkpoints need a serializer that writes JSON, this one wrote ${type}`);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').slice(1, -1);
  }
}

function record(value: Record<string, unknown>, plan: (item: unknown) => Plan): Plan {
  const items = Object.entries(value)
    // JSON leaves these out.
    .filter(([, item]) => typeof item !== 'function' && typeof item !== 'symbol')
    .map(([key, item]) => ({ before: `${JSON.stringify(key)}:`, plan: plan(item) }));
  return { kind: 'items', open: '{', items, close: '}' };
}

const isMark = (text: string) => /^\n\d+\n$/.test(text);

function isSend(value: unknown): value is { node: unknown; args: unknown; timeout?: unknown } {
  return typeof value === 'object' && value !== null && 'lg_name' in value && value.lg_name === 'Send';
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && Object.getPrototypeOf(value) === Array.prototype;
}

/** A plain object that the serializer writes key by key and reads back as it is. */
function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return !['lc', 'lg_name', 'toJSON', '__proto__'].some((key) => Object.hasOwn(value, key));
}
