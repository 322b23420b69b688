/**
 * Agents, middleware, profiles and backends: the names of the published package, and our own. Exports that need another
 * package installed have entry points of their own, which are in `entries/` here.
 *
 * @module
 */

export type { SubagentRunStream } from 'langchain';
export { ConfigurationError, type ConfigurationErrorCode } from '../base/configuration-error';
export type { ErrorKind } from '../contract/shared/error-kind';
export type { Reason, ReasonCode, ReasonValue } from '../contract/shared/reasons';
export type { AgentRef } from './agent/agent-ref';
export type { Files as ThreadFiles, Graph as ThreadGraph } from './agent/context/compact-thread';
export { compactThread } from './agent/context/compact-thread';
export type { Compaction, SummarizationEvent } from './agent/context/compaction';
export { ContextTooSmallError } from './agent/context/context-too-small';
export type { ContextSize } from './agent/context/cut-point';
export type { SummarizationOptions } from './agent/context/keeper';
export type { TruncateArgsSettings } from './agent/context/summarization-defaults';
export { computeSummarizationDefaults } from './agent/context/summarization-defaults';
export type { SummaryRequest } from './agent/context/summarize';
export { type CreateDeepAgentParams, createDeepAgent } from './agent/create-deep-agent';
export { type AgentFile, listAgentFiles } from './agent/knowledge/agent-file';
export { type ListedSkills, listSkills as listBackendSkills } from './agent/knowledge/list-skills';
export type { MemorySource } from './agent/knowledge/memory-files';
export {
  createSettings,
  findProjectRoot,
  type Settings,
  type SettingsOptions,
} from './agent/knowledge/settings';
export {
  MAX_SKILL_DESCRIPTION_LENGTH,
  MAX_SKILL_FILE_SIZE,
  MAX_SKILL_NAME_LENGTH,
  type SkillMetadata,
  type SkillMetadata as SkillMetadataEntry,
} from './agent/knowledge/skill';
export type { Source as SkillSource } from './agent/knowledge/skill-folders';
export {
  type ListSkillsOptions,
  type LoaderSkillMetadata,
  listSkills,
  parseSkillMetadata,
} from './agent/knowledge/skill-folders';
export type { DrawFrame, Video as VideoFrameRequest } from './agent/media/video';
export {
  type AgentMemoryMiddlewareOptions,
  createAgentMemoryMiddleware,
} from './agent/middleware/agent-memory';
export {
  type AsyncSubAgentMiddlewareOptions,
  createAsyncSubAgentMiddleware,
  isAsyncSubAgent,
} from './agent/middleware/async-sub-agents';
export type { AsyncSubAgent, AsyncTask, AsyncTaskStatus } from './agent/middleware/async-tasks';
export { ASYNC_TASK_STATUSES } from './agent/middleware/async-tasks';
export {
  type CompletionCallbackOptions,
  createCompletionCallbackMiddleware,
} from './agent/middleware/completion-callback';
export {
  createFilesystemMiddleware,
  FILE_TOOLS,
  type FilesystemOptions as FilesystemMiddlewareOptions,
  type FileToolName as FsToolName,
  filesValue,
} from './agent/middleware/filesystem';
export type {
  Call as InterruptCall,
  InterruptOn,
  InterruptOnConfig,
  InterruptRequest,
} from './agent/middleware/interrupt-on';
export {
  createMemoryMiddleware,
  type MemoryOptions as MemoryMiddlewareOptions,
} from './agent/middleware/memory';
export { createOffloadMiddleware } from './agent/middleware/offload';
export type { CallResult } from './agent/middleware/patch-tool-calls';
export { createPatchToolCallsMiddleware } from './agent/middleware/patch-tool-calls';
export type { MiddlewareSlots } from './agent/middleware/places';
export {
  createRubricMiddleware,
  type RubricCriterion,
  type RubricEvaluation,
  type RubricOptions,
  type RubricResult,
} from './agent/middleware/rubric';
export {
  createSkillsMiddleware,
  type SkillsOptions as SkillsMiddlewareOptions,
  skillsMetadataValue,
} from './agent/middleware/skills';
export type { AnyRunnable, Model as ModelOrName } from './agent/middleware/sub-agent-specs';
export {
  type AnySubAgent,
  type CompiledSubAgent,
  createSubAgent,
  createSubAgentMiddleware,
  type ForkedSubAgent,
  GENERAL as GENERAL_PURPOSE_SUBAGENT,
  type ResponseFormat as SupportedResponseFormat,
  type SubAgent,
  type SubAgentMiddlewareOptions,
} from './agent/middleware/sub-agent-specs';
export {
  GENERAL_PURPOSE_DESCRIPTION as DEFAULT_GENERAL_PURPOSE_DESCRIPTION,
  GENERAL_PURPOSE_PROMPT as DEFAULT_SUBAGENT_PROMPT,
  SUBAGENT_RESPONSE_FORMAT_CONFIG_KEY,
} from './agent/middleware/subagents';
export { createSummarizationMiddleware } from './agent/middleware/summarization';
export { createTodoListMiddleware } from './agent/middleware/todo-list';
export { ProfileError } from './agent/profile';
export type { ExtraMiddleware } from './agent/profiles/profile';
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
export {
  ASYNC_TASK_SYSTEM_PROMPT,
  BASE_AGENT_PROMPT,
  EXECUTION_SYSTEM_PROMPT,
  TASK_SYSTEM_PROMPT,
} from './agent/prompts';
export { STOPPED_BY_PERSON, StoppedByPerson } from './agent/stopped';
export type { Part as SystemPromptPart, SystemPromptConfig } from './agent/system-prompt';
export type {
  AnyAnnotationRoot,
  AnyResponse,
  DeepAgent,
  DeepAgentRunStream,
  DeepAgentTypeConfig,
  DefaultDeepAgentTypeConfig,
  ExtensionsOf as StreamExtensionsOf,
  ExtractSubAgentMiddleware,
  FilesMiddleware,
  FlattenSubAgentMiddleware,
  InferDeepAgentSubagents,
  InferDeepAgentType,
  InferStructuredResponse,
  InferSubAgentMiddlewareStates,
  InferSubagentByName,
  InferSubagentReactAgentType,
  InvokeOf,
  MergedDeepAgentState,
  OutputOf as SubagentOutputOf,
  ResolveDeepAgentTypeConfig,
  RunOf as SubagentRunOf,
  SkillsMiddleware,
  StreamTransformers,
  Tools as AgentTools,
  ToolsOf as SubagentToolsOf,
} from './agent/types';
export { adaptBackendProtocol, adaptSandboxProtocol } from './backends/adapt';
export { type BackendFactory, type BackendRuntime, resolveBackend } from './backends/backend-factory';
export * from './backends/commands';
export {
  isSandboxBackend as isSandboxProtocol,
  type SandboxBackendProtocol as SandboxBackendProtocolV2,
} from './backends/commands';
export { CompositeBackend, type CompositeBackendOptions } from './backends/composite';
export type { ContextHubOptions } from './backends/context-hub/context-hub';
export { ContextHubBackend } from './backends/context-hub/context-hub';
export type { HubClient, HubEntry } from './backends/context-hub/context-hub-repository';
export { type Failure, UnknownTarget } from './backends/failure';
export { createFileVersions, type FileVersions } from './backends/file-versions';
export { FilesystemBackend, type FilesystemBackendOptions } from './backends/filesystem';
export { type Namespace, namespaces } from './backends/namespace';
export type { CheckedPath } from './backends/paths';
export { checkPath } from './backends/paths';
export type {
  FilesystemOperation,
  FilesystemPermission,
  PermissionMode,
} from './backends/policy/permissions';
export { PermissionBackend, type PermissionBackendOptions } from './backends/policy/permissions';
export { PolicyBackend, type PolicyEvent, type PolicyOptions } from './backends/policy/policy';
export type { ScreenedCall } from './backends/policy/policy-screen';
export * from './backends/protocol';
export type {
  AnyBackend as AnyBackendProtocol,
  BackendV1 as BackendProtocolV1,
  BackendV2 as BackendProtocolV2,
  MaybePromise,
  PublishedBackend,
  PublishedExecuteOptions,
  SandboxV1 as SandboxBackendProtocolV1,
} from './backends/published-protocol';
export type { NodeContext as StoreBackendContext, RunContext } from './backends/run-context';
export { BaseSandbox } from './backends/sandbox/base-sandbox';
export {
  type LangSmithCaptureSnapshotOptions,
  LangSmithSandbox,
  type LangSmithSandboxCreateOptions,
  type LangSmithSandboxOptions,
  type LangSmithSnapshot,
  type LangSmithStartSandboxOptions,
} from './backends/sandbox/langsmith-sandbox';
export { SandboxBackend, type SandboxBackendOptions, type SandboxClient } from './backends/sandbox/sandbox';
export {
  type SandboxDeleteOptions,
  SandboxError,
  type SandboxErrorCode,
  type SandboxGetOrCreateOptions,
  type SandboxInfo,
  type SandboxListOptions,
  type SandboxListResponse,
} from './backends/sandbox/sandbox-error';
export { scrubEnv } from './backends/shell/environment';
export { LocalShellBackend, type LocalShellBackendOptions } from './backends/shell/local-shell';
export type { StateFiles } from './backends/state';
export { StateBackend, type StateBackendOptions } from './backends/state';
export type {
  IndexedStore,
  ItemChange,
  ItemNow,
  KeyPage,
  StoredChild,
  StoredKey,
} from './backends/store/indexed-store';
export {
  StoreBackend,
  type StoreBackendOptions,
  type StoreNamespaceFactory as StoreBackendNamespaceFactory,
  type StoreRuntime as StateAndStore,
} from './backends/store/store';
export { applyGrepMaxCount, normalizeReadPagination } from './backends/text/read-limits';
export type { RouteFolder } from './backends/tree-facts';
export type { WriteOptionsOf } from './tools/write-file';
