import type { TerminalInfo } from '@contract/app';
import type { Answer } from '@contract/result';

/** The part of the port that one terminal needs. */
export interface TerminalLink {
  attach(): Promise<Answer<{ terminal: TerminalInfo; offset: number; data: string }>>;
  /** Subscribes to `terminal.data` of this terminal; returns the unsubscribe function. */
  onData(receive: (offset: number, data: string) => void): () => void;
  /** The screen has accepted everything before `offset`, so the host can send more. */
  ack(offset: number): void;
  detach(): void;
}

/** Draws the text: xterm.js, or a string in tests. */
export interface Screen {
  /** Called before any of a (new) snapshot is written: clear, and set its recorded size. */
  begin(terminal: TerminalInfo): void;
  /** Calls `drawn` when the text is on the screen; pieces are drawn in order of arrival. */
  write(data: string, drawn?: () => void): void;
  /** The snapshot is on the screen: from now on the terminal's replies are real input. */
  live(terminal: TerminalInfo): void;
  /** `retry`: asks for the snapshot again. */
  failed(error: { message: string }, retry: () => void): void;
}

/**
 * Shows one terminal on a screen: the snapshot first, then new output, each unit exactly once even if the snapshot and the
 * events overlap. A gap in the offsets requests a new snapshot. Returns a function that detaches. Data that arrives while
 * the screen is busy is written as soon as it is done, so a flood is drawn as rarely as possible, since drawing costs more
 * than reading. Data is acknowledged when the screen accepts it, not when it is drawn: the program, the host and the screen
 * then work in parallel, and the host limits how much is queued.
 */
export function showTerminal(link: TerminalLink, screen: Screen): () => void {
  let stopped = false;
  /** Number of units that the screen accepted; undefined until the snapshot has arrived. */
  let position: number | undefined;
  let isWriting = false;
  let waiting: string[] = [];
  /** Data that arrived before the snapshot. */
  let early: { offset: number; data: string }[] = [];
  /** Counts snapshots: a late drawing of an older one resumes nothing. */
  let round = 0;

  const write = (data: string, drawn?: () => void) => {
    if (position === undefined) return;
    position += data.length;
    if (isWriting) waiting.push(data);
    else hand([data], position, drawn);
  };

  /** Writes piece by piece: a joined string would be another large string for the garbage collector. */
  const hand = (pieces: readonly string[], end: number, drawn?: () => void) => {
    const mine = round;
    isWriting = true;
    link.ack(end);
    for (const piece of pieces.slice(0, -1)) screen.write(piece);
    screen.write(pieces.at(-1) ?? '', () => {
      if (stopped || mine !== round) return;
      isWriting = false;
      drawn?.();
      if (waiting.length === 0 || position === undefined) return;
      const next = waiting;
      waiting = [];
      hand(next, position);
    });
  };

  const receive = (offset: number, data: string) => {
    if (stopped) return;
    if (position === undefined) {
      early.push({ offset, data });
      return;
    }
    if (offset > position) {
      early = [{ offset, data }];
      void attach();
      return;
    }
    const fresh = data.slice(position - offset);
    if (fresh !== '') write(fresh);
  };

  const attach = async () => {
    position = undefined;
    isWriting = false;
    waiting = [];
    round += 1;
    const mine = round;
    const snapshot = await link.attach();
    if (stopped || mine !== round) return;
    if (!snapshot.ok) {
      screen.failed(snapshot.error, () => void attach());
      return;
    }
    const { terminal, offset, data } = snapshot.value;
    screen.begin(terminal);
    position = offset;
    write(data, () => screen.live(terminal));
    const behind = early;
    early = [];
    // A gap right after the snapshot would cause endless requests; the host dropped that data on purpose.
    for (const chunk of behind) {
      if (chunk.offset > position) position = chunk.offset;
      receive(chunk.offset, chunk.data);
    }
  };

  const stopListening = link.onData(receive);
  void attach();
  return () => {
    stopped = true;
    stopListening();
    link.detach();
  };
}
