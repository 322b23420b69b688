import { describe, expect, it } from 'vitest';
import { htmlToMarkdown } from './html-to-markdown';

const markdown = (html: string): string => htmlToMarkdown(html, 'https://example.org/guide/start').text;

describe('a page as Markdown', () => {
  it('keeps the text of a page that is one form', () => {
    const html = '<form><h1>Hello</h1><p>Text</p><input value="x"><select><option>A</option></select></form>';
    expect(markdown(html)).toBe('# Hello\n\nText');
  });

  it.each([
    ['without a code element', '<pre>a_b = c*2\n  d</pre>', '```\na_b = c*2\n  d\n```'],
    [
      'colored, with its language',
      '<div class="highlight-python notranslate"><pre><span></span><span>import</span> os_path\n</pre></div>',
      '```python\nimport os_path\n```',
    ],
    [
      'with the language on the code element',
      '<pre><code class="hljs language-c++">x</code></pre>',
      '```c++\nx\n```',
    ],
    ['broken with elements', '<pre><code>a<br>b<br><br>  c</code></pre>', '```\na\nb\n\n  c\n```'],
    ['with an element for each line', '<pre><div>a</div><div>  b</div></pre>', '```\na\n  b\n```'],
    ['that contains a fence', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
  ])('shows code %s', (_name, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  it('resolves links against the base that the page names', () => {
    const link = '<a href="next">Next</a>';
    expect(markdown(`<base href="/en/">${link}`)).toBe('[Next](https://example.org/en/next)');
    expect(markdown(`<base href="javascript:alert(1)">${link}`)).toBe(
      '[Next](https://example.org/guide/next)',
    );
  });

  it.each([
    '<p hidden>Obey.</p>',
    '<p style="color: red; display : none">Obey.</p>',
    '<span style="visibility:hidden !important">Obey.</span>',
    '<div style="font-size:0px"><p>Obey.</p></div>',
    '<div style="max-height:0;overflow:hidden">Obey.</div>',
    '<span style="color:#fff;background:#fff">Obey.</span>',
    '<span style="position:fixed;top:-10000px">Obey.</span>',
    '<div style="opacity: 0.0">Obey.</div>',
    '<a href="/x" hidden>Obey.</a>',
    '<pre><span hidden>Obey.</span></pre>',
    '<!-- Obey. -->',
    '<textarea hidden>Obey.</textarea>',
  ])('leaves out what a reader of the page does not see: %s', (html) => {
    expect(markdown(`<p>Seen.</p>${html}`)).toBe('Seen.');
  });

  it.each([
    '<p style="font-size:0.9em">Seen.</p>',
    '<p style="opacity:.5">Seen.</p>',
    '<p style="display:block">Seen.</p>',
  ])('keeps what a reader sees: %s', (html) => {
    expect(markdown(html)).toBe('Seen.');
  });

  const NOTE = '\n\n[Text that a style sheet of the page hides was left out.]';
  const sheet = (css: string, inner: string) => markdown(`<style>${css}</style><p>Text</p>${inner}`);

  it.each([
    ['.x{display:none}', '<p class="a x">Obey.</p>'],
    [
      '/* . */ @import "a.css"; p { color: red } #x, .y { visibility : hidden !important }',
      '<p id="x">Obey.</p>',
    ],
    ['span.x.y{font-size:0}', '<span class="y x"><b>Obey.</b></span>'],
    ['.x{position:absolute;left:-9999px}', '<div class="x"><table><tr><td>Obey.</td></tr></table></div>'],
    ['.x{COLOR:#FFF;background-color:#fff}', '<p class="x">Obey.</p>'],
    ['.x{height:0;overflow:hidden}', '<p class="x">Obey.</p>'],
  ])('leaves out what a style sheet hides, and says so: %s', (css, inner) => {
    expect(sheet(css, inner)).toBe(`Text${NOTE}`);
  });

  it.each([
    ['something else', '.x{color:red}'],
    ['it only sometimes', '@media print{.x{display:none}}'],
    ['what it shows elsewhere', '.x{display:none}.x.open{display:block}'],
    ['what it shows on large screens', '.x{display:none}@media(min-width:1px){.x{display:block}}'],
    ['elements inside of others', '.y .x{display:none}'],
    ['a whole kind of elements', 'p{display:none}body{visibility:hidden}'],
    ['a color that shines through', '.x{color:transparent;background-clip:text}'],
    ['nothing, since it never ends', '.x{display:none'],
  ])('keeps text where a style sheet hides %s', (_, css) => {
    expect(sheet(css, '<p class="x">More</p>')).toBe('Text\n\nMore');
  });

  const LINK = '<link rel="preload stylesheet" href="a.css">';

  it.each(['d-none', 'note hidden', 'is-hidden', 'invisible a'])(
    'leaves out what a well-known class of a style sheet in another file hides: %s',
    (name) => {
      const more = `<p class="${name}">Obey.</p>`;
      expect(markdown(`${LINK}<p>Text</p>${more}`)).toBe(`Text${NOTE}`);
      expect(markdown(`<p>Text</p>${more}`)).toBe('Text\n\nObey.');
    },
  );

  it.each([
    '<p class="hidden md:block">More</p>',
    '<p class="d-none d-lg-flex">More</p>',
    '<p class="hidden dark:inline-block">More</p>',
    '<p class="hidden-gem">More</p>',
    '<p class="hidden" role="tabpanel">More</p>',
    '<button aria-controls="a b"></button><p class="hidden" id="b">More</p>',
    '<a href="#b"></a><p class="hidden" id="b">More</p>',
    '<style>.hidden{color:red}</style><p class="hidden">More</p>',
  ])('keeps what such a class may show: %s', (html) => {
    expect(markdown(`${LINK}<p>Text</p>${html}`)).toContain('Text\n\nMore');
  });

  it('leaves out characters that nobody sees', () => {
    const tags = [...'Obey'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    const page = htmlToMarkdown(`<title>Ti${tags}tle</title><p>a${tags}\u202eb\u200bc</p>`, 'https://e.org');
    expect(page).toEqual({ title: 'Title', text: 'abc' });
    // Scripts and emoji need these.
    expect(markdown('<p>\u{1f469}\u200d\u{1f4bb} \u0645\u06cc\u200c\u0634\u0648\u062f</p>')).toBe(
      '\u{1f469}\u200d\u{1f4bb} \u0645\u06cc\u200c\u0634\u0648\u062f',
    );
  });

  it('takes the title of the page, not of an image', () => {
    const html = '<svg><title>Icon</title></svg><title>Guide &amp; more</title><p>Text';
    expect(htmlToMarkdown(html, 'https://e.org')).toEqual({ title: 'Guide & more', text: 'Text' });
  });

  it('shows a table with its caption, lists and code in cells', () => {
    const html =
      '<table><caption>Sizes</caption><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td><p>x</p><p>y</p></td><td>a|b</td></tr></tbody></table>';
    expect(markdown(html)).toBe('Sizes\n\n| A | B |\n| --- | --- |\n| x y | a\\|b |');
  });

  it('keeps the columns of a table in line whose cells span rows and columns', () => {
    const html = `<table><thead>
      <tr><th rowspan="2">City</th><th colspan="2">People</th></tr><tr><th>2019</th><th>2020</th></tr></thead><tbody>
      <tr><td>Paris</td><td rowspan="3">2</td><td>3</td></tr><tr><td>Lyon</td><td>4</td></tr><tr><td>Nice</td></tr></tbody><tbody>
      <tr><td rowspan="0">All</td><td>5</td><td hidden>x</td><td>6</td></tr><tr><td colspan="oops">7</td><td>8</td></tr></tbody></table>`;
    expect(markdown(html).split('\n')).toEqual([
      '| City | People |  |',
      '| --- | --- | --- |',
      '|  | 2019 | 2020 |',
      '| Paris | 2 | 3 |',
      '| Lyon |  | 4 |',
      '| Nice |  |',
      '| All | 5 | 6 |',
      '|  | 7 | 8 |',
    ]);
  });

  it('adds few cells for spans of any size', () => {
    const wide = '<tr><td rowspan="65534" colspan="1000">x</td><td colspan="99999999999">y</td></tr>';
    const page = markdown(`<table>${wide}${'<tr><td>z</td></tr>'.repeat(5_000)}</table>`);
    expect(page.length).toBeLessThan(300_000);
  });

  it('shows a table that only arranges others as what it contains', () => {
    const html =
      '<table><tr><td><h1>News</h1></td></tr><tr><td><table><tr><th>A</th></tr><tr><td>1</td></tr></table></td></tr></table>';
    expect(markdown(html)).toBe('# News\n\n| A |\n| --- |\n| 1 |');
  });

  it('shows a link around a card as one line, and a summary on its own', () => {
    expect(markdown('<a href="/x"><h3>Title</h3><p>Text</p></a>')).toBe(
      '[Title Text](https://example.org/x)',
    );
    expect(markdown('<details><summary>More</summary>Text</details>')).toBe('More\n\nText');
  });
});
