import { parseJson } from '../../../base/limited-json';
import type { Writing } from '../../../contract/conversation';
import { displayOf } from '../../../harness/tools/catalogue';

/** A part of a call's arguments, as providers stream them. */
export interface CallPiece {
  index?: number | undefined;
  name?: string | undefined;
  args?: string | undefined;
}

/** UTF-16 units at the start of the arguments in which the path is searched. */
const HEAD = 4_000;
const PATH = /"(?:file_path|path)"\s*:\s*"((?:[^"\\]|\\.)*)"/;

/** What the model is writing while the arguments of a call arrive. */
export class StreamedCall {
  private index: number | undefined;
  private name = '';
  private head = '';
  private lines = 0;
  /** The last piece ended in a backslash, which belongs to the next character. */
  private isEscape = false;

  take({ index, name, args = '' }: CallPiece): void {
    if (name !== undefined && name !== '' && (index !== this.index || this.name === '')) {
      this.index = index;
      this.name = name;
      this.head = '';
      this.lines = 0;
      this.isEscape = false;
    }
    if (this.head.length < HEAD) this.head += args.slice(0, HEAD);
    for (const sign of args) {
      if (this.isEscape && sign === 'n') this.lines += 1;
      this.isEscape = !this.isEscape && sign === '\\';
    }
  }

  /** Null for a tool that is not built in. */
  get writing(): Writing | null {
    const display = displayOf(this.name);
    if (display === undefined) return null;
    const path = PATH.exec(this.head)?.[1];
    return { display, path: path === undefined ? null : unescaped(path), lines: this.lines };
  }
}

function unescaped(text: string): string {
  const parsed = parseJson(`"${text}"`, { maxBytes: 4 * HEAD });
  return 'value' in parsed ? String(parsed.value) : text;
}
