import { createHash } from 'node:crypto';
import { tokens } from './ids';

/** A part of a request, in the order in which the service reads it; equal parts have equal text. */
export interface CachePart {
  text: string;
  /** The client asked to cache the request up to the end of this part. */
  isMarked?: boolean;
}

export interface CacheCount {
  read: number;
  written: number;
  /** Neither read from the cache nor written to it. */
  fresh: number;
}

/** Tokens; shorter prefixes are never cached. */
const SHORTEST = 1_024;

/** Parts before a mark that Anthropic searches for a known prefix. */
const LOOK_BACK = 20;

/** Simulates a provider's prompt cache over successive requests, from what it really receives. */
export class PrefixCache {
  readonly #known = new Set<string>();
  readonly #requests: string[] = [];

  /** Anthropic's count: prefixes are cached where the client marked them. */
  marked(parts: readonly CachePart[]): CacheCount {
    const ends = endsOf(parts);
    const total = ends.at(-1)?.tokens ?? 0;
    const marks = parts.flatMap((part, index) => (part.isMarked ? [index] : []));
    let read = 0;
    let kept = 0;
    for (const mark of marks) {
      for (let at = mark; at >= Math.max(0, mark - LOOK_BACK); at -= 1) {
        const end = ends[at];
        if (end === undefined || !this.#known.has(end.hash)) continue;
        read = Math.max(read, end.tokens);
        break;
      }
    }
    for (const mark of marks) {
      const end = ends[mark];
      if (end === undefined || end.tokens < SHORTEST) continue;
      kept = Math.max(kept, end.tokens);
      this.#known.add(end.hash);
    }
    const written = Math.max(0, kept - read);
    return { read, written, fresh: total - read - written };
  }

  /** OpenAI's and Gemini's count: the longest prefix shared with an earlier request, in steps of `step` tokens. */
  shared(parts: readonly CachePart[], step: number): CacheCount {
    const text = parts.map((part) => part.text).join('\n');
    const longest = Math.max(0, ...this.#requests.map((earlier) => sharedLength(earlier, text)));
    this.#requests.push(text);
    const steps = Math.floor(Math.floor(longest / 4) / step) * step;
    const read = steps < SHORTEST ? 0 : steps;
    return { read, written: 0, fresh: tokens(text) - read };
  }
}

function endsOf(parts: readonly CachePart[]): { hash: string; tokens: number }[] {
  const hash = createHash('sha256');
  let length = 0;
  return parts.map(({ text }) => {
    hash.update(`${text}\0`);
    length += text.length;
    return { hash: hash.copy().digest('hex'), tokens: Math.ceil(length / 4) };
  });
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at += 1;
  return at;
}
