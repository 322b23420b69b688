import { describe, expect, it } from 'vitest';
import { parseRequest } from '../../../src-main/models/offline/parse';
import { translator } from '../../i18n';
import { factsOf, suggestionsFor } from './suggestions';

const titles = (names: readonly string[], offline = false, isSample = false) =>
  suggestionsFor(factsOf(names, isSample), offline, translator('en')).map(({ title }) => title);

describe('the prompts for a folder', () => {
  it('fit what is in it', () => {
    expect(titles(['package.json', 'src/', 'README.md'])).toEqual([
      'Explain this folder',
      'Run the tests and fix failures',
      'Find outdated documentation',
    ]);
    expect(titles(['orders.csv'])).toEqual(['Explain this folder', 'Explain orders.csv']);
    expect(titles(['letter.docx', 'plan.md'])).toEqual(['Explain this folder', 'Summarize the documents']);
    expect(titles([])).toEqual(['Start a small project']);
  });

  it('name files and commands that are there for the offline assistant', () => {
    const prompts = suggestionsFor(
      factsOf(['Cargo.toml', 'readme.md', 'src/'], false),
      true,
      translator('en'),
    ).map(({ prompt }) => prompt);
    expect(prompts.slice(0, 2)).toEqual(['read readme.md', 'run cargo test']);
  });

  it('begin in the sample with a change that is shown, tested and can be undone', () => {
    expect(titles(['package.json'], true, true)[0]).toBe('Fix the failing test');
    expect(titles(['package.json'], false, true)[0]).toBe('Fix the failing test');
  });

  it('are understood by the offline assistant, in both languages', () => {
    for (const language of ['en', 'zh'] as const)
      for (const isSample of [true, false])
        for (const names of [[], ['README.md', 'package.json']])
          for (const { prompt } of suggestionsFor(factsOf(names, isSample), true, translator(language)))
            expect(parseRequest(prompt).understood, prompt).toBe(true);
  });
});
