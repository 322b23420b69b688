import type { TerminalInfo } from '@contract/app';
import type { Answer } from '@contract/result';

/** The end of the port that one terminal needs. */
export interface TerminalLink {
  attach(): Promise<Answer<{ terminal: TerminalInfo; offset: number; data: string }>>;
  /** `terminal.data` of this terminal only; returns its undo. */
  onData(receive: (offset: number, data: string) => void): () => void;
  /** Everything before `offset` was taken for the screen: more may come. */
  ack(offset: number): void;
  detach(): void;
}

/** Where the text is drawn: xterm.js, or a string in tests. */
export interface Screen {
  /** Before anything of a (new) snapshot is written: clear, and take the size it was recorded at. */
  begin(terminal: TerminalInfo): void;
  /** `drawn` is called when the text is on the screen; pieces are drawn in the order in which they came. */
  write(data: string, drawn?: () => void): void;
  /** The snapshot is on the screen: from here on what the terminal answers is real input. */
  live(terminal: TerminalInfo): void;
  failed(message: string): void;
}

/**
 * Shows one terminal on a screen: the snapshot first, then what is printed, each unit exactly once even where the
 * snapshot and the events around it overlap; a gap in the offsets takes a fresh snapshot. Returns its undo, which
 * detaches. What comes while the screen still works is written at once when it is done: a flood is drawn as rarely as
 * it takes, since drawing costs more than reading. It is acknowledged when the screen takes it, not when it is drawn:
 * the program, the host and the screen then work at the same time, and the host lets only so much wait.
 */
export function showTerminal(link: TerminalLink, screen: Screen): () => void {
  let stopped = false;
  /** Units that were taken for the screen; undefined until the snapshot is here. */
  let position: number | undefined;
  let isWriting = false;
  let waiting: string[] = [];
  /** What came before the snapshot did. */
  let early: { offset: number; data: string }[] = [];
  /** Counts snapshots: what is drawn late of an older one lets nothing go on. */
  let round = 0;

  const write = (data: string, drawn?: () => void) => {
    if (position === undefined) return;
    position += data.length;
    if (isWriting) waiting.push(data);
    else hand([data], position, drawn);
  };

  /** Piece by piece: joined, they would be one large string more for each collection to find. */
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
      screen.failed(snapshot.error.message);
      return;
    }
    const { terminal, offset, data } = snapshot.value;
    screen.begin(terminal);
    position = offset;
    write(data, () => screen.live(terminal));
    const behind = early;
    early = [];
    // A gap right behind the snapshot would ask for ever; what is missing there was dropped by the host on purpose.
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
