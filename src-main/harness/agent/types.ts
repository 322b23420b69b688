import type { ClientTool, ServerTool } from '@langchain/core/tools';
import type { InteropZodObject, InteropZodType } from '@langchain/core/utils/types';
import type {
  AnnotationRoot,
  StateDefinitionInit,
  StateSchema,
  StreamTransformer,
} from '@langchain/langgraph';
import type {
  AgentMiddleware,
  AgentRunStream,
  AgentTypeConfig,
  InferMiddlewareStates,
  ProviderStrategy,
  ReactAgent,
  ResponseFormatUndefined,
  SubagentRunStream,
  ToolStrategy,
  TypedToolStrategy,
} from 'langchain';
import type { FileToolName, filesValue } from './middleware/filesystem';
import type { createSkillsMiddleware } from './middleware/skills';
import type { AnySubAgent, CompiledSubAgent, ResponseFormat, SubAgent } from './middleware/sub-agent-specs';

/** The schema of any state or context. */
// biome-ignore lint/suspicious/noExplicitAny: an annotation of any state, as LangChain has it.
export type AnyAnnotationRoot = AnnotationRoot<any>;
/** Functions that create transformers, each of which adds to the runs of `streamEvents`. */
// biome-ignore lint/suspicious/noExplicitAny: a transformer of any projection, as LangChain has it.
export type StreamTransformers = ReadonlyArray<() => StreamTransformer<any>>;
/** Tools of an agent. */
export type Tools = readonly (ClientTool | ServerTool)[];

/** The type of `structuredResponse` with that response format. */
export type InferStructuredResponse<T extends ResponseFormat> = ResponseFormat extends T
  ? ResponseFormatUndefined
  : T extends TypedToolStrategy<infer U>
    ? U
    : T extends ToolStrategy<infer U>
      ? U
      : T extends ProviderStrategy<infer U>
        ? U
        : T extends InteropZodType<infer U>
          ? U
          : Record<string, unknown>;

/** The middleware of a sub-agent. */
export type ExtractSubAgentMiddleware<T> = T extends { middleware?: infer M }
  ? M extends readonly AgentMiddleware[]
    ? M
    : readonly []
  : readonly [];

/** The middleware of all sub-agents. */
export type FlattenSubAgentMiddleware<T extends readonly AnySubAgent[]> = T extends readonly []
  ? readonly []
  : T extends readonly [infer First, ...infer Rest]
    ? Rest extends readonly AnySubAgent[]
      ? readonly [...ExtractSubAgentMiddleware<First>, ...FlattenSubAgentMiddleware<Rest>]
      : ExtractSubAgentMiddleware<First>
    : readonly [];

/** The state that the middleware of sub-agents adds. */
export type InferSubAgentMiddlewareStates<T extends readonly AnySubAgent[]> = InferMiddlewareStates<
  FlattenSubAgentMiddleware<T>
>;

/** The state that the middleware of the agent and of its sub-agents adds. */
export type MergedDeepAgentState<
  TMiddleware extends readonly AgentMiddleware[],
  TSubagents extends readonly AnySubAgent[],
> = InferMiddlewareStates<TMiddleware> & InferSubAgentMiddlewareStates<TSubagents>;

/** The type of any `structuredResponse`. */
export type AnyResponse = Record<string, unknown> | ResponseFormatUndefined;

/** All type parameters of an agent. */
export interface DeepAgentTypeConfig<
  // biome-ignore lint/suspicious/noExplicitAny: LangChain's constraint.
  TResponse extends Record<string, any> | ResponseFormatUndefined = AnyResponse,
  TState extends StateDefinitionInit | undefined = StateDefinitionInit | undefined,
  TContext extends AnyAnnotationRoot | InteropZodObject = AnyAnnotationRoot | InteropZodObject,
  TMiddleware extends readonly AgentMiddleware[] = readonly AgentMiddleware[],
  TTools extends Tools = Tools,
  TSubagents extends readonly AnySubAgent[] = readonly AnySubAgent[],
  TStreamTransformers extends StreamTransformers = StreamTransformers,
> extends AgentTypeConfig<TResponse, TState, TContext, TMiddleware, TTools, TStreamTransformers> {
  /** The sub-agents, told apart by their names. */
  Subagents: TSubagents;
}

/** Type parameters with the defaults of the published package: no state and no stream transformers of its own. */
export interface DefaultDeepAgentTypeConfig extends DeepAgentTypeConfig {
  // biome-ignore lint/suspicious/noExplicitAny: as in the published package.
  Response: Record<string, any>;
  State: undefined;
  Context: AnyAnnotationRoot;
  Middleware: readonly AgentMiddleware[];
  Tools: Tools;
  Subagents: readonly AnySubAgent[];
  StreamTransformers: readonly [];
}

/** The `invoke` method of an agent with these types. */
export type InvokeOf<T extends AgentTypeConfig> = ReactAgent<T>['invoke'];

