import { z } from 'zod';
import { parseJson } from '../../base/limited-json';
import { type Answer, MAX_FREE_TEXT, type Question } from '../../contract/shared/questions';

/** Why an answer does not fit. `number`: of the question, 1-based. */
export type AnswerProblem = { problem: 'count' | 'empty' | 'choice' | 'several'; number: number };

const Given = z.union([
  z.string().max(MAX_FREE_TEXT),
  z.strictObject({ choices: z.array(z.string()).optional(), text: z.string().max(MAX_FREE_TEXT).optional() }),
]);
type Given = z.infer<typeof Given>;

/**
 * Reads answers: a JSON list with one entry per question, each a text or `{"choices": [...], "text": "..."}`; any other text
 * answers a single question. A text that is a choice, or its number, chooses it.
 */
export function readAnswers(questions: readonly Question[], said: string): Answer[] | AnswerProblem {
  const given = listIn(said) ?? [said];
  if (given.length !== questions.length) return { problem: 'count', number: questions.length };
  const answers: Answer[] = [];
  for (const [index, question] of questions.entries()) {
    const answer = readAnswer(question, given[index] ?? '');
    if (typeof answer === 'string') return { problem: answer, number: index + 1 };
    answers.push(answer);
  }
  return answers;
}

/** The result for the model; null if the answers do not fit the questions. */
export function answersAsData(questions: readonly Question[], said: string): string | null {
  const answers = readAnswers(questions, said);
  return 'problem' in answers ? null : JSON.stringify({ answers });
}

/** More than a decision can have. */
const MAX_BYTES = 1_000_000;

function listIn(said: string): Given[] | undefined {
  if (!said.trimStart().startsWith('[')) return undefined;
  const parsed = parseJson(said, { maxBytes: MAX_BYTES });
  return 'value' in parsed ? z.array(Given).safeParse(parsed.value).data : undefined;
}

function readAnswer(
  { question, choices = [], multiple = false }: Question,
  given: Given,
): Answer | AnswerProblem['problem'] {
  if (typeof given === 'string') {
    const said = given.trim();
    if (said === '') return 'empty';
    const chosen = choices.find((choice) => choice.trim() === said) ?? choices[numberIn(said) - 1];
    return chosen === undefined ? { question, choices: [], text: said } : { question, choices: [chosen] };
  }
  const chosen = choices.filter((choice) => given.choices?.includes(choice) === true);
  const text = given.text?.trim() ?? '';
  if (given.choices?.some((choice) => !choices.includes(choice)) === true) return 'choice';
  if (chosen.length > 1 && !multiple) return 'several';
  if (chosen.length === 0 && text === '') return 'empty';
  return { question, choices: chosen, ...(text === '' ? {} : { text }) };
}

const numberIn = (text: string): number => (/^[1-9]$/.test(text) ? Number(text) : 0);
