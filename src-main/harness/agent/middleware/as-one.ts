import type { AIMessage, SystemMessage } from '@langchain/core/messages';
import { Command, getCurrentTaskInput, isCommand, StateSchema } from '@langchain/langgraph';
import {
  type AgentMiddleware,
  createMiddleware,
  type ModelRequest,
  type Runtime,
  type ToolCallHandler,
  type WrapModelCallHandler,
} from 'langchain';
import { optional } from '../../../contract/shared/optional';
import { messagesChannel } from '../messages-channel';

/** The node of LangChain's agent that calls the model. */
const MODEL_NODE = 'model_request';

type Update = [channel: string, value: unknown];
type State = ModelRequest['state'];
type Hook = (state: State, runtime: Runtime) => unknown;
type AskModel = (request: ModelRequest) => Promise<AIMessage>;

/** Separate, because LangChain reads the state by the schema of each middleware that has hooks. */
const channel = createMiddleware({
  name: 'messages',
  stateSchema: new StateSchema({ messages: messagesChannel }),
});

/**
 * Folds middleware into far fewer graph steps. LangChain makes each `beforeAgent` and `beforeModel` a step with its own
 * checkpoint, and each `wrapModelCall` reads the whole state by its schema and goes through all tools. Here they run nested
 * around a request. Messages that a hook adds are on the disk before the model is asked, as in LangChain: the model step
 * ends with only them and runs again. Other updates of a hook replace the old value and are saved with the answer; a failed
 * request is prepared again. `beforeAgent` runs before each request that does not follow tool results, so it must change
 * nothing if nothing is new. Hooks and `wrapModelCall` get the whole state. `afterModel` and `afterAgent` stay steps.
 */
export function asOne(layers: readonly AgentMiddleware[]): AgentMiddleware[] {
  const beforeAgent = layers.flatMap((layer) => hookOf(layer.name, layer.beforeAgent));
  const beforeModel = layers.flatMap((layer) => hookOf(layer.name, layer.beforeModel));
  /** The state after the hooks, keyed by the messages of the request that they prepared. */
  const prepared = new WeakMap<object, State>();
  /** Updates that layers return with an answer, until the state includes them. */
  const decided = new WeakMap<AIMessage, Update[]>();

  const before = createMiddleware({
    name: 'before',
    wrapModelCall: async (request, handler) => {
      let state: State = getCurrentTaskInput();
      const begins = state.messages.at(-1)?.getType() !== 'tool';
      const noted: Update[] = [];
      for (const hook of begins ? [...beforeAgent, ...beforeModel] : beforeModel) {
        const changes = await hook(state, request.runtime);
        if (typeof changes !== 'object' || changes === null) continue;
        noted.push(...Object.entries(changes));
        if ('messages' in changes) return new Command({ update: noted, goto: MODEL_NODE });
        state = { ...state, ...changes };
      }
      prepared.set(request.messages, state);
      const answer = await handler(request);
      const updates = [...noted, ...(decided.get(answer) ?? [])];
      return updates.length === 0 ? answer : new Command({ update: updates });
    },
  });

  const wrapped = createMiddleware({
    name: 'wrapped',
    wrapModelCall: async (request, handler) => {
      const state = prepared.get(request.messages) ?? request.state;
      const updates: Update[] = [];
      const answer = await around(layers, handler, request, updates)({ ...request, state });
      if (updates.length > 0) decided.set(answer, updates);
      return answer;
    },
    ...(layers.some((layer) => layer.wrapToolCall !== undefined)
      ? {
          wrapToolCall: (request, handler) => {
            let next: ToolCallHandler = handler;
            for (const { wrapToolCall } of layers.toReversed()) {
              if (wrapToolCall === undefined) continue;
              const inner = next;
              next = (passed) => wrapToolCall(passed, inner);
            }
            return next(request);
          },
        }
      : {}),
  });
  return [...layers.map(withoutHooks), channel, before, wrapped];
}

/**
 * Nests the layers' `wrapModelCall`, the first outermost. A layer's Command goes to `updates`; the outer layers see the
 * answer.
 */
function around(
  layers: readonly AgentMiddleware[],
  handler: WrapModelCallHandler,
  { systemMessage: prompt, systemPrompt }: ModelRequest,
  updates: Update[],
): AskModel {
  const textOf = promptTexts(prompt, systemPrompt);
  // LangChain accepts only one of the two prompt forms.
  let next: AskModel = async (request) => handler({ ...request, systemPrompt });
  for (const layer of layers.toReversed()) {
    const { wrapModelCall } = layer;
    if (wrapModelCall === undefined) continue;
    const inner = next;
    next = async (request) => {
      let last: AIMessage | undefined;
      // As a method: the layer may be an object of a class.
      const result = await wrapModelCall.call(layer, request, async (passed) => {
        const { systemMessage = prompt } = passed;
        last = await inner({ ...passed, systemMessage, systemPrompt: textOf(systemMessage) });
        return last;
      });
      if (!isCommand(result)) return result;
      if (last === undefined) throw new Error(`${layer.name} answered without asking the model`);
      const { update } = result;
      updates.push(...(Array.isArray(update) ? (update as Update[]) : Object.entries(update ?? {})));
      return last;
    };
  }
  return next;
}

/** The text of a prompt, joined again only for another prompt than the last one: most layers pass it on as it is. */
function promptTexts(first: SystemMessage, text: string | undefined): (prompt: SystemMessage) => string {
  let last = { prompt: first, text: text ?? first.text };
  return (prompt) => {
    if (last.prompt !== prompt) last = { prompt, text: prompt.text };
    return last.text;
  };
}

function hookOf(name: string, hook: AgentMiddleware['beforeAgent']): Hook[] {
  if (hook === undefined) return [];
  if (typeof hook === 'function') return [hook];
  if ((hook.canJumpTo ?? []).length > 0)
    throw new Error(
      `A hook of the middleware ${name} jumps, so it must be a step of the graph: leave out foldHooks.`,
    );
  return [hook.hook];
}

function withoutHooks(layer: AgentMiddleware): AgentMiddleware {
  const {
    wrapModelCall: _model,
    wrapToolCall: _tool,
    beforeAgent: _agent,
    beforeModel: _each,
    ...rest
  } = layer;
  // A class has them in its prototype.
  const { afterModel, afterAgent } = layer;
  return { ...rest, ...optional({ afterModel, afterAgent }) };
}