/** An agent of LangChain that knows the types of its sub-agents. */
export interface DeepAgent<TTypes extends DeepAgentTypeConfig = DeepAgentTypeConfig>
  extends ReactAgent<TTypes> {
  /** Only for the compiler: absent at run time. */
  readonly '~deepAgentTypes': TTypes;
  streamEvents: ((
    state: Parameters<InvokeOf<TTypes>>[0],
    config: NonNullable<Parameters<InvokeOf<TTypes>>[1]> & { version: 'v3' },
  ) => Promise<
    DeepAgentRunStream<
      Awaited<ReturnType<InvokeOf<TTypes>>>,
      readonly [...TTypes['Tools'], ...BuiltInTools],
      TTypes['Subagents'],
      ExtensionsOf<TTypes['StreamTransformers']>
    >
  >) &
    ReactAgent<TTypes>['streamEvents'];
}

type BuiltInTools = { [K in FileToolName | 'task']: { name: K } & ClientTool }[FileToolName | 'task'][];

/** What the stream transformers of an agent add to its runs. */
export type ExtensionsOf<T extends StreamTransformers> = T extends readonly []
  ? Record<string, never>
  : T extends readonly [() => StreamTransformer<infer P>, ...infer Rest extends StreamTransformers]
    ? P & ExtensionsOf<Rest>
    : Record<string, unknown>;

/** The type parameters of an agent, or of themselves. */
export type ResolveDeepAgentTypeConfig<T> = T extends { '~deepAgentTypes': infer Types }
  ? Types extends DeepAgentTypeConfig
    ? Types
    : never
  : T extends DeepAgentTypeConfig
    ? T
    : never;

/** One type parameter of an agent. */
export type InferDeepAgentType<T, K extends keyof DeepAgentTypeConfig> = ResolveDeepAgentTypeConfig<T>[K];

/** The sub-agents of an agent. */
export type InferDeepAgentSubagents<T> = InferDeepAgentType<T, 'Subagents'>;

/** The sub-agent of that name. */
export type InferSubagentByName<T, TName extends string> =
  InferDeepAgentSubagents<T> extends readonly (infer One)[]
    ? One extends { name: TName }
      ? One
      : never
    : never;

/** The agent that a sub-agent's description makes. */
export type InferSubagentReactAgentType<T extends SubAgent | CompiledSubAgent> = T extends CompiledSubAgent
  ? T['runnable']
  : T extends SubAgent
    ? ReactAgent<
        AgentTypeConfig<
          ResponseFormatUndefined,
          undefined,
          AnyAnnotationRoot,
          ExtractSubAgentMiddleware<T>,
          readonly []
        >
      >
    : never;

/** The state that a sub-agent returns. */
export type OutputOf<T> =
  T extends CompiledSubAgent<infer R>
    ? R extends ReactAgent<infer Types>
      ? Awaited<ReturnType<InvokeOf<Types>>>
      : unknown
    : unknown;

/** The tools of a sub-agent. */
export type ToolsOf<T> =
  T extends CompiledSubAgent<infer R> ? (R extends ReactAgent<infer Types> ? Types['Tools'] : Tools) : Tools;

/** The run of one sub-agent, with its name. */
export type RunOf<T> = T extends { name: infer N extends string }
  ? SubagentRunStream<OutputOf<T>, ToolsOf<T>> & { readonly name: N }
  : SubagentRunStream;

/** A run whose `subagents` are those of the agent, told apart by their names. */
export type DeepAgentRunStream<
  TValues = Record<string, unknown>,
  TTools extends Tools = Tools,
  TSubagents extends readonly AnySubAgent[] = readonly AnySubAgent[],
  TExtensions extends Record<string, unknown> = Record<string, unknown>,
> = Omit<AgentRunStream<TValues, TTools, TExtensions>, 'subagents'> & {
  /** The runs of sub-agents as they start. Compare `name` to get the types of one. */
  subagents: AsyncIterable<{ [K in keyof TSubagents]: RunOf<TSubagents[K]> }[number]>;
};

/** The middleware that keeps files in the state. */
export type FilesMiddleware = AgentMiddleware<StateSchema<{ files: typeof filesValue }>>;

/** The middleware of skills; none without `skills`. */
export type SkillsMiddleware<T extends readonly string[] | undefined> = [T] extends [undefined]
  ? readonly []
  : [T] extends [readonly []]
    ? readonly []
    : readonly [ReturnType<typeof createSkillsMiddleware>];

/** All middleware that adds to the state of an agent. */
export type AgentLayers<
  TSkills extends readonly string[] | undefined,
  TMiddleware extends readonly AgentMiddleware[],
  TSubagents extends readonly AnySubAgent[],
> = readonly [
  ...SkillsMiddleware<TSkills>,
  FilesMiddleware,
  ...TMiddleware,
  ...FlattenSubAgentMiddleware<TSubagents>,
];
