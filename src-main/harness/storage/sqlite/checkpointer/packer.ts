import { load as loadMessage } from '@langchain/core/load';
import type { CheckpointMetadata, SerializerProtocol } from '@langchain/langgraph-checkpoint';
import { after, allOf } from '../all-of';
import type { Fresh, Known, Packed, Plan, Source, Taken, TakenItems } from './packed-plan';
import { isMark } from './piece-text';
import { CHUNK, type Pieces, withStrings } from './pieces';
import { plainText, type Text } from './plain-text';
import { revive } from './revive';
import { isScalar, isShort, tinyText } from './short-values';
import { type StoredItems, StoredLists } from './stored-lists';
import { isList, isPlain, isRecord, isSend, isUnchanged, partsOf, type SendLike, shapeOf } from './structure';

interface TakeOptions {
  channel: string;
  isState?: boolean;
  isThorough?: boolean;
}

/** Where a value is that is being taken. */
interface At {
  thread: number | null;
  /** What is being serialized. */
  texts: (Text | Promise<Text>)[];
  level: number;
  /** The channel, or the one that the value of a whole state would be put in. */
  channel: string;
}

/** Sends hold state that holds lists. No value nests deeper than a few of those. */
const MAX_LEVELS = 6;
/** Items at the end of a list or record that each step checks for changes: the step's own messages and some before them. */
const LOOKED_AT = 16;
/**
 * Splits values into pieces and remembers the piece of each object, so that a step serializes only what is new. The joined
 * text is what the serializer would have written for the whole value.
 */
