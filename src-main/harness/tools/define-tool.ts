import { type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { type StructuredToolInterface, type ToolRuntime, tool } from '@langchain/core/tools';
import type { z } from 'zod';
import { optional } from '../../contract/shared/optional';
import type { Refused } from '../../contract/shared/sandbox';
import { threadIdIn } from '../agent/media/modalities';
import { descriptorOf } from './catalogue';

/** A non-text part of a message. */
export type ContentBlock = Exclude<BaseMessage['content'], string>[number];

/** The outcome of a call. A failure is a value too: the model reads its text and continues. */
export interface ToolOutcome {
  ok: boolean;
  text: string;
  /** Media that the model gets with the text: images, audio, video, documents. */
  media?: ContentBlock[];
  /** For the UI, not for the model. */
  artifact?: ToolArtifact;
  /** What the backend says about the change, for programs: the `metadata` of the message. */
  metadata?: Record<string, unknown>;
}

export interface ToolArtifact {
  exitCode?: number | null;
  /** What the sandbox blocked for a command. */
  refused?: Refused[];
  /** The command ran out of time. */
  timedOut?: boolean;
}

export const success = (text: string, artifact?: ToolArtifact): ToolOutcome =>
  artifact === undefined ? { ok: true, text } : { ok: true, text, artifact };

/** Adds a leading `Error: ` to `message` if it has none, since models look for it. */
export const failure = (message: string, artifact?: ToolArtifact): ToolOutcome => {
  const text = message.startsWith('Error') ? message : `Error: ${message}`;
  return artifact === undefined ? { ok: false, text } : { ok: false, text, artifact };
};

/** What a backend says about its change, for the message of the call. */
export const metadataOf = (result: { metadata?: Record<string, unknown> } | object) =>
  'metadata' in result ? optional({ metadata: result.metadata }) : {};

export interface ToolContext {
  callId: string;
  /** Empty if the graph has no thread ids. */
  threadId: string;
  signal: AbortSignal;
}

/**
 * Defines a LangChain tool. Its failures reach the model as messages with status `error` (the published package reports most
 * of them as successes). Aborting rejects, so that a stopped turn stops.
 */
export function defineTool<S extends z.ZodObject>(definition: {
  name: string;
  description: string;
  schema: S;
  run: (input: z.output<S>, context: ToolContext) => Promise<ToolOutcome>;
}): StructuredToolInterface {
  const { name, description, schema, run } = definition;
  return tool(
    async (input: z.output<S>, runtime: ToolRuntime) => {
      showContext(runtime);
      const signal = runtime.signal ?? new AbortController().signal;
      const outcome =
        climbing(name, input) ??
        (await run(input, {
          callId: runtime.toolCallId,
          threadId: threadIdIn(runtime),
          signal,
        }));
      return new ToolMessage({
        content:
          outcome.media === undefined
            ? outcome.text
            : [{ type: 'text', text: outcome.text }, ...outcome.media],
        name,
        tool_call_id: runtime.toolCallId,
        status: outcome.ok ? 'success' : 'error',
        ...optional({ artifact: outcome.artifact, metadata: outcome.metadata }),
      });
    },
    { name, description, schema },
  ) as StructuredToolInterface;
}

/** What a run was started with, which LangChain leaves out of the configuration that a tool's own calls find. */
const CONTEXT = ['context', 'executionInfo', 'serverInfo'] as const;

/** Lets backends find the run's context during this call, for namespaces that are made from it. */
function showContext(runtime: ToolRuntime): void {
  const config: object | undefined = AsyncLocalStorageProviderSingleton.getRunnableConfig();
  if (config === undefined) return;
  // LangChain makes this object for each call.
  for (const key of CONTEXT)
    if (key in runtime && !(key in config)) Reflect.set(config, key, Reflect.get(runtime, key));
}

/** Refuses paths with `..` here, whatever the backend would do: rules apply to the path as written. */
function climbing(tool: string, input: Record<string, unknown>): ToolOutcome | null {
  const argument = descriptorOf(tool)?.path?.argument;
  const path = argument === undefined ? undefined : input[argument];
  return typeof path === 'string' && path.split(/[\\/]/).includes('..')
    ? failure(`Path traversal not allowed: ${path.slice(0, 120)}`)
    : null;
}
