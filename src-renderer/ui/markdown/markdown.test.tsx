import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { CodeActionsProvider } from './code-actions';
import { Markdown } from './markdown';
import { markdownBlocks } from './markdown-blocks';
import { mathMarks } from './markdown-math';
import { pictureOf } from './mermaid';
import { OwnPicturesProvider } from './own-pictures';

// KaTeX refuses to render in quirks mode, which happy-dom reports.
Object.defineProperty(document, 'compatMode', { configurable: true, value: 'CSS1Compat' });

afterEach(cleanup);
const nowhere = () => undefined;

describe('the blocks of a streaming text', () => {
  it('stay unchanged when more text follows', () => {
    const text =
      '# Title\n\nSee [the page][a].\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\n$$\na\n\nb\n$$\n\nEnd.';
    const whole = markdownBlocks(text).blocks;
    expect(whole).toHaveLength(5);
    for (let end = 1; end < text.length; end += 1) {
      const blocks = markdownBlocks(text.slice(0, end)).blocks;
      expect(blocks.slice(0, -1).map((block) => block.trim())).toEqual(
        whole.slice(0, blocks.length - 1).map((block) => block.trim()),
      );
    }
  });

  it('get the link definitions they may refer to', () => {
    expect(markdownBlocks('See [it][a].\n\nOther.\n\n[a]: https://example.com').blocks).toEqual([
      'See [it][a].\n\n\n[a]: https://example.com',
      'Other.\n',
    ]);
    expect(markdownBlocks('One[^1].\n\nTwo.\n\n[^1]: A note.').blocks).toHaveLength(1);
  });
});

it('no mark reverses the letters after it, in prose or in code', () => {
  const { container } = render(
    <Markdown
      text={'Run \u202elive and `\u202dx\u202c`.\n\nשלום\u200f!\n\n```\n\u202epayload\n```'}
      onOpenLink={nowhere}
    />,
  );
  expect(container.textContent).toContain('Run \\u{202e}live and \\u{202d}x\\u{202c}.');
  expect(container.textContent).toContain('\\u{202e}payload');
  // A right-to-left language needs the others.
  expect(container.textContent).toContain('שלום\u200f!');
});

it('code in a sentence stays there, even with a line break', () => {
  const { container } = render(<Markdown text={'Run `npm\ntest` first.'} onOpenLink={nowhere} />);
  expect(container.querySelector('p')?.textContent).toBe('Run npm test first.');
  expect(container.querySelector('figure')).toBeNull();
});

describe('formulas', () => {
  it('are recognized between dollar signs, except for money and code', () => {
    expect(mathMarks('from $5 to $10, $x$ and $a_1 + b$')).toBe('from $5 to $10, $$x$$ and $$a_1 + b$$');
    expect(mathMarks('`$a_1$` \\(a + b\\) costs $3.')).toBe('`$a_1$` $$a + b$$ costs $3.');
    expect(mathMarks('```sh\necho $a_$b $c=$d\n```')).toBe('```sh\necho $a_$b $c=$d\n```');
    expect(mathMarks('\\[\na = b\n\\]')).toBe('\n$$\na = b\n$$\n');
  });

  it('have text for screen readers, and an invalid one shows its source', async () => {
    const { container } = render(<Markdown text={'So $E = mc^2$ and $$\\frac{a$$.'} onOpenLink={nowhere} />);
    await waitFor(() => expect(container.querySelectorAll('math')).toHaveLength(1), { timeout: 20_000 });
    expect(container.querySelector('annotation')?.textContent).toBe('E = mc^2');
    expect(container.textContent).toContain('\\frac{a');
  });

  it('contain no URLs', async () => {
    const { container } = render(
      <Markdown
        text={'$\\href{javascript:alert(1)}{x} + \\includegraphics{https://evil.example/a.png}$ and $a_1$'}
        onOpenLink={nowhere}
      />,
    );
    await waitFor(() => expect(container.querySelector('math')).not.toBeNull(), { timeout: 20_000 });
    expect(container.querySelector('a, img')).toBeNull();
  });
});

