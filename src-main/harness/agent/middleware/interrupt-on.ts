import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { interrupt } from '@langchain/langgraph';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import { z } from 'zod';
import { optional } from '../../../contract/shared/optional';
import { withOwnCallIds } from '../call-ids';
import { withCalls } from '../with-arguments';

const DecisionType = z.enum(['approve', 'edit', 'reject', 'respond']);
type DecisionType = z.infer<typeof DecisionType>;

/** A tool call. */
export interface Call {
  /** Id of the call. Models may leave it out. */
  id?: string | undefined;
  /** Name of the tool. */
  name: string;
  /** As the model wrote them, not checked by the tool. */
  args: Record<string, unknown>;
}

/** When to ask about the calls of a tool, and which decisions a person may make. */
export interface InterruptOnConfig {
  /** At least one. Default: approve, edit and reject. Any other decision rejects the resume, and the thread keeps waiting. */
  allowedDecisions?: DecisionType[];
  /** What the person reads. Default: the call and its arguments. */
  description?: string | ((call: Call, state: unknown, runtime: unknown) => string | Promise<string>);
  /** Passed on in the question. */
  argsSchema?: Record<string, unknown>;
  /** Asks only if this returns true. The request has the fields of the call, too. */
  when?: (request: InterruptRequest) => boolean | Promise<boolean>;
}

/** A call that a person may be asked about. */
export interface InterruptRequest extends Call {
  /** The call itself. */
  toolCall: Call;
  /** Always undefined: the published package has the tool here. */
  tool: undefined;
  /** The thread's state. */
  state: unknown;
  /** LangChain's runtime: `context`, `store` and others. */
  runtime: unknown;
}

/** Why to ask about a call that no tool's configuration covers; null to run it without asking. */
export type AskedBeside = (tool: string, args: Record<string, unknown>) => Promise<string | null>;

/** By tool: true asks and allows every decision. */
export type InterruptOn = Record<string, boolean | InterruptOnConfig>;

const HumanDecision = z.discriminatedUnion('type', [
  z.object({ type: z.literal('approve') }),
  z.object({
    type: z.literal('edit'),
    editedAction: z.object({ name: z.string(), args: z.record(z.string(), z.unknown()) }),
  }),
  z.object({ type: z.literal('reject'), message: z.string().optional() }),
  z.object({ type: z.literal('respond'), message: z.string() }),
]);
type HumanDecision = z.infer<typeof HumanDecision>;

const decided = z.object({ _decisions: z.record(z.string(), HumanDecision).optional() });

const ALL: DecisionType[] = ['approve', 'edit', 'reject', 'respond'];
const USUAL: DecisionType[] = ['approve', 'edit', 'reject'];

/**
 * Asks a person before calls run: one question for all calls of an answer, in the format of the published packages, and one
 * decision for each. Approved calls run. A rejected call gets a result and does not affect the others.
 */
function createInterruptMiddleware(interruptOn: InterruptOn, askedBeside?: AskedBeside) {
  const configOf = async (
    call: Call,
    state: unknown,
    runtime: unknown,
  ): Promise<InterruptOnConfig | null> => {
    const config = Object.hasOwn(interruptOn, call.name) ? interruptOn[call.name] : false;
    if (config === true) return { allowedDecisions: ALL };
    const request = { ...call, toolCall: call, tool: undefined, state, runtime };
    if (config !== undefined && config !== false && (await config.when?.(request)) !== false) return config;
    const reason = (await askedBeside?.(call.name, call.args)) ?? null;
    return reason === null ? null : { allowedDecisions: ALL, description: reason };
  };
  /**
   * Asks about a call that no model's answer brought here: a hook jumped to the tools, or the agent had no such setting when
   * the model answered. The history has the call already, so it cannot be edited.
   */
  const decideNow = async ({ toolCall: call, state, runtime }: ToolRequest) => {
    const config = await configOf(call, state, runtime);
    if (config === null) return;
    const allowedDecisions = (config.allowedDecisions ?? USUAL).filter((type) => type !== 'edit');
    if (allowedDecisions.length === 0)
      throw new Error(`${call.name} was not decided about, so it was not run.`);
    const [decided] = await decisionsOn([{ call, config: { ...config, allowedDecisions } }], state, runtime);
    return decided?.[1];
  };
  return createMiddleware({
    // A thread that waits at a question of the published package waits at the step of this name.
    name: 'HumanInTheLoopMiddleware',
    stateSchema: decided,
    afterModel: async (state, runtime) => {
      const answer = ownAnswer(state.messages);
      const judged = await Promise.all(
        (answer?.tool_calls ?? []).map(async (call) => ({
          call,
          config: await configOf(call, state, runtime),
        })),
      );
      const asked = judged.flatMap(({ call, config }) => (config === null ? [] : [{ call, config }]));
      if (asked.length === 0) return;
      const decided = await decisionsOn(asked, state, runtime);
      // LangChain adds what a hook leaves out to its update: without this, all messages would be written again.
      const messages = answer === undefined ? [] : [withEdits(answer, new Map(decided)) ?? answer];
      return { _decisions: Object.fromEntries(decided), messages };
    },
    wrapToolCall: async (request, handler) => {
      const { toolCall } = request;
      const { _decisions: decisions } = request.state as { _decisions?: Record<string, HumanDecision> };
      const decision = decisions?.[toolCall.id ?? ''] ?? (await decideNow(request));
      switch (decision?.type) {
        case 'reject':
          return answerTo(
            toolCall,
            decision.message ?? `User rejected the tool call for \`${toolCall.name}\` with id ${toolCall.id}`,
            'error',
          );
        case 'respond':
          return answerTo(toolCall, decision.message, 'success');
        // An edit has changed the call itself.
        case 'edit':
        case 'approve':
        case undefined:
          return handler(request);
        default:
          return decision satisfies never;
      }
    },
  });
}

