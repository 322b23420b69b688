import type { SerializerProtocol } from '@langchain/langgraph-checkpoint';
import { type CutText, type Pieces, placeOf } from './pieces';
import { revive } from './revive';
import { isPlain, isUnchanged, shapeOf } from './structure';

/** An object, what it was when it was taken, and the key under which a copy of it may come again. */
interface Source {
  value: object;
  shape: object;
  name: string | null;
}

/** A value taken apart: what the serializer has still to write, what is known to stand in a piece, and lists of such. */
type Plan =
  | { kind: 'leaf'; text: number; source: Source | null; fresh: Fresh | null }
  | { kind: 'known'; mark: string }
  | { kind: 'inline'; text: string }
  | { kind: 'items'; open: string; items: { before: string; plan: Plan }[]; close: string };

/** What the serializer writes, which may be with its longest strings beside it. */
type Text = string | CutText;

export interface Taken {
  plan: Plan;
  texts: (Text | Promise<Text>)[];
}

export interface Packed {
  text: string;
  /** Objects that now stand in a piece: to be remembered once that is committed. */
  seen: (Source & { mark: string })[];
}

/** An object that is being written: a step hands it on as a task's write and again in the checkpoint. */
interface Fresh {
  thread: number;
  source: Source;
  text: Text | Promise<Text>;
  /** Where it stands, in the transaction of that number. */
  mark: { text: string; transaction: number } | null;
}

interface Known {
  thread: number;
  shape: object;
  mark: string;
}

/** Sends hold state that holds lists: no value nests deeper than a few of those. */
const MAX_LEVELS = 6;
/** Items at the end of a list or record that are looked at for changes in each step: a step's own messages, and those around. */
const LOOKED_AT = 16;
/** UTF-16 units of a string; longer ones are pieces of their own. */
const SHORT = 512;

/**
 * Takes values apart into pieces and remembers which piece an object became, so that a step serializes what is new and
 * not all that is there. The joined text is what the serializer would have written for the whole.
 */