export class Packer {
  readonly #serde: SerializerProtocol;
  readonly #known = new WeakMap<object, Known>();
  /** Objects found unchanged since the last commit. A step passes the same ones on several times. */
  #checked = new WeakSet<object>();
  #fresh = new WeakMap<object, Fresh>();
  /** Lists and records taken since the last commit. A step passes the state on as a task's write and in the checkpoint. */
  #taken = new WeakMap<object, TakenItems>();
  #transaction = 0;
  /** Checks all items. Items far from the end of a list are only checked when a run starts. */
  #isThorough = true;
  /** Plain objects by thread and key. A Send copies its objects, so its files are never the same objects as before. */
  readonly #named = new Map<string, WeakRef<object>>();
  readonly #forget = new FinalizationRegistry<string>((name) => {
    if (this.#named.get(name)?.deref() === undefined) this.#named.delete(name);
  });
  /**
   * Objects by thread and mark, so that a run or a decision that reads the thread does not recreate what was put or loaded.
   */
  readonly #placed = new Map<string, WeakRef<object>>();
  readonly #lists = new StoredLists();
  readonly #leave = new FinalizationRegistry<string>((place) => {
    if (this.#placed.get(place)?.deref() === undefined) this.#placed.delete(place);
  });

  constructor(serde: SerializerProtocol) {
    this.#serde = serde;
  }

  /**
   * Reads the value now, before any await, since it may change while the next step runs. `thread` null: uses no cached
   * state. `channel`: its name. `isState`: a whole state, whose values are split like a channel's. Not `isThorough`: checks
   * only the last items of a list or record for changes in place.
   */
  take(
    value: unknown,
    thread: number | null,
    { channel, isState = false, isThorough = true }: TakeOptions,
  ): Taken {
    const texts: (Text | Promise<Text>)[] = [];
    this.#isThorough = isThorough;
    const at: At = { thread, texts, level: 0, channel };
    return { plan: isState ? this.#sent(value, at) : this.#state(value, at), texts };
  }

  /**
   * Copies a value that was put or loaded, with the same items, if each still matches the thread's pieces (only the last
   * items are checked); else undefined.
   */
  again(kept: unknown, thread: number): { value: unknown } | undefined {
    const isKept = (item: unknown, fromEnd: number): boolean => {
      // JSON returns these unchanged.
      if (typeof item !== 'object' || item === null) return item === null || isScalar(item);
      const known = this.#known.get(item);
      return known?.thread === thread && (fromEnd > LOOKED_AT || isUnchanged(item, known.shape));
    };
    const areKept = (items: unknown[]) => items.every((item, index) => isKept(item, items.length - index));
    if (isList(kept)) return areKept(kept) ? { value: [...kept] } : undefined;
    if (isRecord(kept)) return areKept(Object.values(kept)) ? { value: { ...kept } } : undefined;
    return isKept(kept, 1) ? { value: kept } : undefined;
  }

  /** Writes the taken value inside a transaction. `texts` are the awaited `Taken.texts`. */
  pack({ plan }: Taken, texts: readonly Text[], pieces: Pieces): Packed {
    const seen: Packed['seen'] = [];
    const write = (part: Plan): string => {
      if (part.kind === 'known') return part.mark;
      if (part.kind === 'inline') return part.text;
      if (part.kind === 'items') {
        const { stored } = part;
        const items = part.items.map((item) =>
          typeof item === 'string' ? item : item.before + write(item.plan),
        );
        const { text, chunks } = pieces.putItems({ ...part, items });
        if (stored !== null && chunks.length > 0) seen.push({ stored, chunks });
        return text;
      }
      const { fresh } = part;
      const stands = fresh?.mark?.transaction === this.#transaction ? fresh.mark.text : null;
      const text = stands ?? pieces.put(texts[part.text] ?? 'null');
      if (fresh && isMark(text)) fresh.mark = { text, transaction: this.#transaction };
      if (part.source && isMark(text)) seen.push({ ...part.source, mark: text });
      return text;
    };
    return { text: write(plan), seen };
  }

  /** Call this after each transaction: written values may change from now on, and rolled-back pieces do not exist. */
  transactionEnded(): void {
    this.#checked = new WeakSet();
    this.#fresh = new WeakMap();
    this.#taken = new WeakMap();
    this.#transaction += 1;
  }

  /** Lets go of the values of threads that are gone. */
  forgetLists(): void {
    this.#lists.clear();
  }

  remember(thread: number, seen: Packed['seen']): void {
    for (const one of seen) {
      if ('stored' in one) {
        this.#lists.remember(thread, one.stored, one.chunks);
        continue;
      }
      const { value, shape, name, mark } = one;
      this.#known.set(value, { thread, shape, mark });
      this.#placed.set(keyOf(thread, mark), new WeakRef(value));
      this.#leave.register(value, keyOf(thread, mark));
      if (name === null) continue;
      this.#named.set(keyOf(thread, name), new WeakRef(value));
      this.#forget.register(value, keyOf(thread, name));
    }
  }

  /**
   * Loads the value of a text and remembers its items, so that the first step after a restart is as cheap as any other.
   * Known items are returned as the same objects. A promise only if a part needs LangChain's reader.
   */
  load(text: string, thread: number, pieces: Pieces): unknown {
    return this.#load(text, thread, pieces, 0);
  }

  /** What the serializer would have written. */
  dump(value: CheckpointMetadata): string | Promise<string> {
    const plain = plainText(value);
    return typeof plain === 'string' ? plain : this.#dumpOdd(value);
  }

  /** The inverse of `dump`. */
  parse(json: string): CheckpointMetadata | Promise<CheckpointMetadata> {
    return json.includes('"lc":') ? this.#serde.loadsTyped('json', json) : JSON.parse(json);
  }

  /** The inverse of `#state`: remembers items of lists and records, and descends into the state in a Send. */
  #load(text: string, thread: number, pieces: Pieces, level: number): unknown {
    const found =
      level > MAX_LEVELS ? null : pieces.items(text, (mark) => this.#placed.has(keyOf(thread, mark)));
    if (found === null) return this.#read(text, pieces);
    const { isList, items } = found;
    const isSent = isOfSend(items);
    const values = items.map(({ key, text: item }, index) => {
      if (!item.includes('\n')) return this.#read(item, pieces);
      if (isSent && key === 'args') return this.#loadSent(item, thread, pieces, level + 1);
      const there = this.#objectAt(item, thread, items.length - index);
      if (there !== null) return there;
      if (isOfSend(pieces.items(item, () => true)?.items ?? []))
        return this.#load(item, thread, pieces, level + 1);
      return after(this.#read(item, pieces), (value) => {
        const shape =
          isMark(item) && typeof value === 'object' && value !== null ? shapeOf(value) : undefined;
        if (typeof value === 'object' && value !== null && shape)
          this.remember(thread, [{ value, shape, name: isPlain(value) ? key : null, mark: item }]);
        return value;
      });
    });
    return after(allOf(values), (loaded) =>
      isList ? loaded : Object.fromEntries(items.map(({ key }, index) => [key, loaded[index]])),
    );
  }

  #loadSent(text: string, thread: number, pieces: Pieces, level: number): unknown {
    const found = pieces.items(text, () => false);
    if (found === null || found.isList) return this.#load(text, thread, pieces, level);
    const values = found.items.map(({ key, text: item }) =>
      after(this.#load(item, thread, pieces, level + 1), (value) => [key, value] as const),
    );
    return after(allOf(values), (loaded) => Object.fromEntries(loaded));
  }

  /** The object at a mark if it is unchanged. Objects far from the end are not checked. */
  #objectAt(mark: string, thread: number, fromEnd: number): object | null {
    const object = this.#placed.get(keyOf(thread, mark))?.deref();
    const known = object && this.#known.get(object);
    if (known?.thread !== thread || known.mark !== mark) return null;
    return fromEnd > LOOKED_AT || isUnchanged(object, known.shape) ? (object ?? null) : null;
  }

  /** Same result as the serializer, which walks everything twice to find non-plain values. */
  #read(text: string, pieces: Pieces): unknown {
    const { json, strings } = pieces.cut(text) ?? { json: pieces.expand(text), strings: [] };
    const parsed = () => withStrings(JSON.parse(json), strings);
    if (!json.includes('"lc":')) return parsed();
    const isOne = json.startsWith('{"lc":1,"type":"constructor"') && !json.includes('"lc":', 6);
    const message = isOne ? revive(json, parsed) : undefined;
    if (message !== undefined) return message;
    return isOne ? loadMessage(pieces.expand(text)) : this.#serde.loadsTyped('json', pieces.expand(text));
  }

  #state(value: unknown, at: At): Plan {
    if (at.level > MAX_LEVELS) return this.#leaf(value, at);
    const tiny = tinyText(value);
    if (tiny !== null) return { kind: 'inline', text: tiny };
    if (isSend(value)) return this.#send(value, at);
    if (isList(value)) return this.#itemsOf(value, [value, null], at);
    return isRecord(value) ? this.#itemsOf(value, partsOf(value), at) : this.#leaf(value, at);
  }

  #itemsOf(
    owner: object,
    [values, keys]: [values: readonly unknown[], keys: readonly string[] | null],
    at: At,
  ): Plan {
    const { thread } = at;
    const isThorough = this.#isThorough;
    const before = this.#taken.get(owner);
    if (
      before?.thread === thread &&
      (before.isThorough || !isThorough) &&
      areSame(before.values, values) &&
      (before.keys === keys || (before.keys !== null && keys !== null && areSame(before.keys, keys)))
    )
      return before.plan;
    const plan = this.#items(values, keys, at);
    const isDone = plan.kind === 'items' && plan.items.every((item) => typeof item === 'string');
    if (thread !== null && isDone)
      this.#taken.set(owner, { thread, isThorough, values: [...values], keys, plan });
    return plan;
  }

  #send(value: SendLike, at: At): Plan {
    const items = [{ before: '"node":', plan: this.#leaf(value.node, at) }];
    items.push({ before: '"args":', plan: this.#sent(value.args, { ...at, level: at.level + 1 }) });
    if (value.timeout !== undefined)
      items.push({ before: '"timeout":', plan: this.#leaf(value.timeout, at) });
    return { kind: 'items', open: '{', items, close: '}', begins: [], stored: null };
  }

  /** A list, or a record with these keys. */
  #items(values: readonly unknown[], keys: readonly string[] | null, at: At): Plan {
    const { thread, channel } = at;
    const isLong = values.length >= CHUNK + LOOKED_AT;
    const stored: StoredItems | null = isLong ? { channel, keys, values: [...values] } : null;
    const begins =
      stored === null || thread === null || this.#isThorough
        ? []
        : this.#lists.beginningOf(thread, stored, LOOKED_AT);
    const items: (string | { before: string; plan: Plan })[] = [];
    for (let index = begins.length * CHUNK; index < values.length; index += 1) {
      const key = keys?.[index] ?? null;
      const before = key === null ? '' : `${JSON.stringify(key)}:`;
      const text = this.#standing(values[index], thread, values.length - index);
      const plan = text === null ? this.#item(values[index], key, at) : null;
      if (plan === null) items.push(before + text);
      else if (plan.kind === 'known') items.push(before + plan.mark);
      else if (plan.kind === 'inline') items.push(before + plan.text);
      else items.push({ before, plan });
    }
    const [open, close] = keys === null ? ['[', ']'] : ['{', '}'];
    return { kind: 'items', open, close, begins, items, stored };
  }

  #item(item: unknown, key: string | null, at: At): Plan {
    if (isShort(item)) return { kind: 'inline', text: JSON.stringify(item) };
    return isSend(item) ? this.#state(item, { ...at, level: at.level + 1 }) : this.#leaf(item, at, key);
  }

  /** A Send's or a run's input is a whole state: each of its values is split like a channel's. */
  #sent(args: unknown, at: At): Plan {
    if (!isRecord(args)) return this.#state(args, at);
    const [values, keys] = partsOf(args);
    const items = keys.map((key, index) => ({
      before: `${JSON.stringify(key)}:`,
      plan: this.#state(values[index], { ...at, level: at.level + 1, channel: key }),
    }));
    return { kind: 'items', open: '{', close: '}', begins: [], items, stored: null };
  }

  #leaf(value: unknown, { thread, texts }: At, name: string | null = null): Plan {
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

  /** The mark of an item too far from the end to be checked again. */
  #standing(item: unknown, thread: number | null, fromEnd: number): string | null {
    if (this.#isThorough || fromEnd <= LOOKED_AT || typeof item !== 'object' || item === null) return null;
    const known = this.#known.get(item);
    return known === undefined || known.thread !== thread ? null : known.mark;
  }

  /** The mark of the object, or of the original that it is a copy of. */
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

  /** Serializes the value as in a list, including values that JSON cannot represent. */
  #dump(value: unknown): Text | Promise<Text> {
    return plainText(value) ?? this.#dumpOdd(value);
  }

  async #dumpOdd(value: unknown): Promise<string> {
    const [type, bytes] = await this.#serde.dumpsTyped([value]);
    if (type !== 'json')
      throw new Error(`checkpoints need a serializer that writes JSON, this one wrote ${type}`);
    const list = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    // LangGraph writes a sentence instead of a value that it cannot write, and could never read the thread again.
    if (!list.startsWith('[')) throw new TypeError(`a checkpoint cannot hold this value: ${whyNot(value)}`);
    return list.slice(1, -1);
  }
}

function whyNot(value: unknown): string {
  try {
    JSON.stringify(value);
  } catch (error) {
    return String(error);
  }
  return 'it cannot be written as JSON';
}

const areSame = (some: readonly unknown[], others: readonly unknown[]) =>
  some.length === others.length && some.every((one, index) => Object.is(one, others[index]));

const keyOf = (thread: number, name: string) => `${thread} ${name}`;

const isOfSend = (items: readonly { key: string | null }[]): boolean =>
  items[0]?.key === 'node' && items[1]?.key === 'args';
