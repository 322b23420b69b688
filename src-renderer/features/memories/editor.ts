import type { MemoryEntry } from '@contract/app';
import type { ProjectId } from '@contract/ids';
import type { ErrorInWords } from '@contract/result';

export interface MemoryText {
  memory: MemoryEntry;
  text: string;
}

/**
 * The open memory. `base` is the version that the draft started from, null for a new one. `theirs` is what the agent (or
 * another window) saved since, null if it was deleted.
 */
export type Editor =
  | { phase: 'closed' }
  | { phase: 'loading'; path: string }
  | { phase: 'failed'; path: string; error: ErrorInWords }
  | { phase: 'reading'; open: MemoryText }
  | {
      phase: 'editing';
      base: MemoryText | null;
      path: string;
      draft: string;
      saving: boolean;
      changedMeanwhile: boolean;
      error: ErrorInWords | null;
    }
  | { phase: 'conflict'; base: MemoryText | null; path: string; draft: string; theirs: MemoryText | null };

/** `projectId`: the project in which it was opened. */
export interface OpenMemory {
  editor: Editor;
  projectId: ProjectId | null;
}

export type EditorAction =
  | { type: 'opened'; path: string }
  | { type: 'closed' }
  | { type: 'loaded'; open: MemoryText }
  | { type: 'failed'; path: string; error: ErrorInWords }
  | { type: 'editStarted' }
  | { type: 'createStarted'; path: string }
  | { type: 'typed'; draft: string }
  | { type: 'pathTyped'; path: string }
  | { type: 'saveStarted' }
  | { type: 'saved'; open: MemoryText }
  | { type: 'saveFailed'; error: ErrorInWords }
  | { type: 'conflictFound'; theirs: MemoryText | null }
  | { type: 'changedOutside'; path: string }
  | { type: 'deletedOutside'; path: string }
  | { type: 'editStopped' }
  | { type: 'mineKept' }
  | { type: 'theirsTaken' }
  | { type: 'otherNameWanted' };

/** Pure. The draft survives every response; only the person can discard it. */
export function reduceEditor(state: Editor, action: EditorAction): Editor {
  switch (action.type) {
    case 'opened':
      return { phase: 'loading', path: action.path };
    case 'closed':
      return { phase: 'closed' };
    case 'loaded':
      return pathOf(state) === action.open.memory.path &&
        (state.phase === 'loading' || state.phase === 'reading' || state.phase === 'failed')
        ? { phase: 'reading', open: action.open }
        : state;
    case 'failed':
      return pathOf(state) === action.path && (state.phase === 'loading' || state.phase === 'reading')
        ? { phase: 'failed', path: action.path, error: action.error }
        : state;
    case 'editStarted':
      return state.phase === 'reading'
        ? startEditing(state.open, state.open.memory.path, state.open.text)
        : state;
    case 'createStarted':
      return startEditing(null, action.path, '');
    case 'typed':
      return state.phase === 'editing' ? { ...state, draft: action.draft } : state;
    case 'pathTyped':
      return state.phase === 'editing' && state.base === null
        ? { ...state, path: action.path, error: null }
        : state;
    case 'saveStarted':
      return state.phase === 'editing' ? { ...state, saving: true, error: null } : state;
    case 'saved':
      if (!isSaving(state)) return state;
      return state.draft === action.open.text
        ? { phase: 'reading', open: action.open }
        : startEditing(action.open, action.open.memory.path, state.draft);
    case 'saveFailed':
      return isSaving(state) ? { ...state, saving: false, error: action.error } : state;
    case 'conflictFound':
      return isSaving(state)
        ? { phase: 'conflict', base: state.base, path: state.path, draft: state.draft, theirs: action.theirs }
        : state;
    case 'changedOutside':
      return state.phase === 'editing' && !state.saving && state.base !== null && state.path === action.path
        ? { ...state, changedMeanwhile: true }
        : state;
    case 'deletedOutside':
      return pathOf(state) === action.path && state.phase !== 'editing' && state.phase !== 'conflict'
        ? { phase: 'closed' }
        : state;
    case 'editStopped':
      return state.phase === 'editing' && state.base !== null
        ? { phase: 'reading', open: state.base }
        : { phase: 'closed' };
    case 'mineKept':
      // The next save is based on the version shown as theirs, so a third writer is noticed too.
      return state.phase === 'conflict'
        ? startEditing(state.theirs, state.theirs?.memory.path ?? state.path, state.draft)
        : state;
    case 'theirsTaken':
      if (state.phase !== 'conflict') return state;
      return state.theirs === null ? { phase: 'closed' } : { phase: 'reading', open: state.theirs };
    case 'otherNameWanted':
      return state.phase === 'conflict' && state.base === null
        ? startEditing(null, state.path, state.draft)
        : state;
    default:
      return action satisfies never;
  }
}

/** False if the person has left the draft that was being saved. */
const isSaving = (state: Editor): state is Extract<Editor, { phase: 'editing' }> =>
  state.phase === 'editing' && state.saving;

export const startEditing = (base: MemoryText | null, path: string, draft: string): Editor => ({
  phase: 'editing',
  base,
  path,
  draft,
  saving: false,
  changedMeanwhile: false,
  error: null,
});

/** The path of the open memory; undefined if none is open. */
export function pathOf(state: Editor): string | undefined {
  if (state.phase === 'closed') return undefined;
  return state.phase === 'reading' ? state.open.memory.path : state.path;
}

/** `/memories/<name>` for the name that a user types; undefined if it is invalid. Adds `.md` if there is no extension. */
export function memoryPath(name: string): string | undefined {
  const trimmed = name.trim().replace(/^\/?(memories\/)?/, '');
  const segments = trimmed.split('/');
  const last = segments.at(-1) ?? '';
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names with control characters cannot be read or typed again.
  if (/[\u0000-\u001f\u007f\\]/.test(trimmed)) return undefined;
  if (isTooLong(trimmed)) return undefined;
  return `/memories/${trimmed}${last.includes('.') ? '' : '.md'}`;
}

/** Maximum bytes of a path, and of each name in it, as in a file system. */
const MAX_PATH = 4_096;
const MAX_NAME = 255;

/** Whether the name that a user types is too long for a memory, with the folder and the extension that are added to it. */
export function isTooLong(path: string): boolean {
  const size = (text: string) => new TextEncoder().encode(text).length;
  return (
    size(path) > MAX_PATH - MAX_NAME || path.split('/').some((name) => size(name) > MAX_NAME - '.md'.length)
  );
}
