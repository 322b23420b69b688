import { findNodeAtLocation, type ParseError, parseTree } from 'jsonc-parser';

/** 1-based. */
export interface TextPosition {
  line: number;
  column: number;
}

/** JSON as `JSON.parse` reads it. */
const STRICT = { allowTrailingComma: false, disallowComments: true };

/** Where a text stops being JSON. Null: it is valid. Its depth must be limited, see `parseJson`. */
export function jsonFault(text: string): TextPosition | null {
  const errors: ParseError[] = [];
  parseTree(readable(text), errors, STRICT);
  const [first] = errors;
  return first === undefined ? null : positionAt(text, first.offset);
}

/** The line (1-based) of a value in valid JSON. If the value is missing, that of what should have it. */
export function jsonLine(text: string, path: readonly PropertyKey[]): number {
  const tree = parseTree(readable(text), [], STRICT);
  const names = path.map((name) => (typeof name === 'number' ? name : String(name)));
  for (let length = names.length; tree !== undefined && length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, names.slice(0, length));
    if (node !== undefined) return positionAt(text, node.offset).line;
  }
  return positionAt(text, tree?.offset ?? 0).line;
}

/** `parseJson` ignores a byte order mark. */
const readable = (text: string): string => text.replace(/^\uFEFF/, ' ');

function positionAt(text: string, at: number): TextPosition {
  const lines = text.slice(0, at).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
