import { describe, expect, it } from 'vitest';
import { odtOf, zip } from '../testing/files';
import { officeText } from './office-text';

const parts = (bytes: Uint8Array): string[] =>
  officeText({ bytes, offset: 0, limit: 1_000, maxLength: 1_000_000 }).parts;

const para = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const word = (body: string, more: Record<string, string> = {}) =>
  parts(zip({ 'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`, ...more }));

describe('the text of a Word document', () => {
  it('has the rows of tables with tabs between cells, whatever the cells hold', () => {
    const cell = (inner: string) => `<w:tc><w:tcPr/>${inner}</w:tc>`;
    const row = (...cells: string[]) => `<w:tr>${cells.map(cell).join('')}</w:tr>`;
    const inner = `<w:tbl>${row(para('x'), para('y'))}</w:tbl>`;
    const table = `<w:tbl>${row(para('A'), '<w:p/>', para('B') + para('b'))}${row(inner + para('C'), para('D'))}</w:tbl>`;
    expect(word(para('Before') + table + para('After'))).toEqual([
      'Before',
      'A\t\tB\nb',
      'x\ny\nC\tD',
      'After',
    ]);
  });

  it('is that of the current version: without deleted and moved text, and with drawings once', () => {
    expect(
      word(
        `<w:p><w:r><w:t>Pay </w:t></w:r><w:del><w:r><w:delText>10</w:delText></w:r></w:del><w:ins><w:r><w:t>20</w:t></w:r></w:ins></w:p>
         <w:moveFrom>${para('moved')}</w:moveFrom><w:moveTo>${para('moved')}</w:moveTo>
         <mc:AlternateContent><mc:Choice>${para('box')}</mc:Choice><mc:Fallback>${para('box')}</mc:Fallback></mc:AlternateContent>`,
      ),
    ).toEqual(['Pay 20', 'moved', 'box']);
  });

  it('marks hidden text, also by its style', () => {
    const run = (props: string, text: string) => `<w:r><w:rPr>${props}</w:rPr><w:t>${text}</w:t></w:r>`;
    const styles = `<w:styles>
      <w:style w:styleId="Base"><w:rPr><w:vanish/></w:rPr></w:style>
      <w:style w:styleId="Derived"><w:basedOn w:val="Base"/></w:style>
      <w:style w:styleId="Shown"><w:basedOn w:val="Base"/><w:rPr><w:vanish w:val="0"/></w:rPr></w:style>
      <w:style w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style></w:styles>`;
    const body = [
      run('', 'Dear reader, ') +
        run('<w:vanish/>', 'send ') +
        run('<w:vanish w:val="true"/>', 'all') +
        run('', ' bye'),
      run('<w:vanish w:val="false"/>', 'seen'),
      `<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${run('', 'only the mark')}`,
      `<w:pPr><w:pStyle w:val="Derived"/></w:pPr>${run('', 'by ')}${run('<w:vanish w:val="0"/>', 'style')}`,
      run('<w:rStyle w:val="Base"/>', 'run') +
        run('<w:rStyle w:val="Shown"/>', ' shown') +
        run('<w:rStyle w:val="Loop"/>', '!'),
    ];
    const table = `<w:tbl><w:tr><w:tc><w:p>${run('<w:vanish/>', 'a')}</w:p></w:tc><w:tc>${para('b')}</w:tc></w:tr></w:tbl>`;
    expect(
      word(body.map((one) => `<w:p>${one}</w:p>`).join('') + table, { 'word/styles.xml': styles }),
    ).toEqual([
      'Dear reader, (hidden: send all) bye',
      'seen',
      'only the mark',
      '(hidden: by )style',
      '(hidden: run) shown!',
      '(hidden: a)\tb',
    ]);
  });

  it('marks white text on white, and tiny text', () => {
    const run = (props: string, text: string) => `<w:r><w:rPr>${props}</w:rPr><w:t>${text}</w:t></w:r>`;
    const white = '<w:color w:val="FFFFFF"/>';
    const dark = '<w:shd w:val="clear" w:color="auto" w:fill="1F3864"/>';
    const styles = `<w:styles><w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="22"/></w:rPr></w:rPrDefault></w:docDefaults>
      <w:style w:type="paragraph" w:default="1" w:styleId="Normal"/>
      <w:style w:type="character" w:styleId="Ghost"><w:rPr><w:color w:val="fefefe"/></w:rPr></w:style>
      <w:style w:type="paragraph" w:styleId="Dust"><w:basedOn w:val="Normal"/><w:rPr><w:sz w:val="2"/></w:rPr></w:style>
      <w:style w:type="paragraph" w:styleId="Banner"><w:pPr>${dark}</w:pPr><w:rPr>${white}</w:rPr></w:style>
      <w:style w:type="table" w:styleId="Grid"><w:tblStylePr w:type="firstRow"><w:rPr>${white}</w:rPr><w:tcPr>${dark}</w:tcPr></w:tblStylePr></w:style></w:styles>`;
    const cell = (properties: string, text: string) =>
      `<w:tc><w:tcPr>${properties}</w:tcPr><w:p>${run(white, text)}</w:p></w:tc>`;
    const table = (properties: string, ...cells: string[]) =>
      `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tr>${cells.join('')}</w:tr></w:tbl>`;
    const body = [
      `<w:p>${run('', 'Dear ')}${run(white, 'send all')}${run('<w:color w:val="C00000"/>', ' red')}</w:p>`,
      `<w:p>${run('<w:rStyle w:val="Ghost"/>', 'by style')}${run('<w:rStyle w:val="Ghost"/><w:color w:val="auto"/>', ' seen')}</w:p>`,
      `<w:p>${run('<w:sz w:val="3"/>', 'tiny')}${run('<w:sz w:val="16"/>', ' small')}</w:p>`,
      `<w:p><w:pPr><w:pStyle w:val="Dust"/></w:pPr>${run('', 'dust')}</w:p>`,
      `<w:p><w:pPr><w:pStyle w:val="Banner"/></w:pPr>${run('', 'banner')}</w:p>`,
      `<w:p><w:pPr><w:rPr>${white}</w:rPr></w:pPr>${run('', 'only the mark')}</w:p>`,
      `<w:p><w:pPr>${dark}</w:pPr>${run(white, 'on dark')}</w:p>`,
      `<w:p>${run(`${white}<w:highlight w:val="black"/>`, 'marker')}${run(`${white}${dark.replace('1F3864', 'FFFFFF')}`, 'not')}</w:p>`,
      table('', cell(dark, 'a'), cell('', 'b')),
      table('<w:tblStyle w:val="Grid"/>', cell('', 'head')),
      table('<w:tblStyle w:val="Grid"/>', cell('<w:shd w:val="clear" w:fill="auto"/>', 'c')),
      `<w:p><w:r><w:drawing><w:txbxContent><w:p>${run(white, 'box')}</w:p></w:txbxContent></w:drawing></w:r></w:p>`,
      `<w:p>${run(white, 'after')}</w:p>`,
    ];
    expect(word(body.join(''), { 'word/styles.xml': styles })).toEqual([
      'Dear (hidden: send all) red',
      '(hidden: by style) seen',
      '(hidden: tiny) small',
      '(hidden: dust)',
      'banner',
      'only the mark',
      'on dark',
      'marker(hidden: not)',
      'a\t(hidden: b)',
      'head',
      '(hidden: c)',
      'box',
      '(hidden: after)',
    ]);
    expect(
      parts(
        zip({ 'word/document.xml': `<w:document><w:background w:color="000000"/>${body[0]}</w:document>` }),
      ),
    ).toEqual(['Dear send all red']);
  });

  it('has headers, footers, notes and comments below the text', () => {
    expect(
      word(para('Text'), {
        'word/header1.xml': `<w:hdr>${para('Confidential')}</w:hdr>`,
        'word/header2.xml': `<w:hdr>${para('Confidential')}</w:hdr>`,
        'word/footer1.xml': `<w:ftr><w:p/></w:ftr>`,
        'word/footnotes.xml': `<w:footnotes><w:footnote w:id="-1"><w:p/></w:footnote><w:footnote w:id="1">${para('See page 2.')}</w:footnote></w:footnotes>`,
        'word/endnotes.xml': `<w:endnotes><w:endnote w:id="1">${para('The end.')}</w:endnote></w:endnotes>`,
        'word/comments.xml': `<w:comments><w:comment w:id="0" w:author="Ada &amp; Co">${para('Why?')}${para('Really?')}</w:comment></w:comments>`,
      }),
    ).toEqual([
      'Text',
      'Header: Confidential',
      'Footnote: See page 2.',
      'Endnote: The end.',
      'Comment by Ada & Co: Why?\nReally?',
    ]);
  });

  it('is found under the names that Word on the web uses', () => {
    const files = {
      'word/document2.xml': `<w:document>${para('Text')}</w:document>`,
      'word/comments2.xml': `<w:comments><w:comment w:id="0" w:author="Ada">${para('Why?')}</w:comment></w:comments>`,
    };
    expect(parts(zip(files))).toEqual(['Text', 'Comment by Ada: Why?']);
  });

  it.each([
    ['ns0', 'xmlns:ns0'],
    ['', 'xmlns'],
  ])('is read whatever the prefix is: %j', (prefix, xmlns) => {
    const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
    const inOther = (xml: string) => xml.replaceAll('w:', prefix === '' ? '' : `${prefix}:`);
    const document = `<w:document>${para('Text')}<w:tbl><w:tr><w:tc>${para('A')}</w:tc></w:tr></w:tbl></w:document>`;
    expect(
      parts(
        zip({
          'word/document.xml': inOther(document).replace('document>', `document ${xmlns}="${namespace}">`),
        }),
      ),
    ).toEqual(['Text', 'A']);
  });

  it('has formulas, hyphens and text in CDATA, and not what a comment of the XML holds', () => {
    expect(
      word(
        `<w:p><m:oMath><m:r><m:t>a+b</m:t></m:r></m:oMath><w:r><w:noBreakHyphen/><w:t><![CDATA[1 < 2 &amp; 3]]></w:t></w:r></w:p><!-- ${para('no')} -->${para('a<!-- > -->b')}`,
      ),
    ).toEqual(['a+b-1 < 2 &amp; 3', 'ab']);
  });

  it('can be in UTF-16', () => {
    const xml = `\ufeff<w:document>${para('caf\u00e9')}</w:document>`;
    const bytes = zip({ 'word/document.xml': '#' });
    expect(parts(bytes)).toEqual([]);
    expect(parts(zip({ 'word/document.xml': Buffer.from(xml, 'utf16le') }))).toEqual(['caf\u00e9']);
  });

  it('expands no entities of its own', () => {
    const doctype =
      '<!DOCTYPE x [<!ENTITY lol "lol"><!ENTITY big "&lol;&lol;"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
    expect(
      parts(zip({ 'word/document.xml': `${doctype}<w:document>${para('&big;&f;')}</w:document>` })),
    ).toEqual(['&big;&f;']);
  });
});

const RELATIONSHIPS = (targets: Record<string, string>) =>
  `<Relationships>${Object.entries(targets)
    .map(([id, target]) => `<Relationship Id="${id}" Target="${target}"/>`)
    .join('')}</Relationships>`;

function sheet(rows: string, more: Record<string, string> = {}, properties = '') {
  const [, ...lines] = parts(
    zip({
      'xl/workbook.xml': `<workbook>${properties}<sheets><sheet name="S" sheetId="1" r:id="a"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': RELATIONSHIPS({ a: '/xl/worksheets/sheet1.xml' }),
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ...more,
    }),
  );
  return lines;
}

const STYLES = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-409]d\\-mmm\\-yyyy;@"/><numFmt numFmtId="165" formatCode="[Red]#,##0.00 &quot;days&quot;"/><numFmt numFmtId="166" formatCode="[h]:mm"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="21"/><xf numFmtId="166"/></cellXfs></styleSheet>`;

describe('the cells of an Excel workbook', () => {
  it('show a formula with its result, or alone if nothing has calculated it', () => {
    expect(
      sheet(
        '<row><c r="A1"><v>1</v></c><c r="B1"><f>A1*2</f><v>2</v></c><c r="C1"><f>SUM(A1:B1)&amp;"x"</f></c></row>',
      ),
    ).toEqual(['1\t2 (=A1*2)\t=SUM(A1:B1)&"x"']);
  });

  it.each([
    ['1', '45678', '2025-01-21'],
    ['2', '45678.604166666664', '2025-01-21 14:30'],
    ['3', '45678', '2025-01-21'],
    ['4', '45678', '45678'],
    ['5', '0.604166666666667', '14:30'],
    ['6', '1.5', '36:00'],
    ['1', '1', '1900-01-01'],
    ['1', '60', '1900-02-28'],
    ['1', '61', '1900-03-01'],
    ['1', '-3', '-3'],
    ['1', '99999999999', '99999999999'],
    ['1', 'x', 'x'],
    ['0', '45678', '45678'],
    ['99', '1', '1'],
  ])('show numbers of the style %s as times where they are: %s is %s', (style, value, text) => {
    const cells = `<row><c r="A1" s="${style}"><v>${value}</v></c></row>`;
    expect(sheet(cells, { 'xl/styles.xml': STYLES })).toEqual([text]);
  });

  it('have the number of their row, and say what is hidden', () => {
    const bytes = zip({
      'xl/workbook.xml':
        '<workbook><sheets><sheet name="S" r:id="a"/><sheet name="T" state="veryHidden" r:id="b"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': RELATIONSHIPS({ a: 'worksheets/sheet1.xml', b: 'worksheets/sheet2.xml' }),
      'xl/worksheets/sheet1.xml':
        '<worksheet><cols><col min="3" max="3" hidden="1"/><col min="27" max="28" hidden="true"/><col min="30" max="30" hidden="0"/></cols><sheetData><row r="3"><c r="A3"><v>1</v></c></row><row><c r="A4"><v>2</v></c></row><row r="7" hidden="1"><c r="A7"><v>3</v></c></row></sheetData></worksheet>',
      'xl/worksheets/sheet2.xml': '<sheetData><row><c><v>4</v></c></row></sheetData>',
    });
    const { parts: all, marks = [] } = officeText({ bytes, offset: 0, limit: 9, maxLength: 1_000 });
    expect(all.map((part, at) => `${marks[at]}${part}`)).toEqual([
      '(hidden columns: C, AA:AB) Sheet S',
      '3\t1',
      '4\t2',
      '7 (hidden)\t3',
      '(hidden) Sheet T',
      '1\t4',
    ]);
    expect(officeText({ bytes, offset: 3, limit: 1, maxLength: 1_000 })).toMatchObject({
      parts: ['3'],
      marks: ['7 (hidden)\t'],
    });
  });

  it('count days from 1904 where the workbook says so', () => {
    const cells = '<row><c r="A1" s="1"><v>0</v></c><c r="B1" s="1"><v>44216</v></c></row>';
    expect(sheet(cells, { 'xl/styles.xml': STYLES }, '<workbookPr date1904="1"/>')).toEqual([
      '1904-01-01\t2025-01-21',
    ]);
  });

  it('are truth values, errors, and texts in several pieces, on one line', () => {
    expect(
      sheet(
        `<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="b"/><c t="e"><v>#DIV/0!</v></c><c t="str"><f>A1</f><v>a\tb</v></c>
         <c t="inlineStr"><is><r><t>one</t></r><r><t> two</t></r><rPh><t>no</t></rPh></is></c><c t="s"><v>0</v></c><c t="s"><v>2</v></c></row>`,
        {
          'xl/sharedStrings.xml':
            '<sst><si><t>a_x000D_\nb</t><rPh sb="0" eb="1"><t>no</t></rPh></si><si/><si><t>last</t></si></sst>',
        },
      ),
    ).toEqual(['TRUE\tFALSE\t\t#DIV/0!\ta b (=A1)\tone two\ta b\tlast']);
  });

  it('are read whatever the prefix and the quotes are, and have their comments below', () => {
    const more = {
      'xl/workbook.xml': `<x:workbook><x:sheets><x:sheet name='S' sheetId='1' rel:id='a'/></x:sheets></x:workbook>`,
      'xl/worksheets/sheet1.xml': `<x:worksheet><x:sheetData><x:row><x:c r='B1' t='s'><x:v>0</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
      'xl/sharedStrings.xml': '<x:sst><x:si><x:t>hi</x:t></x:si></x:sst>',
      'xl/worksheets/_rels/sheet1.xml.rels': RELATIONSHIPS({ c: '../comments1.xml' }),
      'xl/comments1.xml':
        '<comments><commentList><comment ref="B1"><text><r><t>Ada:</t></r><r><t> why?</t></r></text></comment></commentList></comments>',
    };
    expect(sheet('', more)).toEqual(['\thi', 'Comment at B1: Ada: why?']);
  });
});

it('marks tiny text of slides', () => {
  const run = (size: string, text: string) => `<a:r><a:rPr${size}/><a:t>${text}</a:t></a:r>`;
  const slide = `<p:sld><p:sp><a:p>${run(' sz="1800"', 'Seen ')}${run(' sz="100"', 'send all')}${run('', ' end')}</a:p></p:sp></p:sld>`;
  expect(
    parts(
      zip({
        'ppt/presentation.xml': '<p:presentation><p:sldId r:id="a"/></p:presentation>',
        'ppt/_rels/presentation.xml.rels': RELATIONSHIPS({ a: 'slides/slide1.xml' }),
        'ppt/slides/slide1.xml': slide,
      }),
    ),
  ).toEqual(['Seen (hidden: send all) end']);
});

it('says which slides and shapes are hidden', () => {
  const shape = (text: string, more = '') =>
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"${more}/></p:nvSpPr><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sp>`;
  const group = `<p:grpSp><p:nvGrpSpPr><p:cNvPr hidden="true"/></p:nvGrpSpPr>${shape('in group')}</p:grpSp>`;
  expect(
    parts(
      zip({
        'ppt/presentation.xml': '<p:presentation><p:sldId r:id="a"/><p:sldId r:id="b"/></p:presentation>',
        'ppt/_rels/presentation.xml.rels': RELATIONSHIPS({ a: 'slides/slide1.xml', b: 'slides/slide2.xml' }),
        'ppt/slides/slide1.xml': `<p:sld show="0">${shape('Draft')}</p:sld>`,
        'ppt/slides/slide2.xml': `<p:sld show="1">${shape('Shown')}${shape('Off', ' hidden="1"')}${group}${shape('Last')}</p:sld>`,
      }),
    ),
  ).toEqual(['(hidden slide)\nDraft', 'Shown\n(hidden: Off)\n(hidden: in group)\nLast']);
});

it('shows diagrams, notes without their number, and comments below a slide', () => {
  const text = (words: string) => `<a:p><a:r><a:t>${words}</a:t></a:r></a:p>`;
  const number = '<a:p><a:fld id="{1}" type="slidenum"><a:rPr/><a:t>1</a:t></a:fld></a:p>';
  const table = `<a:tbl><a:tr><a:tc>${text('A')}</a:tc><a:tc>${text('B')}</a:tc></a:tr></a:tbl>`;
  expect(
    parts(
      zip({
        'ppt/presentation.xml': '<p:presentation><p:sldId r:id="a"/></p:presentation>',
        'ppt/_rels/presentation.xml.rels': RELATIONSHIPS({ a: 'slides/slide1.xml' }),
        'ppt/slides/slide1.xml': `<p:sld>${text('Title')}${table}</p:sld>`,
        'ppt/slides/_rels/slide1.xml.rels': RELATIONSHIPS({
          a: '../notesSlides/notesSlide1.xml',
          b: '../comments/comment1.xml',
          c: '../diagrams/data1.xml',
          d: '../slideLayouts/slideLayout1.xml',
        }),
        'ppt/notesSlides/notesSlide1.xml': `<p:notes>${text('Say it')}${number}</p:notes>`,
        'ppt/comments/comment1.xml': '<p:cmLst><p:cm><p:text>Too &lt;long&gt;</p:text></p:cm></p:cmLst>',
        'ppt/diagrams/data1.xml': `<dgm:dataModel>${text('Step')}</dgm:dataModel>`,
      }),
    ),
  ).toEqual(['Title\nA\tB\nStep\nNotes: Say it\nComments: Too <long>']);
});

describe('an OpenDocument text', () => {
  it('has the rows of tables, and notes and comments below their paragraph', () => {
    const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
    expect(
      parts(
        odtOf(
          `<text:p>Be<office:annotation><dc:creator>Ada</dc:creator><dc:date>2026-01-01</dc:date><text:p>Why?</text:p></office:annotation>fore<text:note><text:note-body><text:p>See 2.</text:p></text:note-body></text:note></text:p>
           <table:table><table:table-column/><table:table-row>${cell('A')}<table:table-cell/>${cell('B')}</table:table-row></table:table><text:h>After</text:h>`,
        ),
      ),
    ).toEqual(['Before', 'Comment: Why?', 'Note: See 2.', 'A\t\tB', 'After']);
  });

  it('has headers and footers below the text', () => {
    const styles =
      '<office:master-styles><style:header><text:p>Top</text:p></style:header><style:footer><text:p>Bottom</text:p></style:footer></office:master-styles>';
    const bytes = zip({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': '<text:p>Text</text:p>',
      'styles.xml': styles,
    });
    expect(parts(bytes)).toEqual(['Text', 'Header: Top', 'Footer: Bottom']);
  });
});
