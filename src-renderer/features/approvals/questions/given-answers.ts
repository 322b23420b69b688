import type { Question } from '@contract/shared/questions';

/** What the person has entered for one question. */
export interface GivenAnswer {
  choices: readonly string[];
  text: string;
}

export const NO_ANSWER: GivenAnswer = { choices: [], text: '' };

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const isGivenAnswer = (value: unknown): value is GivenAnswer =>
  typeof value === 'object' &&
  value !== null &&
  'choices' in value &&
  areTexts(value.choices) &&
  'text' in value &&
  typeof value.text === 'string';

/** Whether a value that was kept has this form. */
export const areGivenAnswers = (value: unknown): value is readonly GivenAnswer[] =>
  Array.isArray(value) && value.every(isGivenAnswer);

export const isAnswered = ({ choices, text }: GivenAnswer): boolean =>
  choices.length > 0 || text.trim() !== '';

/** The answer after a choice was clicked: a single choice replaces the other, one of several is added or removed. */
export function withChoice({ multiple }: Question, given: GivenAnswer, choice: string): GivenAnswer {
  if (multiple !== true) return { ...given, choices: [choice] };
  const isChosen = given.choices.includes(choice);
  const choices = isChosen ? given.choices.filter((one) => one !== choice) : [...given.choices, choice];
  return { ...given, choices };
}

/** The text of the decision, in the form that the main process reads. */
export const answersText = (given: readonly GivenAnswer[]): string =>
  JSON.stringify(
    given.map(({ choices, text }) => ({ choices, ...(text.trim() === '' ? {} : { text: text.trim() }) })),
  );
