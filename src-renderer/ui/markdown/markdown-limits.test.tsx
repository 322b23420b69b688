import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanup, render } from '@testing-library/react';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TextInstead } from '../text-instead';
import { Markdown } from './markdown';
import { markdownBlocks } from './markdown-blocks';
import { isDrawable } from './markdown-limits';
import { mathMarks } from './markdown-math';

// KaTeX refuses to render in quirks mode, which happy-dom reports. KaTeX checks only once, on load.
Object.defineProperty(document, 'compatMode', { configurable: true, value: 'CSS1Compat' });
vi.setConfig({ testTimeout: 60_000 });
afterEach(cleanup);

const AS_TEXT = 'Shown as text: too deeply nested or too long to be formatted';
const draw = (text: string) => render(<Markdown text={text} onOpenLink={() => undefined} />).container;
const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

/** Texts that break parsers or React, or that take them quadratic time. */
const HOSTILE: [name: string, text: string][] = [
  ['quotes', `${'>'.repeat(3_000)} a`],
  ['quotes with spaces', `${'> '.repeat(1_500)} a`],
  ['bullets in a row', `${'- '.repeat(2_000)}a`],
  ['numbers in a row', `${'1. '.repeat(1_000)}a`],
  ['quotes and bullets', `${'> - '.repeat(800)}a`],
  ['lists by indent', lines(500, (at) => `${'  '.repeat(at)}- a`)],
  ['numbered lists by indent', lines(300, (at) => `${'   '.repeat(at)}1. a`)],
  ['brackets', '['.repeat(20_000)],
  ['pictures', '!['.repeat(10_000)],
  ['closed brackets', `${'['.repeat(5_000)}a${']'.repeat(5_000)}`],
  ['links in links', `${'[a'.repeat(3_000)}${'](b)'.repeat(3_000)}`],
  ['links without an end', '[a]('.repeat(8_000)],
  ['stars', '*a '.repeat(20_000)],
  ['stars and lines in turn', '*_'.repeat(4_000)],
  ['strokes', '~~a '.repeat(8_000)],
  ['runs of backquotes', Array.from({ length: 400 }, (_, at) => '`'.repeat(at + 1)).join(' ')],
  ['tags', '<a '.repeat(10_000)],
  ['entities', '&'.repeat(30_000)],
  ['dollars', '$a'.repeat(8_000)],
  ['mail addresses', 'a@'.repeat(10_000)],
  ['a mail address without an end', 'a.'.repeat(20_000)],
  ['columns', `${'|a'.repeat(3_000)}|\n${'|-'.repeat(3_000)}|\n${`${'|b'.repeat(3_000)}|\n`.repeat(3)}`],
  ['footnotes', Array.from({ length: 1_500 }, (_, at) => `[^${at}]: x [^${at}]`).join('\n\n')],
  ['a block without end', 'word '.repeat(40_000)],
];

describe('a text that could block the window', () => {
  it.each(HOSTILE)('is shown as plain text: %s [safety 24]', (_name, text) => {
    const shown = draw(`Before.\n\n${text}\n\nAfter.`);
    expect(shown.textContent).toContain(AS_TEXT);
    // Nothing was parsed, so the number of elements is small whatever the length.
    expect(shown.querySelectorAll('*').length).toBeLessThan(60);
    expect(shown.textContent).toContain(text.slice(0, 40).trim());
  });

  it('leaves the surrounding blocks unchanged [safety 24]', () => {
    const shown = draw(`# Title\n\n${'>'.repeat(3_000)} a\n\n**bold**`);
    expect(shown.querySelector('h1')?.textContent).toBe('Title');
    expect(shown.querySelector('strong')?.textContent).toBe('bold');
  });

  it('limits each block and the whole text [safety 24]', () => {
    const many = 'a\n\n'.repeat(20_000);
    const { blocks, rest } = markdownBlocks(many);
    expect(blocks).toHaveLength(3_000);
    expect(rest.length).toBeGreaterThan(30_000);
    expect(markdownBlocks('a\n\n'.repeat(800_000)).blocks).toEqual([]);
  });

  it('gives each block only the definitions it refers to [safety 24]', () => {
    const text = `${lines(3_000, (at) => `[a${at}]: x`)}\n\n${lines(3_000, (at) => `See [a${at}].\n`)}`;
    const { blocks } = markdownBlocks(text);
    expect(blocks).toHaveLength(3_000);
    expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThan(100);
  });

  it('always renders, whatever characters it consists of [safety 24]', () => {
    const sign = fc.constantFrom(
      ...'>-*+_~`[]()!<&$|#1. \n\t\\:@^'.split(''),
      '\n\n',
      '```',
      '$$',
      '](',
      'a',
      '| - |',
      '[^1]: ',
    );
    const piece = fc.tuple(fc.array(sign, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 400 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
        const text = pieces.map(([signs, times]) => signs.join('').repeat(times)).join('');
        const { unmount, container } = render(<Markdown text={text} onOpenLink={() => undefined} />);
        const count = container.querySelectorAll('*').length;
        unmount();
        return count < 60_000;
      }),
      { numRuns: 60 },
    );
  });
});

