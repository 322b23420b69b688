import type { Port } from '../../contract/rpc';

/** Maximum milliseconds that messages to windows are held: about a frame. */
const HELD_FOR = 20;

/**
 * Sends messages to windows in order. While a message goes to the model, it holds them for up to a frame: drawing would
 * compete with the request for the processor.
 */
export class Outbox {
  private held: (() => void)[] | null = null;
  private timer: NodeJS.Timeout | undefined;

  /** Holds all messages until `release` or for a frame. */
  hold(): void {
    this.held ??= [];
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.release(), HELD_FOR);
  }

  /** Sends all held messages. */
  release(): void {
    clearTimeout(this.timer);
    const { held } = this;
    this.held = null;
    for (const tell of held ?? []) tell();
  }

  /** Wraps a window's port so that its messages are held with all others. */
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