describe('pictures', () => {
  it('are shown if they are embedded in the text, and never loaded otherwise', () => {
    const own = 'data:image/png;base64,iVBORw0KGgo=';
    const { container } = render(
      <OwnPicturesProvider value={(base64) => base64 === 'iVBORw0KGgo='}>
        <Markdown
          text={`![mine](${own}) ![theirs](https://evil.example/a.png) ![vector](data:image/svg+xml;base64,PHN2Zz4=)`}
          onOpenLink={nowhere}
        />
      </OwnPicturesProvider>,
    );
    expect([...container.querySelectorAll('img')].map((image) => [image.src, image.alt])).toEqual([
      [own, 'mine'],
    ]);
  });

  it('are not decoded if the check rejects them or if there is no check [safety 24]', () => {
    const text = '![mine](data:image/png;base64,iVBORw0KGgo=) ![](data:image/gif;base64,R0lGODlh)';
    const checked: string[] = [];
    const check = (base64: string) => {
      checked.push(base64);
      return false;
    };
    const { container } = render(
      <OwnPicturesProvider value={check}>
        <Markdown text={text} onOpenLink={nowhere} />
      </OwnPicturesProvider>,
    );
    const told = 'Image not shown: too large or damaged';
    expect([checked, container.textContent]).toEqual([
      ['iVBORw0KGgo=', 'R0lGODlh'],
      `mine (${told}) ${told}`,
    ]);
    const unchecked = render(<Markdown text={text} onOpenLink={nowhere} />);
    expect([container.querySelector('img'), unchecked.container.querySelector('img')]).toEqual([null, null]);
  });

  it('of diagrams contain nothing active and no external references', () => {
    const { source, width, height } = pictureOf(
      `<svg viewBox="0 0 120.4 60" onload="alert(1)"><style>@import "https://evil.example/a.css"; .a{fill:url(https://evil.example/b) ; mask:url(#m)}</style>
       <script>alert(1)</script><foreignObject><iframe src="https://evil.example"></iframe></foreignObject>
       <a href="javascript:alert(1)"><text>here</text></a><use href="#m"></use><rect fill="url(https://evil.example/c)" onclick="x()"></rect></svg>`,
    );
    const svg = decodeURIComponent(source.slice(source.indexOf(',') + 1));
    expect(svg).not.toMatch(/evil|script|onload|onclick|foreignObject|iframe/i);
    expect(svg).toContain('url(#m)');
    expect([width, height]).toEqual([121, 60]);
  });
});

describe('a table', () => {
  it('keeps short cells on one line and long ones from becoming towers, even in Chinese', () => {
    const { container } = render(
      <Markdown
        text={`| Name | 说明 |\n| :-: | --- |\n| **one** \`two\` | ${'word '.repeat(30)} |\n| a | 软件项目说明文件与长期维护计划 |`}
        onOpenLink={nowhere}
      />,
    );
    const widths = [...container.querySelectorAll<HTMLElement>('th, td')].map(({ style }) => style.minWidth);
    expect(widths).toEqual(['4ch', '4ch', '7ch', '38ch', '1ch', '16ch']);
    expect(container.querySelector<HTMLElement>('th')?.style.textAlign).toBe('center');
  });
});

describe('a code block', () => {
  it('says so if it has no language', () => {
    const { container } = render(<Markdown text={'```\nls\n```\n\n```sh\nls\n```'} onOpenLink={nowhere} />);
    expect([...container.querySelectorAll('figcaption')].map(({ textContent }) => textContent)).toEqual([
      'Plain text',
      'sh',
    ]);
  });

  it('is saved under a name that fits its language', () => {
    const saved: unknown[] = [];
    render(
      <CodeActionsProvider value={{ save: (...given) => saved.push(given) }}>
        <Markdown text={'```python\nprint(1)\n```'} onOpenLink={nowhere} />
      </CodeActionsProvider>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Save as a file…' }));
    expect(saved).toEqual([['snippet.py', 'print(1)\n']]);
  });

  it('keeps its lines while it grows', () => {
    const { container, rerender } = render(
      <Markdown streaming text={'```ts\nconst a'} onOpenLink={nowhere} />,
    );
    expect(container.querySelector('pre')?.textContent).toBe('const a');
    rerender(<Markdown streaming text={'```ts\nconst a = 1;\nlet b'} onOpenLink={nowhere} />);
    expect(container.querySelector('pre')?.textContent).toBe('const a = 1;\nlet b');
    rerender(<Markdown streaming text={'```ts\nconst a = 1;\nlet b;\n``'} onOpenLink={nowhere} />);
    expect(container.querySelector('pre')?.textContent).toBe('const a = 1;\nlet b;');
    rerender(<Markdown text={'```ts\nconst a = 1;\nlet b;\n```'} onOpenLink={nowhere} />);
    expect(container.querySelector('pre')?.textContent).toBe('const a = 1;\nlet b;\n');
  });
});
