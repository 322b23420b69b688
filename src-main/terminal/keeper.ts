import type { TerminalId } from '../contract/ids';
import type { TerminalStore } from './store';

/** Milliseconds output is gathered before it is kept. */
const KEEP_EVERY = 250;
/** UTF-16 units kept of what one terminal printed meanwhile. More is a flood; its end is always kept. */
const KEEP_UNITS = 500_000;
/** Times that a flood is let go by before something of it is kept: what follows soon pushes it out. */
const FLOOD_ROUNDS = 8;
/** UTF-16 units that are looked through at once: about 2 ms. */
const SLICE = 65_536;
const GAP = '\r\n[… not kept …]\r\n';

/** What a terminal printed so far. */
export interface Printed {
  /** UTF-16 units in all. */
  readonly end: number;
  /** What was printed from `offset` on, as far as it is there still. */
  since(offset: number): string;
}

interface Book {
  printed: Printed;
  /** Offset of what is not taken yet. */
  taken: number;
  /** Where the last round of a flood found its end, and how many rounds it was let go by. */
  seen: number;
  rounds: number;
  /** What was taken, how far it was looked through, and what of that may be kept. */
  batch: string;
  at: number;
  clean: string;
  /** Set once nothing more will be printed. */
  done: (() => void) | undefined;
}

/**
 * Brings what terminals print into the store, a little at a time so that nothing waits for it: looking for secrets in a
 * second of a flood takes longer than a frame. What is not written yet is nowhere but in the terminal's own record.
 */
export class Keeper {
  private readonly books = new Map<TerminalId, Book>();
  private readonly failed = new Set<TerminalId>();
  private timer: NodeJS.Timeout | undefined;
  private stepping: NodeJS.Immediate | undefined;

  /** `onError`: the store failed; that terminal goes on without being kept. Without a store nothing is kept. */
  constructor(
    private readonly store: TerminalStore | undefined,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** The store has all of it. */
  has(id: TerminalId): boolean {
    return this.store !== undefined && !this.failed.has(id) && !this.books.has(id);
  }

  /** The end of it is on its way to the store. */
  isFinishing(id: TerminalId): boolean {
    return this.books.get(id)?.done !== undefined;
  }

  /** The terminal printed something. */
  printed(id: TerminalId, printed: Printed): void {
    if (this.store === undefined || this.failed.has(id)) return;
    if (!this.books.has(id)) this.books.set(id, openBook(printed));
    this.timer ??= setTimeout(() => this.round(), KEEP_EVERY);
  }

  /** It prints no more. `done` is called when all of it is in the store, at once where there is little. */
  finish(id: TerminalId, done: () => void): void {
    const book = this.books.get(id);
    if (!book) {
      done();
      return;
    }
    book.done = done;
    if (book.batch.length - book.at + book.printed.end - book.taken <= SLICE) this.drain(id, book);
    else {
      if (book.batch === '') this.take(book);
      this.goOn();
    }
  }

  /** Writes all that waits, for quitting. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    clearImmediate(this.stepping);
    this.stepping = undefined;
    for (const [id, book] of this.books) this.drain(id, book);
  }

  /** Takes it out of the store; nothing more of it is written, and `done` is not called any more. */
  remove(id: TerminalId): void {
    this.books.delete(id);
    this.attempt(id, (store) => store.remove(id));
    this.failed.delete(id);
  }

  /** Does something with the store for this terminal, unless that failed before. */
  attempt(id: TerminalId, act: (store: TerminalStore) => void): void {
    if (this.store === undefined || this.failed.has(id)) return;
    try {
      act(this.store);
    } catch (error) {
      this.failed.add(id);
      this.onError(error);
    }
  }

  private round(): void {
    this.timer = undefined;
    let isBehind = false;
    for (const book of this.books.values()) {
      const { end } = book.printed;
      if (book.batch !== '') isBehind = true;
      else if (end - book.taken > KEEP_UNITS && end !== book.seen && book.rounds < FLOOD_ROUNDS) {
        book.seen = end;
        book.rounds += 1;
        isBehind = true;
      } else this.take(book);
    }
    if (isBehind) this.timer = setTimeout(() => this.round(), KEEP_EVERY);
    this.goOn();
  }

  private take(book: Book): void {
    const { end } = book.printed;
    const isFlood = end - book.taken > KEEP_UNITS;
    book.batch = isFlood ? GAP + book.printed.since(end - KEEP_UNITS) : book.printed.since(book.taken);
    book.taken = end;
    book.rounds = 0;
  }

  /** Looks at one piece now, and at the next when others had their turn. */
  private goOn(): void {
    this.stepping ??= setImmediate(() => {
      this.stepping = undefined;
      for (const [id, book] of this.books) {
        if (book.batch === '') continue;
        this.step(id, book);
        this.goOn();
        break;
      }
    });
  }

  private drain(id: TerminalId, book: Book): void {
    while (book.batch !== '' || book.printed.end > book.taken) {
      if (book.batch === '') this.take(book);
      this.step(id, book);
    }
    this.settle(id, book);
  }

  private step(id: TerminalId, book: Book): void {
    const piece = book.batch.slice(book.at, book.at + SLICE);
    book.at += piece.length;
    this.attempt(id, (store) => {
      book.clean += store.clean(id, piece);
    });
    if (book.at < book.batch.length && !this.failed.has(id)) return;
    const { clean } = book;
    book.batch = '';
    book.at = 0;
    book.clean = '';
    if (clean !== '') this.attempt(id, (store) => store.append(id, clean));
    if (book.done === undefined) return;
    if (book.printed.end > book.taken) this.take(book);
    else this.settle(id, book);
  }

  /** Tells whoever waits for the end of it. */
  private settle(id: TerminalId, book: Book): void {
    if (book.done === undefined || this.books.get(id) !== book) return;
    this.books.delete(id);
    book.done();
  }
}

const openBook = (printed: Printed): Book => ({
  printed,
  taken: 0,
  seen: 0,
  rounds: 0,
  batch: '',
  at: 0,
  clean: '',
  done: undefined,
});
