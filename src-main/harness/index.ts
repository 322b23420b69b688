// The harness for developers, under the names that the published package has.
export { ConfigurationError } from './agent/configuration-error';
export { type CreateDeepAgentParams, createDeepAgent } from './agent/create-deep-agent';
export {
  MAX_SKILL_DESCRIPTION_LENGTH,
  MAX_SKILL_FILE_SIZE,
  MAX_SKILL_NAME_LENGTH,
  type SkillMetadata,
} from './agent/knowledge/skill';
export { createFilesystemMiddleware } from './agent/middleware/filesystem';
export type { InterruptOnConfig } from './agent/middleware/interrupt-on';
export { createMemoryMiddleware } from './agent/middleware/memory';
export { createPatchToolCallsMiddleware } from './agent/middleware/patch-tool-calls';
export { createSkillsMiddleware } from './agent/middleware/skills';
export {
  type CompiledSubAgent,
  createSubAgentMiddleware,
  type SubAgent,
  type SubAgentMiddlewareOptions,
} from './agent/middleware/sub-agent-specs';
export { createSummarizationMiddleware } from './agent/middleware/summarization';
export {
  createHarnessProfile,
  EMPTY_HARNESS_PROFILE,
  type GeneralPurposeSubagentConfig,
  generalPurposeSubagentConfigSchema,
  type HarnessProfile,
  type HarnessProfileConfigData,
  type HarnessProfileOptions,
  harnessProfileConfigSchema,
  parseHarnessProfileConfig,
  REQUIRED_MIDDLEWARE_NAMES,
  serializeProfile,
} from './agent/profiles/profile';
export { getHarnessProfile, registerHarnessProfile } from './agent/profiles/registry';
export type { SystemPromptConfig } from './agent/system-prompt';
