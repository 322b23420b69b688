import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../base/limited-json';
import { problem } from './problem';

/** The feed and its signature, in the folder of `project.json`. The script that makes them is scripts/installers/feed.mjs. */
export const FEED_NAME = 'updates.json';
export const SIGNATURE_NAME = 'updates.json.sig';

/** Bytes. */
export const MAX_FEED = 100_000;
/** Bytes of a package. */
const MAX_PACKAGE = 1_000_000_000;
/** Milliseconds that a feed's date may be ahead of this computer's clock. */
const CLOCK_DIFFERENCE = 24 * 60 * 60 * 1_000;

const FeedFile = z.object({
  platform: z.string(),
  /** `universal`: for every processor. */
  arch: z.string(),
  /** In the feed's folder: no path, so that it can neither leave that folder nor name another file on this computer. */
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/),
  size: z.number().int().positive().max(MAX_PACKAGE),
  /** In base64. */
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
});
export type FeedFile = z.infer<typeof FeedFile>;

const Feed = z.object({
  format: z.literal(1),
  version: z.string().regex(/^\d{1,9}\.\d{1,9}\.\d{1,9}$/),
  /** When it was signed. */
  date: z.iso.datetime(),
  expires: z.iso.datetime(),
  /** What changed, as plain text. */
  notes: z.string().max(20_000),
  files: z.array(FeedFile).max(50),
});
export type Feed = z.infer<typeof Feed>;

/**
 * The feed, if the key signed exactly these bytes and it is still valid. Throws an `UpdateProblem`.
 * @param signatures one a line
 * @param seen the date of the newest feed that this computer has accepted, in milliseconds: an older one is a replay
 */
export function verifiedFeed(
  bytes: Uint8Array,
  signatures: string,
  { key, now, seen }: { key: string; now: number; seen: number },
): Feed {
  if (!isSigned(bytes, signatures, key)) throw problem('update_signature_wrong');
  const parsed = parseJson(new TextDecoder().decode(bytes), { maxBytes: MAX_FEED });
  const feed = Feed.safeParse('value' in parsed ? parsed.value : undefined);
  if (!feed.success) throw problem('update_feed_form');
  const { date, expires } = feed.data;
  if (Date.parse(expires) <= now || Date.parse(date) > now + CLOCK_DIFFERENCE)
    throw problem('update_feed_expired', { date: date.slice(0, 10) });
  if (Date.parse(date) < seen) throw problem('update_feed_replayed');
  return feed.data;
}

/** Only ASCII letters, digits and the signs of base64; `Buffer` would skip everything else. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** While the project changes its key, the feed has two signatures, one a line: apps know the old key or the new one. */
function isSigned(bytes: Uint8Array, signatures: string, key: string): boolean {
  try {
    const known = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    if (known.asymmetricKeyType !== 'ed25519') return false;
    return signatures
      .split('\n')
      .map((line) => line.trim())
      .some((line) => BASE64.test(line) && verify(null, bytes, known, Buffer.from(line, 'base64')));
  } catch {
    return false;
  }
}

/** Compares versions of the form 1.2.3. */
export function isNewer(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  for (let at = 0; at < 3; at += 1) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** The package for a system; undefined if the feed has none. */
export const fileFor = (feed: Feed, platform: string, arch: string): FeedFile | undefined =>
  feed.files.find((file) => file.platform === platform && (file.arch === arch || file.arch === 'universal'));
