import { createMiddleware } from 'langchain';
import { z } from 'zod';
import { anyObject, anyText, type Checks, checkOptions, text } from '../../../base/check-options';
import { readRegularText } from '../../../base/open-regular';
import { optional } from '../../../contract/shared/optional';
import type { Settings } from '../knowledge/settings';
import agentMemoryPrompt from '../prompts/agent_memory.md?raw';

/** Options of `createAgentMemoryMiddleware`. */
export interface AgentMemoryMiddlewareOptions {
  /** Where the files are: `createSettings()`. */
  settings: Settings;
  /** The agent's folder below `~/.deepagents`. */
  assistantId: string;
  /** What comes before the prompt. `{user_memory}` and `{project_memory}` stand for the files. */
  systemPromptTemplate?: string;
}

const CHECKS: Checks<AgentMemoryMiddlewareOptions> = {
  settings: anyObject,
  assistantId: text,
  systemPromptTemplate: anyText,
};

const TEMPLATE = `<user_memory>
{user_memory}
</user_memory>

<project_memory>
{project_memory}
</project_memory>`;

const memoryState = z.object({
  /** The person's `agent.md`, up to 1 MiB. Set it to skip the file. Undefined if the file cannot be read. */
  userMemory: z.string().optional(),
  /** The project's `agent.md`, up to 1 MiB. Set it to skip the file. Undefined outside a project, or if it cannot be read. */
  projectMemory: z.string().optional(),
});

/**
 * Puts the `agent.md` of the person and of the project around the system prompt. They are read once per thread.
 *
 * @deprecated Use `createMemoryMiddleware`, which reads through a backend and sees changes.
 */
export function createAgentMemoryMiddleware(options: AgentMemoryMiddlewareOptions) {
  checkOptions('createAgentMemoryMiddleware', options, CHECKS, ['settings', 'assistantId']);
  const { settings, assistantId, systemPromptTemplate = TEMPLATE } = options;
  const { projectRoot } = settings;
  const folders = {
    agent_dir: settings.getAgentDir(assistantId),
    project_dir: projectRoot === null ? 'none: this is not a git repository' : `${projectRoot}/.deepagents`,
  };
  return createMiddleware({
    name: 'AgentMemoryMiddleware',
    stateSchema: memoryState,
    beforeAgent: async (state) => {
      const project = settings.getProjectAgentMdPath();
      const userMemory = state.userMemory ?? (await textOf(settings.getUserAgentMdPath(assistantId)));
      const projectMemory = state.projectMemory ?? (project === null ? undefined : await textOf(project));
      return {
        ...optional({ userMemory, projectMemory }),
      };
    },
    wrapModelCall: (request, handler) => {
      const { userMemory, projectMemory } = request.state;
      const before = filled(systemPromptTemplate, {
        user_memory: userMemory || '(No user agent.md)',
        project_memory: projectMemory || '(No project agent.md)',
      });
      const parts = [before, request.systemPrompt, filled(agentMemoryPrompt.trim(), folders)];
      return handler({ ...request, systemPrompt: parts.filter(Boolean).join('\n\n') });
    },
  });
}

const filled = (template: string, values: Record<string, string>): string =>
  template.replaceAll(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);

/** Bytes of a memory file that are read at most. */
const MAX_BYTES = 1024 * 1024;

/** Undefined if the file cannot be read. */
async function textOf(path: string): Promise<string | undefined> {
  const read = await readRegularText(path, { root: null, maxBytes: MAX_BYTES, cut: true });
  return 'text' in read ? read.text : undefined;
}
