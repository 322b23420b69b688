import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { interrupt } from '@langchain/langgraph';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import { z } from 'zod';

const DecisionType = z.enum(['approve', 'edit', 'reject', 'respond']);
type DecisionType = z.infer<typeof DecisionType>;

interface Call {
  id?: string | undefined;
  name: string;
  args: Record<string, unknown>;
}

export interface InterruptOnConfig {
  /** Default: approve, edit and reject. */
  allowedDecisions?: DecisionType[];
  description?: string | ((call: Call, state: unknown, runtime: unknown) => string | Promise<string>);
  /** Asks only if this returns true. */
  when?: (call: Call) => boolean;
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
  const configOf = async (call: Call): Promise<InterruptOnConfig | null> => {
    const config = Object.hasOwn(interruptOn, call.name) ? interruptOn[call.name] : false;
    if (config === true) return { allowedDecisions: ALL };
    if (config !== undefined && config !== false && config.when?.(call) !== false) return config;
    const reason = (await askedBeside?.(call.name, call.args)) ?? null;
    return reason === null ? null : { allowedDecisions: ALL, description: reason };
  };
  return createMiddleware({
    name: 'humanInTheLoop',
    stateSchema: decided,
    afterModel: async (state, runtime) => {
      const answer = lastAnswer(state.messages);
      const judged = await Promise.all(
        (answer?.tool_calls ?? []).map(async (call) => ({ call, config: await configOf(call) })),
      );
      const asked = judged.flatMap(({ call, config }) => (config === null ? [] : [{ call, config }]));
      if (asked.length === 0) return;
      const actionRequests = await Promise.all(
        asked.map(async ({ call, config: { description } }) => ({
          name: call.name,
          args: call.args,
          description:
            typeof description === 'function'
              ? await description(call, state, runtime)
              : (description ?? `Tool execution requires approval\n\nTool: ${call.name}`),
        })),
      );
      const reviewConfigs = asked.map(({ call, config }) => ({
        actionName: call.name,
        allowedDecisions: config.allowedDecisions ?? USUAL,
      }));
      const resumed: unknown = await interrupt({ actionRequests, reviewConfigs });
      // Fails closed: a resume without valid decisions throws here, and nothing runs.
      const { decisions } = z.object({ decisions: z.array(HumanDecision) }).parse(resumed);
      if (decisions.length !== asked.length)
        throw new Error(
          `Number of human decisions (${decisions.length}) does not match number of hanging tool calls (${asked.length}).`,
        );
      return {
        _decisions: Object.fromEntries(
          asked.map(({ call, config }, index) => {
            const decision = decisions[index];
            const allowed = config.allowedDecisions ?? USUAL;
            if (decision === undefined || !allowed.includes(decision.type))
              throw new Error(`The decision ${decision?.type} is not allowed for ${call.name}.`);
            return [call.id ?? '', decision];
          }),
        ),
      };
    },
    wrapToolCall: async (request, handler) => {
      const { toolCall } = request;
      const decision = (request.state as { _decisions?: Record<string, HumanDecision> })._decisions?.[
        toolCall.id ?? ''
      ];
      if (decision === undefined && (await configOf(toolCall)) !== null)
        throw new Error(`${toolCall.name} was not decided about, so it was not run.`);
      switch (decision?.type) {
        case 'reject':
          return answerTo(
            toolCall,
            decision.message ?? `User rejected the tool call for \`${toolCall.name}\` with id ${toolCall.id}`,
            'error',
          );
        case 'respond':
          return answerTo(toolCall, decision.message, 'success');
        case 'edit':
          return handler({ ...request, toolCall: { ...toolCall, args: decision.editedAction.args } });
        case 'approve':
        case undefined:
          return handler(request);
        default:
          return decision satisfies never;
      }
    },
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

const answerTo = (call: Call, content: string, status: 'success' | 'error'): ToolMessage =>
  new ToolMessage({ content, status, name: call.name, tool_call_id: call.id ?? '' });

const lastAnswer = (messages: readonly BaseMessage[]): AIMessage | undefined =>
  messages.findLast((message): message is AIMessage => AIMessage.isInstance(message));
