import { foldText } from '@contract/shared/fold-text';
import type { Row } from './tree';

/** What a key does in the tree: move the focus, or act on the focused row. */
export type KeyEffect =
  | { do: 'focus'; index: number }
  | { do: 'expand' | 'collapse' | 'activate'; index: number }
  | { do: 'nothing' };

const canOpen = (row: Row): row is Extract<Row, { kind: 'root' | 'entry' }> =>
  row.kind === 'root' || (row.kind === 'entry' && row.entry.kind === 'directory');
const canFocus = (row: Row) => row.kind !== 'loading' && row.kind !== 'empty' && row.kind !== 'naming';

const labelOf = (row: Row): string | undefined =>
  row.kind === 'root' ? row.root.label : row.kind === 'entry' ? row.entry.name : undefined;

/** The keys of the ARIA tree pattern. `key` is KeyboardEvent.key; `index` is the focused row. */
export function treeKey(rows: readonly Row[], index: number, key: string, pageSize: number): KeyEffect {
  const row = rows[index];
  if (row === undefined) return { do: 'nothing' };
  const step = (from: number, by: 1 | -1): KeyEffect => {
    for (let i = from; i >= 0 && i < rows.length; i += by) {
      const candidate = rows[i];
      if (candidate && canFocus(candidate)) return { do: 'focus', index: i };
    }
    return { do: 'nothing' };
  };
  switch (key) {
    case 'ArrowDown':
      return step(index + 1, 1);
    case 'ArrowUp':
      return step(index - 1, -1);
    case 'Home':
      return step(0, 1);
    case 'End':
      return step(rows.length - 1, -1);
    case 'PageDown':
      return step(Math.min(rows.length - 1, index + pageSize), -1);
    case 'PageUp':
      return step(Math.max(0, index - pageSize), 1);
    case 'ArrowRight':
      if (!canOpen(row)) return { do: 'nothing' };
      return row.expanded ? step(index + 1, 1) : { do: 'expand', index };
    case 'ArrowLeft': {
      if (canOpen(row) && row.expanded) return { do: 'collapse', index };
      const parent = rows.findLastIndex((other, i) => i < index && other.level < row.level);
      return parent === -1 ? { do: 'nothing' } : { do: 'focus', index: parent };
    }
    case 'Enter':
    case ' ':
      return { do: 'activate', index };
    default:
      return { do: 'nothing' };
  }
}

/**
 * The index of the next row whose name starts with what was typed, wrapping around. The focused row counts if more than one
 * character was typed. Undefined if there is none.
 */
export function findTyped(rows: readonly Row[], index: number, typed: string): number | undefined {
  const wanted = foldText(typed);
  const first = typed.length > 1 ? index : index + 1;
  for (let i = 0; i < rows.length; i++) {
    const at = (first + i) % rows.length;
    const row = rows[at];
    if (row && foldText(labelOf(row) ?? '').startsWith(wanted)) return at;
  }
  return undefined;
}
