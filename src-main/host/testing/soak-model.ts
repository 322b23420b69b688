import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { startOpenAI } from '../../../e2e/providers/openai';
import type { NormalizedRequest, Step } from '../../../e2e/providers/script';
import type { ProviderServer } from '../../../e2e/providers/server';
import { tokensOfMessages, tokensOfText, tokensOfTools } from '../../harness/agent/context/tokens';
import { type Places, partStep, rootStep } from './soak-plan';

/** What a request asks for. */
export type Asked =
  | { kind: 'step'; n: number }
  | { kind: 'part'; n: number; who: 'a' | 'b'; part: number }
  | { kind: 'summary' };

export interface SoakModel {
  server: ProviderServer;
  /** Descriptions of requests that exceeded the context window. */
  violations: string[];
  /** The largest request, in tokens by the harness's count and by bytes. */
  largest: { counted: number; bytes: number };
  /** Answers given; more than there are steps if one was lost. */
  answers: number;
  summaries: number;
}

/**
 * A model with a small context window on a loopback server. It is stateless and derives the next step from the request, so
 * it continues after a kill and with a compacted history. `onAsked` runs before each answer.
 */
export async function startSoakModel(options: {
  places: Places;
  /** Tokens. */
  window: number;
  onAsked: (asked: Asked) => void;
  /** Refuses a request that is not too long, as a provider's own count may. */
  refuses: (asked: Asked) => boolean;
}): Promise<SoakModel> {
  const { places, window, onAsked, refuses } = options;
  const model: Omit<SoakModel, 'server'> = {
    violations: [],
    largest: { counted: 0, bytes: 0 },
    answers: 0,
    summaries: 0,
  };

  const script = (request: NormalizedRequest): Step => {
    const asked = whatIsAsked(request);
    const counted = countAsHarness(request);
    const bytes = countBytes(request);
    model.largest.counted = Math.max(model.largest.counted, counted);
    model.largest.bytes = Math.max(model.largest.bytes, bytes);
    if (counted > window || bytes > window)
      model.violations.push(
        `${JSON.stringify(asked)}: ${counted} tokens by the harness, ${bytes} by its bytes`,
      );
    onAsked(asked);
    if (counted > window || bytes > window || refuses(asked)) return { fault: 'context_overflow' };
    model.answers++;
    switch (asked.kind) {
      case 'summary':
        model.summaries++;
        return { text: `Everything went by plan. ${asked.kind} ${model.summaries}.` };
      case 'step':
        return rootStep(asked.n, places);
      case 'part':
        return partStep(asked.n, asked.who, asked.part, places);
    }
  };
  const server = await startOpenAI((request) => {
    // Do not keep thousands of requests with their whole histories.
    server.requests.length = 0;
    return script(request);
  });
  return Object.assign(model, { server });
}

/** Finds the agent's position from the end of its request. Throws if that is impossible: the harness lost it. */
function whatIsAsked({ messages, tools }: NormalizedRequest): Asked {
  if (tools.length === 0) return { kind: 'summary' };
  for (const message of messages.toReversed()) {
    if (message.role === 'tool') continue;
    const { text } = message;
    if (message.role === 'assistant') {
      const step = /^Step (\d{4})/.exec(text);
      if (step) return { kind: 'step', n: Number(step[1]) + 1 };
      const part = /^Part (\d{4})-([ab])-(\d)/.exec(text);
      if (part)
        return { kind: 'part', n: Number(part[1]), who: part[2] as 'a' | 'b', part: Number(part[3]) + 1 };
    } else {
      const turn = /Do the steps from (\d{4})/.exec(text);
      if (turn) return { kind: 'step', n: Number(turn[1]) };
      const task = /Do the parts of (\d{4})-([ab])/.exec(text);
      if (task) return { kind: 'part', n: Number(task[1]), who: task[2] as 'a' | 'b', part: 0 };
    }
  }
  throw new Error(`nothing in the request says what comes next: ${JSON.stringify(messages).slice(0, 2_000)}`);
}

/** The harness's own estimate for the request as received. */
function countAsHarness({ system, messages, tools }: NormalizedRequest): number {
  const read = messages.flatMap((message): BaseMessage[] => {
    if (message.role === 'user') return [new HumanMessage(message.text)];
    if (message.role === 'tool')
      return message.results.map(({ id, content }) => new ToolMessage({ tool_call_id: id, content }));
    const calls = message.calls.map((call) => ({ ...call, type: 'tool_call' as const }));
    return [new AIMessage({ content: message.text, tool_calls: calls })];
  });
  const described = tools.map(({ name, description, schema: parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
  return tokensOfText(system) + tokensOfMessages(read) + tokensOfTools(described);
}

/** An independent second estimate: four bytes of text per token, and four tokens per message. */
function countBytes({ system, messages, tools }: NormalizedRequest): number {
  const bytes = (value: unknown) =>
    Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
  let sum = bytes(system) + bytes(tools);
  for (const message of messages) {
    sum += 16;
    if (message.role === 'user') sum += bytes(message.text);
    if (message.role === 'assistant')
      sum +=
        bytes(message.text) +
        message.calls.reduce((all, { name, args }) => all + bytes(name) + bytes(args), 0);
    if (message.role === 'tool') for (const { content } of message.results) sum += 16 + bytes(content);
  }
  return Math.ceil(sum / 4);
}