interface ToolRequest {
  toolCall: Call;
  state: unknown;
  runtime: unknown;
}

type AskedCall = { call: Call; config: InterruptOnConfig };

/** Asks one question about the calls, and returns the decision about each by its id. */
async function decisionsOn(asked: readonly AskedCall[], state: unknown, runtime: unknown) {
  const actionRequests = await Promise.all(
    asked.map(async ({ call, config: { description } }) => ({
      name: call.name,
      args: call.args,
      description:
        typeof description === 'function'
          ? await description(call, state, runtime)
          : (description ?? defaultDescription(call)),
    })),
  );
  const reviewConfigs = asked.map(({ call, config }) => ({
    actionName: call.name,
    allowedDecisions: config.allowedDecisions ?? USUAL,
    ...optional({ argsSchema: config.argsSchema }),
  }));
  return validAnswer({ actionRequests, reviewConfigs }, (resumed) => decidedCalls(resumed, asked));
}

/**
 * The first valid answer to the question. LangGraph keeps every answer, also one that made the run fail, and gives them again
 * in order: without skipping those, a thread could never be resumed after a wrong one. Throws what is wrong with the last.
 */
function validAnswer<T>(question: object, read: (resumed: unknown) => T): T {
  let problem: unknown;
  for (;;) {
    let resumed: unknown;
    try {
      resumed = interrupt(question);
    } catch (waiting) {
      throw problem ?? waiting;
    }
    try {
      return read(resumed);
    } catch (error) {
      problem = error;
    }
  }
}

/** The decision about each call, by its id. Throws if one is missing or not allowed. */
function decidedCalls(resumed: unknown, asked: readonly AskedCall[]): [string, HumanDecision][] {
  const decisions = decisionsIn(resumed);
  if (decisions.length !== asked.length)
    throw new Error(
      `Number of human decisions (${decisions.length}) does not match number of hanging tool calls (${asked.length}).`,
    );
  return asked.map(({ call, config }, index) => {
    const decision = decisions[index];
    const allowed = config.allowedDecisions ?? USUAL;
    if (decision === undefined || !allowed.includes(decision.type))
      throw new Error(`The decision ${decision?.type} is not allowed for ${call.name}.`);
    return [call.id ?? '', decision];
  });
}

/** The same, or nothing if there is nothing to ask about. */
export const interruptLayer = (
  interruptOn: InterruptOn | undefined,
  askedBeside: AskedBeside | undefined,
): AgentMiddleware[] =>
  interruptOn === undefined && askedBeside === undefined
    ? []
    : [createInterruptMiddleware(interruptOn ?? {}, askedBeside)];

const defaultDescription = ({ name, args }: Call): string =>
  `Tool execution requires approval\n\nTool: ${name}\nArgs: ${JSON.stringify(args, null, 2)}`;

/** Fails closed: a resume without valid decisions throws, and nothing runs. */
function decisionsIn(resumed: unknown): HumanDecision[] {
  const { data, error } = z.object({ decisions: z.array(HumanDecision) }).safeParse(resumed);
  if (error === undefined) return data.decisions;
  throw new Error(
    `The thread waits for decisions about its calls, and none has run. Resume it with { decisions: [{ type: 'approve' }] }, one for each call.\n${z.prettifyError(error)}`,
  );
}

/** The answer with the person's calls in place of the model's: the history says what ran. */
function withEdits(answer: AIMessage, decisions: ReadonlyMap<string, HumanDecision>): AIMessage | undefined {
  const editOf = (id: string | undefined) => {
    const decision = decisions.get(id ?? '');
    return decision?.type === 'edit' ? decision.editedAction : undefined;
  };
  if (!(answer.tool_calls ?? []).some((call) => editOf(call.id) !== undefined)) return;
  return withCalls(answer, ({ id, name, args }) => editOf(id) ?? { name, args });
}

const answerTo = (call: Call, content: string, status: 'success' | 'error'): ToolMessage =>
  new ToolMessage({ content, status, name: call.name, tool_call_id: call.id ?? '' });

/** The last answer. Each of its calls has an id of its own, by which it is decided about. */
function ownAnswer(messages: readonly BaseMessage[]): AIMessage | undefined {
  const at = messages.findLastIndex((message) => AIMessage.isInstance(message));
  const answer = messages[at];
  return AIMessage.isInstance(answer) ? withOwnCallIds(answer, messages.slice(0, at)) : undefined;
}
