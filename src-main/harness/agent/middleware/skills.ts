import { Command } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';
import { z } from 'zod';
import { anyObject, anyText, type Checks, checkOptions, func } from '../../../base/check-options';
import type { Reason } from '../../../contract/shared/reasons';
import { type BackendFactory, resolveBackend } from '../../backends/backend-factory';
import type { AnyBackend } from '../../backends/published-protocol';
import type { Compaction } from '../context/compaction';
import { skillNote, withAskedFor } from '../knowledge/asked-for';
import { bringUpToDate, noteMessage, Told } from '../knowledge/changes';
import { type ListedSkills, listSkills, skillParts } from '../knowledge/list-skills';
import { SkillMetadata } from '../knowledge/skill';
import { backendCheck, pathsCheck } from '../option-checks';
import { withSection } from '../system-section';

/** Options of `createSkillsMiddleware`. */
export interface SkillsOptions {
  /** Where the folders are listed. The agent's file tools need the same paths to read a skill. */
  backend: AnyBackend | BackendFactory;
  /** Folders of skills, or a single skill's folder. A later one's skills replace an earlier one's. */
  sources: readonly string[];
  /** The list for the first turn, if it was already started. */
  ahead?: Promise<ListedSkills>;
  /** Called with a sentence for each skill that was skipped or looks wrong. */
  warn?: (why: Reason) => void;
  /** The name of your program. The notes that tell the model about changed skills say that they are from it. */
  noteFrom?: string;
}

/** The skills' metadata in the state of a custom graph. */
export const skillsMetadataValue = z.array(SkillMetadata).nullish();

const skillsState = z.object({
  /** The skills as last listed. Set it to null to have them listed again before the next request. */
  skillsMetadata: skillsMetadataValue,
  /** Private. What the model knows of the skills, from its prompt and from notes. */
  _skillsTold: Told.optional(),
});

interface SkillsState {
  skillsMetadata?: SkillMetadata[] | null;
  _skillsTold?: Told | undefined;
  _compactions?: Compaction[];
}

/**
 * Names the available skills in the system prompt; the model reads one when it needs it. They are listed again at the start
 * of every turn. Changes go into a message, so that the prompt stays unchanged and cached. If the person starts a message
 * with `/name`, the model is told to read that skill. If `skillsMetadata` is set to null, they are listed again before the
 * next request.
 */
export function createSkillsMiddleware(options: SkillsOptions) {
  checkOptions('createSkillsMiddleware', options, CHECKS, ['backend', 'sources']);
  const { sources, warn, noteFrom } = options;
  const backend = resolveBackend(options.backend);
  let { ahead } = options;
  /** What a hook asks for by setting `skillsMetadata` to null: a new list in the prompt, immediately. */
  const reload = async ({ _compactions }: SkillsState) => {
    const { skills, warnings } = await listSkills(backend, sources);
    for (const warning of warnings) warn?.(warning);
    const now = bringUpToDate(undefined, skillParts(skills, sources), _compactions);
    return { skillsMetadata: skills, _skillsTold: now?.told };
  };
  return createMiddleware({
    name: 'SkillsMiddleware',
    stateSchema: skillsState,
    beforeAgent: async (current) => {
      const state = current as SkillsState;
      const listed = ahead ?? listSkills(backend, sources);
      ahead = undefined;
      const { skills, warnings } = await listed;
      for (const warning of warnings) warn?.(warning);
      const now = bringUpToDate(state._skillsTold, skillParts(skills, sources), state._compactions);
      if (now === null) return state.skillsMetadata === null ? { skillsMetadata: skills } : undefined;
      const update = { skillsMetadata: skills, _skillsTold: now.told };
      if (now.changes.length === 0) return update;
      const lines = now.changes.map(({ name, text }) => text ?? `- ${name}: is gone`);
      return {
        ...update,
        messages: [
          noteMessage({ source: 'skills', from: noteFrom }, `New or changed skills:\n${lines.join('\n')}`),
        ],
      };
    },
    wrapModelCall: async (request, handler) => {
      const state = request.state as SkillsState;
      const again = state.skillsMetadata === null && state._skillsTold ? await reload(state) : undefined;
      const { _skillsTold: told, skillsMetadata } = again ?? state;
      const skills = skillsMetadata ?? [];
      const messages = withAskedFor(request.messages, (name) => {
        const skill = skills.find((one) => one.name === name);
        return skill && skillNote(name, skill.path);
      });
      if (told === undefined) return handler({ ...request, messages });
      const systemMessage = withSection(request.systemMessage, told.section);
      const answer = await handler({ ...request, messages, systemMessage });
      return again === undefined ? answer : new Command({ update: again });
    },
  });
}

const CHECKS: Checks<SkillsOptions> = {
  backend: backendCheck,
  sources: pathsCheck,
  ahead: anyObject,
  warn: func,
  noteFrom: anyText,
};
