import type { ThreadId } from '@contract/ids';
import { type Answer, ok } from '@contract/result';
import { call } from '../../link';

/** Maximum size of the image cache in UTF-16 units; scrolling requests the same images repeatedly. */
const REMEMBERED = 40_000_000;

const known = new Map<string, string>();
let length = 0;

/** An image of a result as a URL for `img`. Errors: those of `thread.media`. */
export async function loadPicture(threadId: ThreadId, mediaId: string): Promise<Answer<string>> {
  const remembered = known.get(mediaId);
  if (remembered !== undefined) return ok(remembered);
  const answer = await call('thread.media', { threadId, mediaId });
  if (!answer.ok) return answer;
  const { mimeType, data } = answer.value;
  const url = `data:${mimeType};base64,${data}`;
  if (!known.has(mediaId)) {
    known.set(mediaId, url);
    length += url.length;
  }
  for (const [id, old] of known) {
    if (length <= REMEMBERED) break;
    known.delete(id);
    length -= old.length;
  }
  return ok(url);
}
