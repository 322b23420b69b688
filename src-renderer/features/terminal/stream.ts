import type { TerminalInfo } from '@contract/app';
import type { Result } from '@contract/result';

/** The end of the port that one terminal needs. */
export interface TerminalLink {
  attach(): Promise<Result<{ terminal: TerminalInfo; offset: number; data: string }>>;
  /** `terminal.data` of this terminal only; returns its undo. */
  onData(receive: (offset: number, data: string) => void): () => void;
  ack(offset: number): void;
  detach(): void;
}

/** Where the text is drawn: xterm.js, or a string in tests. */
export interface Screen {
  /** Before anything of a (new) snapshot is written: clear, and take the size it was recorded at. */
  begin(terminal: TerminalInfo): void;
  /** `drawn` is called when the text is on the screen. */
  write(data: string, drawn: () => void): void;
  /** The snapshot is on the screen: from here on what the terminal answers is real input. */
  live(terminal: TerminalInfo): void;
  failed(message: string): void;
}

/**
 * UTF-16 units drawn since the last acknowledgement before another is sent. A small part of the 400,000 at which the
 * host pauses the process, so a fast program never waits for the reply.
 */
const ACK_AFTER = 5_000;

/**
 * Shows one terminal on a screen: the snapshot first, then what is printed, each unit exactly once even where the
 * snapshot and the events around it overlap; a gap in the offsets takes a fresh snapshot. Returns its undo, which
 * detaches.
 */
export function showTerminal(link: TerminalLink, screen: Screen): () => void {
  let stopped = false;
  /** Units that were handed to the screen; undefined until the snapshot is here. */
  let position: number | undefined;
  let acknowledged = 0;
  let writing = 0;
  /** What came before the snapshot did. */
  let early: { offset: number; data: string }[] = [];
  /** Counts snapshots: what is drawn late of an older one acknowledges nothing. */
  let round = 0;

  const write = (data: string, drawn?: () => void) => {
    if (position === undefined) return;
    position += data.length;
    const end = position;
    const mine = round;
    writing += 1;
    screen.write(data, () => {
      writing -= 1;
      if (stopped || mine !== round) return;
      if (end - acknowledged >= ACK_AFTER || writing === 0) {
        acknowledged = end;
        link.ack(end);
      }
      drawn?.();
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
    acknowledged = offset;
    write(data, () => screen.live(terminal));
    const waiting = early;
    early = [];
    // A gap right behind the snapshot would ask for ever; what is missing there was dropped by the host on purpose.
    for (const chunk of waiting) {
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
