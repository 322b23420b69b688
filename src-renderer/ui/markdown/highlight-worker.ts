// A web worker that colors code. Some code takes forever; terminating the worker stops it.
import type { HighlightReply, HighlightRequest } from './highlighter';
import { answerHighlight } from './tokenize';

self.onmessage = ({ data }: MessageEvent<HighlightRequest>) => {
  void answerHighlight(data, (reply: HighlightReply) => self.postMessage(reply));
};
