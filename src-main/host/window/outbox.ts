import type { Port } from '../../contract/rpc';

/** Milliseconds for which the windows are told nothing at most: about a frame. */
const HELD_FOR = 20;

/**
 * What the windows are told, in its order. While a message is on its way to the model they are told nothing, for a frame
 * at most: they would draw, and the request would wait for a processor.
 */
export class Outbox {
  private held: (() => void)[] | null = null;
  private timer: NodeJS.Timeout | undefined;

  /** From now on everything waits, until `release` or for a frame. */
  hold(): void {
    this.held ??= [];
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.release(), HELD_FOR);
  }

  /** Tells all that waits. */
  release(): void {
    clearTimeout(this.timer);
    const { held } = this;
    this.held = null;
    for (const tell of held ?? []) tell();
  }

  /** The port of a window, whose messages wait where all do. */
  of(port: Port): Port {
    return {
      post: (message) => {
        if (this.held === null) port.post(message);
        else this.held.push(() => port.post(message));
      },
      listen: (receive) => port.listen(receive),
      onClose: (closed) => port.onClose(closed),
    };
  }
}
