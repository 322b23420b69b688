/** Cutting answers as networks and models do: at places a careless reader trips over. */

/** At most this many deltas for one text, so that a 100 KB file does not become 30,000 events. */
const MOST_FRAGMENTS = 400;

function cut(units: string[], size: number): string[] {
  const step = Math.max(size, Math.ceil(units.length / MOST_FRAGMENTS));
  const fragments: string[] = [];
  for (let at = 0; at < units.length; at += step) fragments.push(units.slice(at, at + step).join(''));
  return fragments;
}

/** Text in pieces of about a token; characters outside the basic plane stay whole, as in a model's own deltas. */
export function textFragments(text: string): string[] {
  return cut([...text], 6);
}

/** JSON in pieces so small that keys, literals and escapes such as `\n` or `\u00e9` are cut apart. */
export function jsonFragments(json: string): string[] {
  return cut([...json], 3);
}

/**
 * Arguments as a model writes them. Every other call has its non-ASCII characters as `\uXXXX` escapes, so both
 * spellings are met.
 */
export function argumentsJson(args: object, callIndex: number): string {
  const json = JSON.stringify(args);
  if (callIndex % 2 === 0) return json;
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** How the arguments of a call are spoilt; see `Failure`. */
export type Damage = 'bad_tool_json' | 'cut_tool_json';

/** The arguments with a word where a comma or brace belongs, or broken off inside their last string. Not JSON. */
export function spoil(json: string, damage: Damage): string {
  if (damage === 'bad_tool_json') return `${json.slice(0, -1)} oops}`;
  return json.slice(0, Math.max(1, json.lastIndexOf('"') - 1)).replace(/\\+$/, '');
}

/**
 * Joins frames and cuts them into the network's chunks: inside a multi-byte character where a frame has one,
 * every fourth frame in its middle, else between frames. What was cut off goes out with the next frame.
 */
export class ChunkCutter {
  #kept: Buffer = Buffer.alloc(0);
  #frames = 0;

  /** Bytes to send now; may be empty. */
  push(frame: string): Buffer {
    const bytes = Buffer.concat([this.#kept, Buffer.from(frame, 'utf8')]);
    this.#frames += 1;
    const insideCharacter = bytes.findIndex(
      (byte, index) => index >= this.#kept.length && (byte & 0xc0) === 0x80,
    );
    const end =
      insideCharacter > 0 ? insideCharacter : this.#frames % 4 === 0 ? bytes.length >> 1 : bytes.length;
    this.#kept = bytes.subarray(end);
    return bytes.subarray(0, end);
  }

  /** What is still kept back. */
  flush(): Buffer {
    const rest = this.#kept;
    this.#kept = Buffer.alloc(0);
    return rest;
  }
}
