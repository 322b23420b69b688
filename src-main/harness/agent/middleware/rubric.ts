import { randomBytes, randomUUID } from 'node:crypto';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { isGraphInterrupt } from '@langchain/langgraph';
import { createAgent, createMiddleware } from 'langchain';
import { z } from 'zod';
import { anyText, anything, type Checks, checkOptions, func } from '../../../base/check-options';
import { optional } from '../../../contract/shared/optional';
import { partsOf } from '../message-parts';
import { modelCheck, toolsCheck } from '../option-checks';
import graderPrompt from '../prompts/rubric_grader.md?raw';
import { wholeMessage } from '../whole-messages';

/** A criterion of a rubric. */
export type RubricCriterion =
  | {
      /** The criterion, as the grader names it. */
      name: string;
      /** The work meets it. */
      passed: true;
    }
  | {
      /** The criterion, as the grader names it. */
      name: string;
      /** The work does not meet it. */
      passed: false;
      /** What is missing or wrong, and how to fix it. The agent gets it if it has to revise its work. */
      gap: string;
    };

const Criterion = z.discriminatedUnion('passed', [
  z.object({ name: z.string(), passed: z.literal(true) }),
  z.object({
    name: z.string(),
    passed: z.literal(false),
    gap: z.string().describe('What is missing or wrong, and how to fix it'),
  }),
]) satisfies z.ZodType<RubricCriterion>;

/** The tool with which a model answers that has no structured output of its own. */
const GRADER_RESPONSE = 'GraderResponse';

const Grade = z
  .object({
    result: z
      .enum(['satisfied', 'needs_revision', 'failed'])
      .describe('satisfied: every criterion passes. failed: the rubric itself cannot be judged.'),
    explanation: z
      .string()
      .describe('One or two sentences. The agent gets them if it has to revise its work.'),
    criteria: z.array(Criterion).default([]).describe('One entry for each criterion of the rubric'),
  })
  .refine(
    ({ result, criteria }) => result !== 'satisfied' || criteria.every(({ passed }) => passed),
    'A result with failing criteria cannot be satisfied.',
  )
  .meta({ title: GRADER_RESPONSE });

/**
 * `needs_revision`: the agent gets the reasons and tries again. `failed`: the rubric cannot be judged.
 * `max_iterations_reached`: still not satisfied after the last try. `grader_error`: the grader itself failed.
 */
export type RubricResult =
  | 'satisfied'
  | 'needs_revision'
  | 'failed'
  | 'max_iterations_reached'
  | 'grader_error';

/** What the grader found in one try. */
export interface RubricEvaluation {
  /** The same for all tries at one rubric. */
  gradingRunId: string;
  /** From 0. */
  iteration: number;
  /** The verdict. */
  result: RubricResult;
  /** One or two sentences, which the agent gets too if it has to try again. */
  explanation: string;
  /** Each criterion once; empty if the grader failed. */
  criteria: RubricCriterion[];
}

/** Options of `createRubricMiddleware`. */
export interface RubricOptions {
  /** The grader's. */
  model: BaseChatModel | string;
  /** What done looks like. Default: the `rubric` of the agent's input; without either nothing is graded. */
  rubric?: string;
  /** Replaces the grader's instructions. */
  systemPrompt?: string;
  /** For the grader to find evidence with, such as reading files or running tests. Default: it has only the conversation. */
  tools?: readonly StructuredToolInterface[];
  /** How often a result is graded. Default 3. */
  maxIterations?: number;
  /** Called with each evaluation. What it throws is ignored. */
  onEvaluation?: (evaluation: RubricEvaluation) => void;
}

const CHECKS: Checks<RubricOptions> = {
  model: modelCheck,
  rubric: anyText,
  systemPrompt: anyText,
  tools: toolsCheck,
  maxIterations: anything,
  onEvaluation: func,
};

/** The `lc_source` of messages from the grader, and their name. */
const SOURCE = 'rubric_grader';
/** The newest messages that the grader sees, in addition to the person's first. */
const MAX_MESSAGES = 30;
/** Steps of the grader for one grade, its tools included. LangChain asks again for an answer in a wrong form. */
const MAX_GRADER_STEPS = 50;
/** UTF-16 units of each. */
const MAX_MESSAGE = 4_000;

const State = z.object({
  /** What done looks like. Part of the input. Replaces the option `rubric`; an empty text does not. */
  rubric: z.string().optional(),
  /** The last `RubricResult`. Null while work for a new rubric was not graded yet. */
  _rubricStatus: z.string().nullish(),
  /** How often work for the current rubric was graded. */
  _rubricIterations: z.number().optional(),
  /** All evaluations of the thread, oldest first, also those of earlier rubrics. */
  _rubricEvaluations: z.array(z.custom<RubricEvaluation>()).optional(),
  /** `gradingRunId` of the evaluations for the current rubric. */
  _gradingRunId: z.string().optional(),
  /** The current rubric. A different one starts over, and so does the next turn after a final verdict. */
  _activeRubric: z.string().optional(),
});

/**
 * When the agent would finish, a grader compares its work with a rubric. If it asks for a revision, its reasons go to the agent
 * as a message, and the agent continues. The last answer stays as it is if tries run out: `_rubricStatus` in the state and
 * `onEvaluation` tell.
 */
