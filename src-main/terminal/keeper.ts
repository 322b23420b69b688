import type { TerminalInfo } from '../contract/app';
import type { TerminalId } from '../contract/ids';
import type { TerminalStore } from './store';

/** Milliseconds for which output is collected before it is saved. */
const KEEP_EVERY = 250;
/** UTF-16 units kept of what one terminal printed in one interval. More is a flood; its end is always kept. */
const KEEP_UNITS = 500_000;
/** Rounds of a flood that are skipped before part of it is saved, because the following output soon replaces it. */
const FLOOD_ROUNDS = 8;
/** UTF-16 units filtered in one step: about 2 ms. */
const SLICE = 65_536;
const GAP = '\r\n[… not kept …]\r\n';

/** What a terminal printed so far. */
export interface Printed {
  /** Total UTF-16 units. */
  readonly end: number;
  /** Output from `offset` on, if still available. */
  since(offset: number): string;
}

interface Book {
  printed: Printed;
  /** Offset of the output that is not taken yet. */
  taken: number;
  /** End of the output in the last round of a flood, and the number of skipped rounds. */
  seen: number;
  rounds: number;
  /** The text that was taken, how far it was filtered, and the part of it that may be kept. */
  batch: string;
  at: number;
  clean: string;
  /** Set when nothing more will be printed. */
  done: (() => void) | undefined;
}

/**
 * Saves terminal output in small steps so that nothing has to wait: filtering secrets from one second of a flood takes
 * longer than a frame. Until it is saved, output exists only in the terminal's recorder.
 */
export class Keeper {
  private readonly books = new Map<TerminalId, Book>();
  private readonly failed = new Set<TerminalId>();
  /** Infos to save when the store is free again. */
  private readonly unsaved = new Map<TerminalId, TerminalInfo>();
  private timer: NodeJS.Timeout | undefined;
  private stepping: NodeJS.Immediate | undefined;

  /** `onError`: the store failed; that terminal continues without being saved. Without a store nothing is saved. */
  constructor(
    private readonly store: TerminalStore | undefined,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** True if the store has the complete output. */
  has(id: TerminalId): boolean {
    return this.store !== undefined && !this.failed.has(id) && !this.books.has(id);
  }

  /** True while the last output is being saved. */
  isFinishing(id: TerminalId): boolean {
    return this.books.get(id)?.done !== undefined;
  }

  /** Call it when the terminal printed something. */
  printed(id: TerminalId, printed: Printed): void {
    if (this.store === undefined || this.failed.has(id)) return;
    if (!this.books.has(id)) this.books.set(id, openBook(printed));
    this.later();
  }

  /** Call it when the terminal has stopped printing. It calls `done` when everything is saved, immediately if there is little. */
  finish(id: TerminalId, done: () => void): void {
    const book = this.books.get(id);
    if (!book) {
      done();
      return;
    }
    book.done = done;
    const isLittle = book.batch.length - book.at + book.printed.end - book.taken <= SLICE;
    if (isLittle && !this.isBusy()) this.drain(id, book);
    else {
      if (book.batch === '') this.take(book);
      this.runNext();
    }
  }

  /** Saves everything pending, for quitting. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    clearImmediate(this.stepping);
    this.stepping = undefined;
    this.saveUnsaved();
    for (const [id, book] of this.books) this.drain(id, book);
  }

  /** Saves its info; later, while another program writes to the store. */
  save(info: TerminalInfo): void {
    if (this.isBusy()) {
      this.unsaved.set(info.id, info);
      this.later();
      return;
    }
    this.unsaved.delete(info.id);
    this.attempt(info.id, (store) => store.save(info));
  }

  private saveUnsaved(): void {
    for (const [id, info] of this.unsaved) this.attempt(id, (store) => store.save(info));
    this.unsaved.clear();
  }

  private isBusy(): boolean {
    return this.store?.isBusy?.() === true;
  }

  private later(): void {
    this.timer ??= setTimeout(() => this.round(), KEEP_EVERY);
  }

  /** Deletes the terminal from the store. Nothing more of it is saved, and `done` is no longer called. */
  remove(id: TerminalId): void {
    this.books.delete(id);
    this.unsaved.delete(id);
    this.attempt(id, (store) => store.remove(id));
    this.failed.delete(id);
  }

  /** Calls the store for this terminal, unless an earlier call failed. */
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
    if (this.isBusy()) {
      this.later();
      return;
    }
    this.saveUnsaved();
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
    if (isBehind) this.later();
    this.runNext();
  }

  private take(book: Book): void {
    const { end } = book.printed;
    const isFlood = end - book.taken > KEEP_UNITS;
    book.batch = isFlood ? GAP + book.printed.since(end - KEEP_UNITS) : book.printed.since(book.taken);
    book.taken = end;
    book.rounds = 0;
  }

  /** Filters one piece now, and the next after other work had its turn. */
  private runNext(): void {
    this.stepping ??= setImmediate(() => {
      this.stepping = undefined;
      if (this.isBusy()) {
        this.later();
        return;
      }
      for (const [id, book] of this.books) {
        if (book.batch === '') continue;
        this.step(id, book);
        this.runNext();
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

  /** Notifies the caller that waits for the end of the output. */
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
