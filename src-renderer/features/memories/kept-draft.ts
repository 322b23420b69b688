import { MemoryEntry } from '@contract/app';
import { ProjectId } from '@contract/ids';
import { keepText, keptJson } from '../../link';
import { type MemoryText, type OpenMemory, startEditing } from './editor';

/** Each window has a draft of its own. */
const KEY = `deepdesk:memory:${window.name}`;

interface Kept {
  path: string;
  draft: string;
  base: MemoryText | null;
  projectId: string | null;
}

/** Keeps the draft of a memory across a restart, until it is saved or left. */
export function keepDraft({ editor, projectId }: OpenMemory): void {
  const draft = editor.phase === 'editing' || editor.phase === 'conflict' ? editor : undefined;
  const isChanged = draft !== undefined && draft.draft !== (draft.base?.text ?? '');
  const kept = draft && { path: draft.path, draft: draft.draft, base: draft.base, projectId };
  keepText(KEY, isChanged ? JSON.stringify(kept satisfies Kept | undefined) : '');
}

/** The draft of before the restart. Saving it compares it with what the memory is by then. */
export function keptDraft(): OpenMemory | undefined {
  const kept = keptJson(KEY);
  if (typeof kept !== 'object' || kept === null) return undefined;
  const { path, draft, base, projectId } = kept as Partial<Record<keyof Kept, unknown>>;
  if (typeof path !== 'string' || typeof draft !== 'string') return undefined;
  return {
    editor: startEditing(baseOf(base), path, draft),
    projectId: ProjectId.nullable().catch(null).parse(projectId),
  };
}

function baseOf(base: unknown): MemoryText | null {
  if (typeof base !== 'object' || base === null || !('text' in base) || !('memory' in base)) return null;
  const memory = MemoryEntry.safeParse(base.memory);
  return memory.success && typeof base.text === 'string' ? { memory: memory.data, text: base.text } : null;
}
