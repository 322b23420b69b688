import { type KeyboardEvent, useRef } from 'react';
import type { FileActions } from '../use-file-actions';
import type { Row } from './tree';
import { findTyped, treeKey } from './tree-keys';
import type { TreeFocus } from './use-tree-focus';

/** Milliseconds after which the next character starts a new name. */
const TYPED_FOR = 700;

interface TreeKeys {
  rows: readonly Row[];
  rowHeight: number;
  tree: TreeFocus;
  actions: FileActions;
  onMenu(): void;
  onRename(path: string): void;
  onActivate(index: number): void;
  onToggle(path: string, expanded: boolean): void;
}

/** The keys of the tree: arrows, type-ahead, Enter, F2, Delete and the menu key. */
export function useTreeKeys(keys: TreeKeys): (event: KeyboardEvent) => void {
  const { rows, rowHeight, tree, actions } = keys;
  const { focused, focus, list } = tree;
  const typed = useRef({ text: '', at: 0 });

  /** F2 and Delete. */
  const change = (event: KeyboardEvent, row: Row | undefined): boolean => {
    if (row?.kind !== 'entry' || !actions.isOwn(row.path)) return false;
    if (event.key === 'F2') keys.onRename(row.path);
    else if (event.key === 'Delete') {
      tree.setFocusedKey((rows[focused + 1] ?? rows[focused - 1])?.key);
      void actions.trash(row.path);
    } else return false;
    return true;
  };
  /** Goes to the row whose name starts with what was typed. */
  const type = (event: KeyboardEvent): boolean => {
    const isTyping = event.timeStamp - typed.current.at < TYPED_FOR && typed.current.text !== '';
    if (event.key.length !== 1 || (event.key === ' ' && !isTyping)) return false;
    typed.current = { text: isTyping ? typed.current.text + event.key : event.key, at: event.timeStamp };
    const found = findTyped(rows, focused, typed.current.text);
    if (found !== undefined) focus(found);
    return true;
  };
  const move = (event: KeyboardEvent): boolean => {
    const height = list.current?.element?.clientHeight ?? rowHeight;
    const effect = treeKey(rows, focused, event.key, Math.max(1, Math.floor(height / rowHeight) - 1));
    if (effect.do === 'nothing') return false;
    const affected = rows[effect.index];
    if (effect.do === 'focus') focus(effect.index);
    else if (effect.do === 'activate') keys.onActivate(effect.index);
    else if (affected) keys.onToggle(affected.path, effect.do === 'collapse');
    return true;
  };

  return (event) => {
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      event.preventDefault();
      keys.onMenu();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    tree.setHasKeyboard(true);
    if (change(event, rows[focused]) || type(event) || move(event)) event.preventDefault();
  };
}
