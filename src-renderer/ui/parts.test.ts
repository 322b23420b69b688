import { describe, expect, it } from 'vitest';
import { standardTime } from '../../src-main/base/testing/processor-time';
import { coloredRuns, diffRows, pairs } from './diff';
import { exactPieces } from './exact-text';
import { languageOf } from './markdown/languages';
import { markdownBlocks } from './markdown/markdown-blocks';

describe('exact text', () => {
  it('shows an escape for each character that hides, reorders or only looks like a space', () => {
    const text = 'rm\u00a0-rf \u202e/\u200b\u001b[31m\r\u{e0041}\ufe0f\u034f\u180b\tend\n';
    expect(
      exactPieces(text)
        .map((piece) => (piece.hidden ? `<${piece.text}>` : piece.text))
        .join(''),
    ).toBe('rm<\\xa0>-rf <\\u202e>/<\\u200b><\\e>[31m<\\r><\\u{e0041}><\\ufe0f><\\u034f><\\u180b>\tend\n');
  });

  it('shows line ends and tabs of a name, too, which would look like a space', () => {
    const name = exactPieces('new\nline\t.txt', false, true);
    expect(name.map(({ text }) => text)).toEqual(['new', '\\n', 'line', '\\t', '.txt']);
  });

  it('leaves ordinary text of any script alone', () => {
    expect(exactPieces('测试 naïve 🙂')).toEqual([{ text: '测试 naïve 🙂', hidden: false }]);
  });
});

describe('letters that only look Latin', () => {
  const seen = (text: string, strict?: boolean) =>
    exactPieces(text, strict)
      .map((piece) => (piece.hidden ? `<${piece.text}>` : piece.text))
      .join('');
  it('are revealed among Latin letters, and anywhere in commands', () => {
    expect(seen('\u0441at \u043c\u0438\u0440 \uff41b')).toBe('<\\u0441>at \u043c\u0438\u0440 <\\uff41>b');
    expect(seen('\u0441\u0430', true)).toBe('<\\u0441><\\u0430>');
    expect(seen('\u0394x \u4e2d\u6587abc')).toBe('\u0394x \u4e2d\u6587abc');
  });
});

describe('a change in color, side by side', () => {
  it('keeps the word marks under the token colors', () => {
    const parts = [
      { text: 'let a = ', changed: false },
      { text: '12', changed: true },
    ];
    expect(
      coloredRuns(parts, [{ text: 'let', color: 'k' }, { text: ' a = 1' }, { text: '2', color: 'n' }]),
    ).toEqual([
      { text: 'let', changed: false, color: 'k' },
      { text: ' a = ', changed: false },
      { text: '1', changed: true },
      { text: '2', changed: true, color: 'n' },
    ]);
    expect(coloredRuns(parts, [{ text: 'other' }])).toEqual(parts);
  });
  it('puts removed lines beside their replacements', () => {
    const rows = diffRows({ oldStart: 1, newStart: 1, lines: [' a', '-b', '-c', '+d', ' e', '+f'] });
    const lines = pairs(rows).map(({ left, right }) => [left?.parts[0]?.text, right?.parts[0]?.text]);
    expect(lines).toEqual([
      ['a', 'a'],
      ['b', 'd'],
      ['c', undefined],
      ['e', 'e'],
      [undefined, 'f'],
    ]);
  });
});

describe('a hunk', () => {
  it('numbers both sides and marks the differing words', () => {
    const rows = diffRows({ oldStart: 4, newStart: 5, lines: [' a', '-x = 1', '+x = 2', '\\ No newline'] });
    expect(rows).toEqual([
      { kind: 'same', oldLine: 4, newLine: 5, parts: [{ text: 'a', changed: false }] },
      {
        kind: 'removed',
        oldLine: 5,
        parts: [
          { text: 'x = ', changed: false },
          { text: '1', changed: true },
        ],
      },
      {
        kind: 'added',
        newLine: 6,
        parts: [
          { text: 'x = ', changed: false },
          { text: '2', changed: true },
        ],
      },
      { kind: 'note', parts: [{ text: ' No newline', changed: false }] },
    ]);
  });
});

describe('Markdown in blocks', () => {
  it('is split at blank lines, never inside a fence, a list or text that refers to another block', () => {
    expect(markdownBlocks('one\n\ntwo\n\n```js\na\n\nb\n```\n\n- x\n\n- y\n\n  more\n\nend').blocks).toEqual([
      'one\n',
      'two\n',
      '```js\na\n\nb\n```\n',
      '- x\n\n- y\n\n  more\n',
      'end',
    ]);
    expect(markdownBlocks('see [a]\n\n[a]: https://a.example').blocks).toHaveLength(1);
  });

  it('keeps the earlier blocks while text streams in', () => {
    const text = '# Title\n\nSome text.\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\nThe end';
    let before: string[] = [];
    for (let length = 1; length <= text.length; length++) {
      const now = markdownBlocks(text.slice(0, length)).blocks;
      expect(now.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
      before = now;
    }
  });
});

describe('a grammar', () => {
  it('is found by a fence name or a file extension', () => {
    expect(['ts', 'src/app.tsx', 'Dockerfile', 'a/b.unknown', 'toString'].map(languageOf)).toEqual([
      'typescript',
      'tsx',
      'docker',
      undefined,
      undefined,
    ]);
  });
});

it('takes little time for changes designed to make the word comparison slow [safety 24]', async () => {
  const line = (mark: string) =>
    `${mark}${Array.from({ length: 600 }, (_, n) => `${mark}${n}`).join(' ')}`.slice(0, 1_900);
  const hunk = { oldStart: 1, newStart: 1, lines: [] as string[] };
  for (let pair = 0; pair < 1_000; pair += 1) hunk.lines.push(line('-'), line('+'));
  let rows = 0;
  const compare = () => {
    rows = diffRows(hunk).length;
  };
  expect(await standardTime(compare, 1)).toBeLessThan(2_000);
  expect(rows).toBe(2_000);
});
