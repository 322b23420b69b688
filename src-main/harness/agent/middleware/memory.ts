import type { BaseMessage } from '@langchain/core/messages';
import { createMiddleware } from 'langchain';
import { z } from 'zod';
import { anyText, type Checks, checkOptions, flag, func } from '../../../base/check-options';
import type { Reason } from '../../../contract/shared/reasons';
import { type BackendFactory, resolveBackend } from '../../backends/backend-factory';
import type { AnyBackend } from '../../backends/published-protocol';
import type { Compaction } from '../context/compaction';
import { bringUpToDate, type NoteKind, noteMessage, Told, withoutNotes } from '../knowledge/changes';
import { loadMemory, type MemorySource, memoryParts, mutedPaths } from '../knowledge/memory-files';
import { isAnthropic } from '../model-names';
import { backendCheck, memoryCheck } from '../option-checks';
import { withSection } from '../system-section';

/** Options of `createMemoryMiddleware`. */
export interface MemoryOptions {
  /** Where the files are read. */
  backend: AnyBackend | BackendFactory;
  /** Instruction files such as AGENTS.md, the most general first. Missing files are skipped. */
  sources: readonly MemorySource[];
  /** Called with a sentence for each existing file that could not be loaded. */
  warn?: (why: Reason) => void;
  /** Marks the end of the instructions for Anthropic's prompt cache. Default false. */
  addCacheControl?: boolean;
  /** Called at the start of each turn with the loaded files, by path. */
  onLoaded?: (contents: Readonly<Record<string, string>>) => void | Promise<void>;
  /** The name of your program. The notes that tell the model about changed files say that they are from it. */
  noteFrom?: string;
}

const memoryState = z.object({
  /** Text of each file as last loaded, by path. */
  memoryContents: z.record(z.string(), z.string()).optional(),
  /** Private. What the model knows of the files, from its prompt and from notes. */
  _memoryTold: Told.optional(),
});

interface MemoryState {
  messages: BaseMessage[];
  memoryContents?: Record<string, string>;
  _memoryTold?: Told | undefined;
  _compactions?: Compaction[];
}

/**
 * Adds the person's and the project's instructions to the end of the system prompt. They are read at the start of every
 * turn. Changes go into a message, so that the prompt stays unchanged and cached. Muted files are still removed from the
 * prompt.
 */
export function createMemoryMiddleware(options: MemoryOptions) {
  checkOptions('createMemoryMiddleware', options, CHECKS, ['backend', 'sources']);
  const backend = resolveBackend(options.backend);
  const note: NoteKind = { source: 'memory', from: options.noteFrom };
  return createMiddleware({
    name: 'MemoryMiddleware',
    stateSchema: memoryState,
    beforeAgent: async (current) => {
      const state = current as MemoryState;
      const contents = await loadMemory(backend, options.sources, options.warn ?? ignore);
      await options.onLoaded?.(contents);
      const muted = mutedPaths(options.sources);
      const now = bringUpToDate(state._memoryTold, memoryParts(contents), state._compactions, muted);
      if (now === null) return;
      const update = { memoryContents: contents, _memoryTold: now.told };
      if (now.isReset) return { ...update, messages: withoutNotes(state.messages, note) };
      if (now.changes.length === 0) return update;
      const texts = now.changes.map(({ name, text }) =>
        text === null
          ? `${name} was deleted: its instructions no longer apply.`
          : `${name} changed. It now says:\n\n${text}`,
      );
      return { ...update, messages: [noteMessage(note, texts.join('\n\n'))] };
    },
    wrapModelCall: async (request, handler) => {
      const { _memoryTold: told } = request.state as MemoryState;
      if (told === undefined) return handler(request);
      const marks = options.addCacheControl === true && isAnthropic(request.model);
      const more = marks ? { cache_control: { type: 'ephemeral' } } : {};
      return handler({ ...request, systemMessage: withSection(request.systemMessage, told.section, more) });
    },
  });
}

const CHECKS: Checks<MemoryOptions> = {
  backend: backendCheck,
  sources: memoryCheck,
  warn: func,
  addCacheControl: flag,
  onLoaded: func,
  noteFrom: anyText,
};

const ignore = () => undefined;
