import type { ThreadId } from '../../contract/ids';
import type { EditorTools } from '../../harness/acp/host';

/** An editor that hosts a thread. */
export interface EditorLink {
  tools: EditorTools;
  /** A call runs in this terminal of the editor. */
  onTerminal(callId: string, terminalId: string): void;
}

/** The editors of this process, by thread. */
export class Editors {
  private readonly links = new Map<ThreadId, EditorLink & { number: number }>();
  private opened = 0;

  open(threadId: ThreadId, link: EditorLink): void {
    this.opened += 1;
    this.links.set(threadId, { ...link, number: this.opened });
  }

  close(threadId: ThreadId): void {
    this.links.delete(threadId);
  }

  of(threadId: ThreadId): EditorLink | null {
    return this.links.get(threadId) ?? null;
  }

  /** Differs for each link. */
  stampOf(threadId: ThreadId): number {
    return this.links.get(threadId)?.number ?? 0;
  }
}
