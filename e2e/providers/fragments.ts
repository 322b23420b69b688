/** Splits answers like networks and models do, at places that break careless parsers. */

/** Maximum deltas for one text, so that a 100 KB file does not become 30,000 events. */
const MAX_FRAGMENTS = 400;

function cut(units: string[], size: number): string[] {
  const step = Math.max(size, Math.ceil(units.length / MAX_FRAGMENTS));
  const fragments: string[] = [];
  for (let at = 0; at < units.length; at += step) fragments.push(units.slice(at, at + step).join(''));
  return fragments;
}

/** Splits text into pieces of about a token. Characters outside the basic plane stay whole, as in a model's deltas. */
export function textFragments(text: string): string[] {
  return cut([...text], 6);
}

/** Splits JSON into pieces so small that keys, literals and escapes such as `\n` or `\u00e9` are broken up. */
export function jsonFragments(json: string): string[] {
  return cut([...json], 3);
}

/**
 * Arguments as a model writes them. Every second call escapes its non-ASCII characters as `\uXXXX`, so that tests cover both
 * forms.
 */
export function argumentsJson(args: object, callIndex: number): string {
  const json = JSON.stringify(args);
  if (callIndex % 2 === 0) return json;
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** How the arguments of a call are damaged; see `Failure`. */
export type Damage = 'bad_tool_json' | 'cut_tool_json';

/** The arguments with a word in place of a comma or brace, or truncated inside their last string. Not JSON. */
export function spoil(json: string, damage: Damage): string {
  if (damage === 'bad_tool_json') return `${json.slice(0, -1)} oops}`;
  return json.slice(0, Math.max(1, json.lastIndexOf('"') - 1)).replace(/\\+$/, '');
}

/**
 * Joins frames and splits them into network chunks: inside a multibyte character if a frame has one, every fourth frame in
 * the middle, otherwise between frames. The rest of a split frame goes out with the next one.
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

  /** The bytes still held back. */
  flush(): Buffer {
    const rest = this.#kept;
    this.#kept = Buffer.alloc(0);
    return rest;
  }
}
