import type { ThreadId } from '@contract/ids';
import { call } from '../../link';

/** UTF-16 units of the pictures that are remembered; scrolling back and forth asks for them again and again. */
const REMEMBERED = 40_000_000;

const known = new Map<string, string>();
let length = 0;

/** A picture of a result as an address for `img`; null where it is not kept any more. */
export async function loadPicture(threadId: ThreadId, mediaId: string): Promise<string | null> {
  const remembered = known.get(mediaId);
  if (remembered !== undefined) return remembered;
  const answer = await call('thread.media', { threadId, mediaId });
  if (!answer.ok) return null;
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
  return url;
}
