import { expect, it } from 'vitest';
import { Questions } from './questions';

const name = { question: 'What is it called?' };

it.each([
  [[], 'ask at least one question'],
  [Array(5).fill(name), 'ask at most 4 questions in one call'],
  [[{ question: 'x'.repeat(501) }], 'a question has at most 500 characters'],
  [[{ question: ' ' }], 'a question is not empty'],
  [
    [{ question: 'Which?', choices: Array.from({ length: 10 }, (_, index) => `${index}`) }],
    'a question has at most 9 choices',
  ],
  [[{ question: 'Which?', choices: ['a', 'a'] }], 'the choices of a question differ'],
  [[{ question: 'Which?', choices: ['x'.repeat(201)] }], 'a choice has at most 200 characters'],
])('refuses %j: %s', (questions, problem) => {
  expect(Questions.safeParse(questions).error?.issues.map(({ message }) => message)).toEqual([problem]);
});
