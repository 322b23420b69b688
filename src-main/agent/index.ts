// The harness for developers, under the names that the published package has.
export { ConfigurationError } from './configuration-error';
export { type CreateDeepAgentParams, createDeepAgent } from './deep-agent';
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
} from './harness/profile';
export { getHarnessProfile, registerHarnessProfile } from './harness/registry';
export {
  MAX_SKILL_DESCRIPTION_LENGTH,
  MAX_SKILL_FILE_SIZE,
  MAX_SKILL_NAME_LENGTH,
  type SkillMetadata,
} from './knowledge/skill';
export { createFilesystemMiddleware } from './middleware/filesystem';
export type { InterruptOnConfig } from './middleware/interrupt-on';
export { createMemoryMiddleware } from './middleware/memory';
export { createPatchToolCallsMiddleware } from './middleware/patch-tool-calls';
export { createSkillsMiddleware } from './middleware/skills';
export {
  type CompiledSubAgent,
  createSubAgentMiddleware,
  type SubAgent,
  type SubAgentMiddlewareOptions,
} from './middleware/sub-agent-specs';
export { createSummarizationMiddleware } from './middleware/summarization';
export type { SystemPromptConfig } from './system-prompt';