export function createRubricMiddleware(options: RubricOptions) {
  checkOptions('createRubricMiddleware', options, CHECKS, ['model']);
  const { maxIterations = 3, onEvaluation, rubric: usual } = options;
  if (!Number.isSafeInteger(maxIterations) || maxIterations < 1)
    throw new Error(`maxIterations must be a positive whole number, and is ${String(maxIterations)}.`);
  let grader: ReturnType<typeof graderOf> | undefined;
  return createMiddleware({
    name: 'RubricMiddleware',
    stateSchema: State,
    beforeAgent: (state) => {
      const rubric = state.rubric || usual;
      if (!rubric) return;
      const isOver = state._rubricStatus != null && state._rubricStatus !== 'needs_revision';
      if (state._activeRubric === rubric && !isOver) return;
      return {
        _rubricIterations: 0,
        _rubricStatus: null,
        _gradingRunId: randomUUID(),
        _activeRubric: rubric,
      };
    },
    afterAgent: {
      canJumpTo: ['model'],
      hook: async (state, runtime) => {
        const rubric = state.rubric || usual;
        if (!rubric) return;
        const iteration = state._rubricIterations ?? 0;
        grader ??= graderOf(options);
        const grade = await gradeOf(grader, payloadOf(rubric, state.messages), runtime.signal);
        const isLast = grade.result === 'needs_revision' && iteration + 1 >= maxIterations;
        const evaluation: RubricEvaluation = {
          ...grade,
          gradingRunId: state._gradingRunId ?? randomUUID(),
          iteration,
          result: isLast ? 'max_iterations_reached' : grade.result,
        };
        tell(onEvaluation, evaluation);
        const update = {
          _rubricEvaluations: [...(state._rubricEvaluations ?? []), evaluation],
          _rubricIterations: iteration + 1,
          _rubricStatus: evaluation.result,
        };
        return evaluation.result === 'needs_revision'
          ? { ...update, messages: [revisionOf(evaluation)], jumpTo: 'model' as const }
          : update;
      },
    },
  });
}

function graderOf({ model, systemPrompt, tools }: RubricOptions) {
  return createAgent({
    model,
    systemPrompt: systemPrompt ?? graderPrompt,
    tools: [...(tools ?? [])],
    name: SOURCE,
    responseFormat: Grade,
  });
}

type Graded = Omit<RubricEvaluation, 'gradingRunId' | 'iteration'>;

async function gradeOf(
  grader: ReturnType<typeof graderOf>,
  payload: string,
  signal: AbortSignal | undefined,
): Promise<Graded> {
  try {
    const input = { messages: [wholeMessage(new HumanMessage(payload))] };
    const config = { recursionLimit: MAX_GRADER_STEPS, ...optional({ signal }) };
    const { structuredResponse } = await grader.invoke(input, config);
    return Grade.parse(structuredResponse);
  } catch (error) {
    signal?.throwIfAborted();
    // A tool asks the person. The grading goes on with the answer.
    if (isGraphInterrupt(error)) throw error;
    const explanation = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { result: 'grader_error', explanation, criteria: [] };
  }
}

function tell(onEvaluation: RubricOptions['onEvaluation'], evaluation: RubricEvaluation): void {
  try {
    onEvaluation?.(evaluation);
  } catch {
    // An observer does not decide what the agent does.
  }
}

/** The conversation cannot close the tags around it, since it does not know their number. */
function payloadOf(rubric: string, messages: readonly BaseMessage[]): string {
  const mark = randomBytes(8).toString('hex');
  return [
    `Only what is inside <rubric-${mark}> is the rubric, and only what is inside <transcript-${mark}> is the transcript.`,
    `<rubric-${mark}>\n${rubric.trim()}\n</rubric-${mark}>`,
    `<transcript-${mark}>\n${transcriptOf(messages)}\n</transcript-${mark}>`,
  ].join('\n\n');
}

function transcriptOf(messages: readonly BaseMessage[]): string {
  const isAsked = (message: BaseMessage) =>
    HumanMessage.isInstance(message) && message.additional_kwargs.lc_source !== SOURCE;
  const tail = messages.slice(-MAX_MESSAGES);
  const first = messages.find(isAsked);
  const shown = first === undefined || tail.includes(first) ? tail : [first, ...tail];
  return shown.map((message) => `[${roleOf(message)}] ${textOf(message)}`).join('\n\n');
}

function roleOf(message: BaseMessage): string {
  if (HumanMessage.isInstance(message)) return 'user';
  if (AIMessage.isInstance(message)) return 'assistant';
  return ToolMessage.isInstance(message) ? `tool:${message.name ?? ''}` : message.type;
}

function textOf(message: BaseMessage): string {
  const { text } = partsOf(message as AIMessage);
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  const all = [text, ...calls.map(({ name, args }) => `${name}(${JSON.stringify(args)})`)];
  const whole = all.filter((part) => part !== '').join('\n');
  return whole.length > MAX_MESSAGE ? `${whole.slice(0, MAX_MESSAGE)}...(truncated)` : whole;
}

function revisionOf({ explanation, criteria }: RubricEvaluation): HumanMessage {
  const open = criteria.flatMap((one) => (one.passed ? [] : [`- ${one.name}: ${one.gap}`]));
  const content = [
    'A grader compared your work with the rubric. It is not done yet.',
    explanation.trim(),
    ...(open.length === 0 ? [] : [`Still open:\n${open.join('\n')}`]),
    'Fix every open point, then answer again.',
  ].join('\n\n');
  return new HumanMessage({ content, name: SOURCE, additional_kwargs: { lc_source: SOURCE } });
}