export class Packer {
  readonly #serde: SerializerProtocol;
  readonly #known = new WeakMap<object, Known>();
  /** Objects that were found unchanged since the last commit: a step hands on the same ones several times. */
  #checked = new WeakSet<object>();
  #fresh = new WeakMap<object, Fresh>();
  #transaction = 0;
  /** A look at all there is, which items long in a list get only where a run begins. */
  #isThorough = true;
  /** Plain objects by thread and key. A Send copies those it is given, so its files are no object that was seen before. */
  readonly #named = new Map<string, WeakRef<object>>();
  readonly #forget = new FinalizationRegistry<string>((name) => {
    if (this.#named.get(name)?.deref() === undefined) this.#named.delete(name);
  });
  /** Objects by thread and mark: what was put or loaded is not recreated each time a run or a decision reads the thread. */
  readonly #placed = new Map<string, WeakRef<object>>();
  readonly #leave = new FinalizationRegistry<string>((place) => {
    if (this.#placed.get(place)?.deref() === undefined) this.#placed.delete(place);
  });

  constructor(serde: SerializerProtocol) {
    this.#serde = serde;
  }

  /**
   * Reads the value now, before anything is awaited: it may change while the next step runs. `thread` null: nothing that
   * is remembered is used. `isState`: a whole state, each of whose values is taken apart like a channel's. Not
   * `isThorough`: only the last items of a list or record are looked at for changes in place.
   */
  take(
    value: unknown,
    thread: number | null,
    options: { isState?: boolean; isThorough?: boolean } = {},
  ): Taken {
    const texts: (Text | Promise<Text>)[] = [];
    this.#isThorough = options.isThorough ?? true;
    const plan =
      options.isState === true ? this.#sent(value, thread, texts, 0) : this.#state(value, thread, texts, 0);
    return { plan, texts };
  }

  /**
   * A copy of what was put or loaded, with the same items, where each still is as it stands in the thread's pieces, as far
   * as the last ones tell; else undefined.
   */
  again(kept: unknown, thread: number): { value: unknown } | undefined {
    const isKept = (item: unknown, fromEnd: number): boolean => {
      // As JSON gives them back.
      if (typeof item !== 'object' || item === null) return item === null || isScalar(item);
      const known = this.#known.get(item);
      return known?.thread === thread && (fromEnd > LOOKED_AT || isUnchanged(item, known.shape));
    };
    const areKept = (items: unknown[]) => items.every((item, index) => isKept(item, items.length - index));
    if (isList(kept)) return areKept(kept) ? { value: [...kept] } : undefined;
    if (isRecord(kept)) return areKept(Object.values(kept)) ? { value: { ...kept } } : undefined;
    return isKept(kept, 1) ? { value: kept } : undefined;
  }

  /** Writes what was taken, inside a transaction. `texts` are the awaited `Taken.texts`. */
  pack({ plan }: Taken, texts: readonly Text[], pieces: Pieces): Packed {
    const seen: Packed['seen'] = [];
    const write = (part: Plan): string => {
      if (part.kind === 'known') return part.mark;
      if (part.kind === 'inline') return part.text;
      if (part.kind === 'items')
        return pieces.putItems(
          part.open,
          part.items.map((item) => item.before + write(item.plan)),
          part.close,
        );
      const { fresh } = part;
      const stands = fresh?.mark?.transaction === this.#transaction ? fresh.mark.text : null;
      const text = stands ?? pieces.put(texts[part.text] ?? 'null');
      if (fresh && isMark(text)) fresh.mark = { text, transaction: this.#transaction };
      if (part.source && isMark(text)) seen.push({ ...part.source, mark: text });
      return text;
    };
    return { text: write(plan), seen };
  }

  /** A transaction has ended: what was written may be changed from now on, and what was rolled back is not there. */
  lookAgain(): void {
    this.#checked = new WeakSet();
    this.#fresh = new WeakMap();
    this.#transaction += 1;
  }

  remember(thread: number, seen: Packed['seen']): void {
    for (const { value, shape, name, mark } of seen) {
      this.#known.set(value, { thread, shape, mark });
      this.#placed.set(keyOf(thread, mark), new WeakRef(value));
      this.#leave.register(value, keyOf(thread, mark));
      if (name === null) continue;
      this.#named.set(keyOf(thread, name), new WeakRef(value));
      this.#forget.register(value, keyOf(thread, name));
    }
  }

  /**
   * The value of a text, its items remembered, so that the first step after a restart is as cheap as any other. Items that
   * were put or loaded before are those same objects.
   */
  load(text: string, thread: number, pieces: Pieces): Promise<unknown> {
    return this.#load(text, thread, pieces, 0);
  }

  /** As `#state` took it apart: items of lists and records are remembered, the state that a Send carries is gone into. */
  async #load(text: string, thread: number, pieces: Pieces, level: number): Promise<unknown> {
    const found =
      level > MAX_LEVELS ? null : pieces.items(text, (mark) => this.#placed.has(keyOf(thread, mark)));
    if (found === null) return this.#read(pieces.expand(text));
    const { isList, items } = found;
    const isSent = isOfSend(items);
    const values = await Promise.all(
      items.map(async ({ key, text: item }, index) => {
        if (!item.includes('\n')) return this.#read(item);
        if (isSent && key === 'args') return this.#loadSent(item, thread, pieces, level + 1);
        const there = this.#objectAt(item, thread, items.length - index);
        if (there !== null) return there;
        if (isOfSend(pieces.items(item, () => true)?.items ?? []))
          return this.#load(item, thread, pieces, level + 1);
        const value = await this.#read(pieces.expand(item));
        const shape =
          isMark(item) && typeof value === 'object' && value !== null ? shapeOf(value) : undefined;
        if (typeof value === 'object' && value !== null && shape)
          this.remember(thread, [{ value, shape, name: isPlain(value) ? key : null, mark: item }]);
        return value;
      }),
    );
    return isList ? values : Object.fromEntries(items.map(({ key }, index) => [key, values[index]]));
  }

  async #loadSent(text: string, thread: number, pieces: Pieces, level: number): Promise<unknown> {
    const found = pieces.items(text, () => false);
    if (found === null || found.isList) return this.#load(text, thread, pieces, level);
    const values = await Promise.all(
      found.items.map(async ({ key, text: item }) => [
        key,
        await this.#load(item, thread, pieces, level + 1),
      ]),
    );
    return Object.fromEntries(values);
  }

  /** The object that stands at a mark, as long as it is what it was: of those far from the end it is believed. */
  #objectAt(mark: string, thread: number, fromEnd: number): object | null {
    const object = this.#placed.get(keyOf(thread, mark))?.deref();
    const known = object && this.#known.get(object);
    if (known?.thread !== thread || known.mark !== mark) return null;
    return fromEnd > LOOKED_AT || isUnchanged(object, known.shape) ? (object ?? null) : null;
  }

  /** As the serializer reads it, which walks all of it twice to find what is not plain. */
  async #read(text: string): Promise<unknown> {
    if (!text.includes('"lc":')) return JSON.parse(text);
    const isOne = text.startsWith('{"lc":1,"type":"constructor"') && !text.includes('"lc":', 6);
    return isOne ? revive(text) : this.#serde.loadsTyped('json', text);
  }

  #state(value: unknown, thread: number | null, texts: (Text | Promise<Text>)[], level: number): Plan {
    if (level > MAX_LEVELS) return this.#leaf(value, thread, texts);
    if (isSend(value)) {
      const items = [{ before: '"node":', plan: this.#leaf(value.node, thread, texts) }];
      items.push({ before: '"args":', plan: this.#sent(value.args, thread, texts, level + 1) });
      if (value.timeout !== undefined)
        items.push({ before: '"timeout":', plan: this.#leaf(value.timeout, thread, texts) });
      return { kind: 'items', open: '{', items, close: '}' };
    }
    const one = (item: unknown, name: string | null): Plan =>
      isShort(item)
        ? { kind: 'inline', text: JSON.stringify(item) }
        : isSend(item)
          ? this.#state(item, thread, texts, level + 1)
          : this.#leaf(item, thread, texts, name);
    if (isList(value))
      return {
        kind: 'items',
        open: '[',
        items: Array.from(value, (item, index) => ({
          before: '',
          plan: this.#standing(item, thread, value.length - index) ?? one(item, null),
        })),
        close: ']',
      };
    if (isRecord(value)) {
      let left = Object.keys(value).length + 1;
      return record(value, (item, key) => {
        left -= 1;
        return this.#standing(item, thread, left) ?? one(item, key);
      });
    }
    return this.#leaf(value, thread, texts);
  }

  /** What a Send carries, or a run begins with, is a whole state: each of its values is taken apart like a channel's. */
  #sent(args: unknown, thread: number | null, texts: (Text | Promise<Text>)[], level: number): Plan {
    if (!isRecord(args)) return this.#state(args, thread, texts, level);
    return record(args, (item) => this.#state(item, thread, texts, level + 1));
  }

  #leaf(
    value: unknown,
    thread: number | null,
    texts: (Text | Promise<Text>)[],
    name: string | null = null,
  ): Plan {
    let source: Source | null = null;
    if (typeof value === 'object' && value !== null) {
      const mark = thread === null ? null : this.#markOf(value, thread, name);
      if (mark !== null) return { kind: 'known', mark };
      const same = this.#fresh.get(value);
      if (same && same.thread === thread && isUnchanged(value, same.source.shape)) {
        texts.push(same.text);
        return { kind: 'leaf', text: texts.length - 1, source: same.source, fresh: same };
      }
      const shape = shapeOf(value);
      if (shape) source = { value, shape, name: name !== null && isPlain(value) ? name : null };
    }
    const text = this.#dump(value);
    texts.push(text);
    const fresh = source === null || thread === null ? null : { thread, source, text, mark: null };
    if (fresh !== null) this.#fresh.set(fresh.source.value, fresh);
    return { kind: 'leaf', text: texts.length - 1, source, fresh };
  }

  /** Where an item stands that is too long in its list to be looked at again. */
  #standing(item: unknown, thread: number | null, fromEnd: number): Plan | null {
    if (this.#isThorough || fromEnd <= LOOKED_AT || typeof item !== 'object' || item === null) return null;
    const known = this.#known.get(item);
    return known === undefined || known.thread !== thread ? null : { kind: 'known', mark: known.mark };
  }

  /** Where the object stands already: as itself, or as the original that it is a copy of. */
  #markOf(value: object, thread: number, name: string | null): string | null {
    const isSame = (known: Known | undefined): known is Known =>
      known?.thread === thread && isUnchanged(value, known.shape);
    const own = this.#known.get(value);
    if (own?.thread === thread && this.#checked.has(value)) return own.mark;
    if (isSame(own)) {
      this.#checked.add(value);
      return own.mark;
    }
    const original = name === null ? undefined : this.#named.get(keyOf(thread, name))?.deref();
    const known = original && this.#known.get(original);
    return isSame(known) && isPlain(value) ? known.mark : null;
  }

  /** As it would stand inside a list: what JSON has no word for becomes what it becomes there. */
  #dump(value: unknown): Text | Promise<Text> {
    return plainText(value) ?? this.#dumpOdd(value);
  }

  async #dumpOdd(value: unknown): Promise<string> {
    const [type, bytes] = await this.#serde.dumpsTyped([value]);
    if (type !== 'json')
      throw new Error(`checkpoints need a serializer that writes JSON, this one wrote ${type}`);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').slice(1, -1);
  }
}

/**
 * What the serializer writes, without the walk that it takes first to look for cycles, and at once; null where there is
 * something in it that JSON does not know (sets, bytes, errors, Sends, cycles): the serializer has its own words for those.
 */
function plainText(value: unknown): Text | null {
  let isOdd = false;
  const strings: string[] = [];
  try {
    const text = JSON.stringify(value, (_key, part: unknown) => {
      if (part === undefined) return UNDEFINED;
      if (typeof part === 'string') {
        const place = placeOf(part, strings.length);
        if (place === null) return part;
        strings.push(part);
        return place;
      }
      if (typeof part === 'object' && part !== null && !isPlainObject(part)) isOdd = true;
      return isOdd ? null : part;
    });
    // What is nothing by itself is null in a list.
    const json = text ?? 'null';
    return isOdd ? null : strings.length === 0 ? json : { json, strings };
  } catch (error) {
    // A cycle, or a number without end.
    if (error instanceof TypeError || error instanceof RangeError) return null;
    throw error;
  }
}

/** As the serializer writes it. */
const UNDEFINED = { lc: 2, type: 'undefined' };

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Array.prototype) return true;
  return (prototype === Object.prototype || prototype === null) && !('lg_name' in value);
}

function record(value: Record<string, unknown>, plan: (item: unknown, key: string) => Plan): Plan {
  const items = Object.entries(value)
    // JSON leaves these out.
    .filter(([, item]) => typeof item !== 'function' && typeof item !== 'symbol')
    .map(([key, item]) => ({ before: `${JSON.stringify(key)}:`, plan: plan(item, key) }));
  return { kind: 'items', open: '{', items, close: '}' };
}

const keyOf = (thread: number, name: string) => `${thread} ${name}`;

/** Stands in its list: looking it up as a piece of its own would cost more, and be done at every step. */
const isShort = (value: unknown) =>
  value === null ||
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  (typeof value === 'string' && value.length < SHORT);

const isScalar = (value: unknown) =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

const isMark = (text: string) => /^\n\d+\n$/.test(text);

function isSend(value: unknown): value is { node: unknown; args: unknown; timeout?: unknown } {
  return typeof value === 'object' && value !== null && 'lg_name' in value && value.lg_name === 'Send';
}

const isOfSend = (items: readonly { key: string | null }[]): boolean =>
  items[0]?.key === 'node' && items[1]?.key === 'args';

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
