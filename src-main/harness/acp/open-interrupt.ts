import { z } from 'zod';
import { Questions } from '../../contract/shared/questions';
import { shownName } from '../../contract/shared/shown-name';
import { AcpRefusal } from './host';

const Asked = z.object({ questions: Questions });

const Question = z.object({
  actionRequests: z.array(
    z.object({
      name: z.string(),
      args: z.record(z.string(), z.unknown()),
      description: z.string().optional(),
    }),
  ),
  reviewConfigs: z.array(z.object({ allowedDecisions: z.array(z.string()) })),
});
/** Calls that need decisions, as `interruptOn` asks about them. */
export type Question = z.infer<typeof Question>;

/** An interrupt of the graph that waits for a value. */
export interface OpenInterrupt {
  id: string;
  /** Interrupts of one step have the same id. */
  key: string;
  /** For the person. */
  text: string;
}

interface Task {
  interrupts: readonly { id?: string; value?: unknown }[];
}

/** The open interrupts of a graph: calls that need decisions, and others, which wait for a value. Throws `AcpRefusal`. */
export function openInterrupts(tasks: readonly Task[]) {
  const calls: { id: string; question: Question }[] = [];
  const asked: OpenInterrupt[] = [];
  for (const { id, value } of tasks.flatMap(({ interrupts }) => interrupts)) {
    if (id === undefined)
      throw new AcpRefusal('failed', 'The agent asks something that this editor cannot answer.');
    const question = Question.safeParse(value);
    if (question.success) calls.push({ id, question: question.data });
    else {
      const text = interruptText(value);
      asked.push({ id, key: `${id} ${text}`, text });
    }
  }
  return { calls, asked };
}

/** What the person reads about an interrupt of the graph that waits for a value. Their next message is the value. */
function interruptText(value: unknown): string {
  if (typeof value === 'string') return value;
  const asked = Asked.safeParse(value);
  if (!asked.success)
    return `The agent waits for an answer to this:\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
  const { questions } = asked.data;
  const lines = questions.flatMap(({ question, choices = [] }) => [
    shownName(question),
    ...choices.map((choice, index) => `${index + 1}. ${shownName(choice)}`),
  ]);
  const several = `Answer with a JSON list of ${questions.length} answers, such as ["1","own words"].`;
  return [...lines, ...(questions.length === 1 ? [] : [several])].join('\n');
}
