import { z } from 'zod';

/** Maximum number of questions in one call. */
const MAX_QUESTIONS = 4;
/** Maximum number of choices: each has a number key. */
const MAX_CHOICES = 9;
/** Maximum UTF-16 units. */
const MAX_QUESTION = 500;
const MAX_CHOICE = 200;
export const MAX_FREE_TEXT = 20_000;

const isNotBlank = (text: string) => text.trim() !== '';

const Choice = z
  .string()
  .max(MAX_CHOICE, `a choice has at most ${MAX_CHOICE} characters`)
  .refine(isNotBlank, 'a choice is not empty');

/** A question to the person. They can always answer in their own words. */
export const Question = z.object({
  question: z
    .string()
    .max(MAX_QUESTION, `a question has at most ${MAX_QUESTION} characters`)
    .refine(isNotBlank, 'a question is not empty')
    .describe('One complete question that makes sense on its own'),
  choices: z
    .array(Choice)
    .max(MAX_CHOICES, `a question has at most ${MAX_CHOICES} choices`)
    .refine((choices) => new Set(choices).size === choices.length, 'the choices of a question differ')
    .optional()
    .describe('Short answers to choose from, your recommendation first. Omit for a free-text answer'),
  multiple: z.boolean().optional().describe('Whether the person can select several choices. Default: false'),
});
export type Question = z.infer<typeof Question>;

export const Questions = z
  .array(Question)
  .min(1, 'ask at least one question')
  .max(MAX_QUESTIONS, `ask at most ${MAX_QUESTIONS} questions in one call`);

/** The answer to one question: at least one choice, or text. */
export interface Answer {
  question: string;
  choices: string[];
  text?: string;
}
