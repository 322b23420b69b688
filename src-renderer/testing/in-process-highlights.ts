import type { HighlightReply, HighlightRequest, HighlightWorker } from '../ui/markdown/highlighter';
import { answerHighlight } from '../ui/markdown/tokenize';

/** The worker that colors code, run inside the test. */
export class InProcessHighlights implements HighlightWorker {
  onmessage: HighlightWorker['onmessage'] = null;
  onerror: HighlightWorker['onerror'] = null;
  private isEnded = false;

  postMessage(request: HighlightRequest): void {
    void answerHighlight(request, (data) => this.send(data));
  }

  protected send(data: HighlightReply): void {
    if (!this.isEnded) this.onmessage?.(new MessageEvent('message', { data }));
  }

  terminate(): void {
    this.isEnded = true;
  }
}