describe('an ordinary text', () => {
  it('is rendered, however long its lists, tables and code are', () => {
    const ordinary = [
      lines(800, (at) => `- item ${at} with **bold**, \`code\` and [a link](https://example.com/${at})`),
      `| a | b | c |\n| - | - | - |\n${lines(1_000, (at) => `| ${at} | *x* | y |`)}`,
      `\`\`\`ts\n${'const a = [[[[[[]]]]]]; // *** >>> \n'.repeat(20_000)}\`\`\``,
      `${'> '.repeat(6)}deep`,
      lines(8, (at) => `${'  '.repeat(at)}- a`),
      '---\n\n***\n\n________________________________________________________________________________________________',
      `![mine](data:image/png;base64,${'aB+/'.repeat(200_000)})`,
      'Sums: $5 and $6, x@example.com, <b>, a && b, https://example.com/a_b_c-d.e+f',
    ];
    for (const text of ordinary)
      expect([text.slice(0, 40), isDrawable(text)]).toEqual([text.slice(0, 40), true]);
  });

  it('includes every document of this project', () => {
    const root = join(import.meta.dirname, '../../..');
    const names = [
      ...['README.md', 'CHANGELOG.md', 'DECISIONS.md', 'CONTRIBUTING.md'],
      ...readdirSync(join(root, 'docs'))
        .filter((name) => name.endsWith('.md'))
        .map((name) => `docs/${name}`),
    ];
    for (const name of names) {
      const { blocks, rest } = markdownBlocks(readFileSync(join(root, name), 'utf8'));
      expect([name, rest, blocks.filter((block) => !isDrawable(block))]).toEqual([name, '', []]);
    }
  });
});

it('shows plain text if rendering fails, and renders the next text [safety 24]', () => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const Drawn = ({ text }: { text: string }) => {
    if (text === 'bad') throw new RangeError('Maximum call stack size exceeded');
    return <b>{text}</b>;
  };
  const at = (text: string) => (
    <TextInstead text={text}>
      <Drawn text={text} />
    </TextInstead>
  );
  const { container, rerender } = render(at('bad'));
  expect(container.querySelector('pre')?.textContent).toBe('bad');
  rerender(at('good'));
  expect(container.querySelector('b')?.textContent).toBe('good');
  quiet.mockRestore();
});

it('searches for the end of a formula once, however many start [safety 24]', () => {
  for (const begin of ['\\[', '\\(', '\\(\n', '$a', '`a', '$', '```\n'])
    expect(mathMarks(begin.repeat(100_000)).length).toBeGreaterThanOrEqual(100_000);
});

it.each([
  ['groups', `${'{'.repeat(1_000)}a${'}'.repeat(1_000)}`],
  ['roots', '\\sqrt'.repeat(700)],
  ['length', 'a+'.repeat(50_000)],
])('shows a formula as its source if it would take too long: %s [safety 24]', async (_name, tex) => {
  const { drawFormula } = await import('./formulas');
  const into = document.createElement('span');
  drawFormula(tex, { display: false, settled: true }, into);
  expect(into.textContent).toBe(tex);
  expect(into.children).toHaveLength(0);
});

it('draws an invalid formula in red only when no more of it can come', async () => {
  const { drawFormula } = await import('./formulas');
  const color = (settled: boolean) => {
    const into = document.createElement('span');
    drawFormula('\\frac{1', { display: false, settled }, into);
    return into.querySelector<HTMLElement>('.katex-error')?.getAttribute('style');
  };
  expect([color(false), color(true)]).toEqual(['color:inherit', 'color:var(--deny)']);
});
