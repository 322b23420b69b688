// A worker of the page: colors code, which may be made to take for ever and then ends with its worker.
import type { HighlightReply, HighlightRequest } from './highlighter';
import { answerHighlight } from './tokenize';

self.onmessage = ({ data }: MessageEvent<HighlightRequest>) => {
  void answerHighlight(data, (reply: HighlightReply) => self.postMessage(reply));
};
