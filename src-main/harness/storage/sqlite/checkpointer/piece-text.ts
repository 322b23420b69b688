// The JSON texts of pieces (`pieces.ts`): their long strings, their items and their marks.

/** UTF-16 units of JSON from which a string becomes a separate piece, shared by a message and the state around it. */
const LONG_STRING = 1_024;

export interface ItemTexts {
  isList: boolean;
  /** Keys are null in a list. */
  items: { key: string | null; text: string }[];
}

/**
 * Replaces each string literal of at least `LONG_STRING` units, quotes included. Text before the first mark is compact JSON.
 */
export function cutLongStrings(json: string, store: (text: string) => string): string {
  if (json.length < LONG_STRING) return json;
  let out = '';
  let copied = 0;
  for (let open = json.indexOf('"'); open !== -1; ) {
    const close = endOfString(json, open);
    if (close - open >= LONG_STRING) {
      out += json.slice(copied, open) + store(json.slice(open, close + 1));
      copied = close + 1;
    }
    open = json.indexOf('"', close + 1);
  }
  return out + json.slice(copied);
}

/** Index of the closing quote of the string literal that starts at `open`. */
export function endOfString(json: string, open: number): number {
  for (let close = json.indexOf('"', open + 1); close !== -1; close = json.indexOf('"', close + 1)) {
    let slashes = 0;
    while (json.charCodeAt(close - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return close;
  }
  throw new Error('not JSON: a string does not end');
}

/**
 * Items of a list or object, inline or in a piece. Null for any other text, and for types that the serializer encodes
 * itself. A mark that `isItem` accepts is not expanded. Any other may be a chunk: a piece with several items side by side.
 */
export function readItems(
  text: string,
  load: (id: number) => string,
  isItem: (mark: string) => boolean,
): ItemTexts | null {
  const whole = text.startsWith('\n') ? load(idOf(text)) : text;
  const isList = whole.startsWith('[');
  if (!isList && (!whole.startsWith('{') || whole.startsWith('{"lc":'))) return null;
  const items: ItemTexts['items'] = [];
  const visit = (part: string, from: number, to: number): void => {
    for (let at = from; at < to; ) {
      const keyEnd = !isList && part[at] === '"' ? endOfString(part, at) + 1 : null;
      const begin = keyEnd === null ? at : keyEnd + 1;
      const end = endOfValue(part, begin);
      const item = part.slice(begin, end);
      const chunk = keyEnd === null && item.startsWith('\n') && !isItem(item) ? load(idOf(item)) : null;
      // An item is a single value, and a chunk of an object starts with a key.
      if (chunk !== null && (!isList || endOfFirst(chunk) < chunk.length)) visit(chunk, 0, chunk.length);
      else
        items.push({ key: keyEnd === null ? null : String(JSON.parse(part.slice(at, keyEnd))), text: item });
      // After the comma.
      at = end + 1;
    }
  };
  visit(whole, 1, whole.length - 1);
  return { isList, items };
}

/** Whether a text is a mark and nothing else. */
export const isMark = (text: string): boolean =>
  text.startsWith('\n') && text.indexOf('\n', 1) === text.length - 1;
/** The number of the piece that a mark stands for. */
export const idOf = (mark: string): number => Number(mark.slice(1, -1));

/** Messages are long, so inside a chunk they are always marks. */
const endOfFirst = (text: string): number =>
  text.startsWith('{"lc":1,') ? text.length : endOfValue(text, 0);

/** Index after the JSON value or mark that starts at `at`. */
function endOfValue(text: string, at: number): number {
  const first = text[at];
  if (first === '\n') return text.indexOf('\n', at + 1) + 1;
  if (first === '"') return endOfString(text, at) + 1;
  let depth = 0;
  for (let end = at; end < text.length; end++) {
    const letter = text[end];
    if (letter === '"') end = endOfString(text, end);
    else if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') {
      depth -= 1;
      if (depth === 0) return end + 1;
      if (depth < 0) return end;
    } else if (letter === ',' && depth === 0) return end;
  }
  return text.length;
}
