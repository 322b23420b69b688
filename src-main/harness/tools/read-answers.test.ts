import { describe, expect, it } from 'vitest';
import { readAnswers } from './read-answers';

const database = { question: 'Which database?', choices: ['PostgreSQL', 'SQLite'] };
const pages = { question: 'Which pages?', choices: ['Home', 'About', 'Blog'], multiple: true };
const name = { question: 'What is it called?' };

describe('answers', () => {
  it.each([
    ['SQLite', [{ question: 'Which database?', choices: ['SQLite'] }]],
    ['2', [{ question: 'Which database?', choices: ['SQLite'] }]],
    ['3', [{ question: 'Which database?', choices: [], text: '3' }]],
    [' MySQL, if you can ', [{ question: 'Which database?', choices: [], text: 'MySQL, if you can' }]],
    ['["SQLite"]', [{ question: 'Which database?', choices: ['SQLite'] }]],
    ['[draft', [{ question: 'Which database?', choices: [], text: '[draft' }]],
    ['[1, 2]', [{ question: 'Which database?', choices: [], text: '[1, 2]' }]],
    [
      '[{"choices":["SQLite"],"text":"in memory"}]',
      [{ question: 'Which database?', choices: ['SQLite'], text: 'in memory' }],
    ],
    ['', { problem: 'empty', number: 1 }],
    ['[{"choices":["Oracle"]}]', { problem: 'choice', number: 1 }],
    ['[{"choices":["SQLite","PostgreSQL"]}]', { problem: 'several', number: 1 }],
    ['["SQLite","yes"]', { problem: 'count', number: 1 }],
  ])('reads %j for one question', (said, expected) => {
    expect(readAnswers([database], said)).toEqual(expected);
  });

  it('reads one entry for each of several questions, with choices in their order', () => {
    const said = '["1",{"choices":["Blog","Home"]},"Atlas"]';
    expect(readAnswers([database, pages, name], said)).toEqual([
      { question: 'Which database?', choices: ['PostgreSQL'] },
      { question: 'Which pages?', choices: ['Home', 'Blog'] },
      { question: 'What is it called?', choices: [], text: 'Atlas' },
    ]);
  });

  it('names the question that has no answer', () => {
    expect(readAnswers([database, name], '["1",{"text":" "}]')).toEqual({ problem: 'empty', number: 2 });
    expect(readAnswers([database, name], 'SQLite')).toEqual({ problem: 'count', number: 2 });
  });
});
