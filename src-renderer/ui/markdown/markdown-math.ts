/**
 * Converts TeX between dollar signs, `\(…\)` and `\[…\]` to what remark-math reads. Single dollar signs count only if the
 * text between them looks like a formula: "from $5 to $10" is money. Code stays unchanged.
 */
export function mathMarks(text: string): string {
  return text
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? part : marked(part)))
    .join('');
}

/** Fences and code spans in one capture group, so that splitting a text puts them at odd indexes. */
const CODE = /((?:^|\n) {0,3}(?:```|~~~)[\s\S]*?(?:\n {0,3}(?:```|~~~)(?=\n|$)|$)|`+[^`\n]*`+)/;

const marked = (text: string): string =>
  between(text, '\\[', '\\]', (tex) => `\n$$\n${tex.trim()}\n$$\n`)
    .split('\n')
    .map((line) => between(line, '\\(', '\\)', (tex) => `$$${tex.trim()}$$`))
    .join('\n')
    .replace(/(^|[^\\$\w])\$(?![\s$])([^$\n]*[^\s$\\])\$(?![\d$])/g, (whole, before: string, tex: string) =>
      isFormula(tex) ? `${before}$$${tex}$$` : whole,
    );

/**
 * Replaces each pair of delimiters and the text between them with the result of `written`. Takes one pass: a regular
 * expression would search for the end of each start again.
 */
function between(text: string, begin: string, end: string, written: (inside: string) => string): string {
  const parts: string[] = [];
  let done = 0;
  for (let from = text.indexOf(begin); from !== -1; from = text.indexOf(begin, done)) {
    const to = text.indexOf(end, from + begin.length + 1);
    if (to === -1) break;
    parts.push(text.slice(done, from), written(text.slice(from + begin.length, to)));
    done = to + end.length;
  }
  return parts.join('') + text.slice(done);
}

/** Characters that appear in formulas and not in amounts of money; or a single letter. */
const isFormula = (tex: string) => /[\\^_={}<>+*/|]|^[a-zA-Z]$|^[a-zA-Z]\([a-z]\)$/.test(tex);

/** Whether a block may contain a formula. The packages for formulas are loaded only then. */
export const mayHoldMath = (text: string): boolean => /\$[^\s]|\\\(|\\\[/.test(text);
