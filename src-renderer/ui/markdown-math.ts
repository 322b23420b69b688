/**
 * TeX between dollars and in `\(…\)` and `\[…\]` as remark-math reads it. One dollar before and behind counts only where what
 * stands between looks like a formula: "from $5 to $10" is money. Nothing inside of code is touched.
 */
export function mathMarks(text: string): string {
  return text
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? part : marked(part)))
    .join('');
}

/** Fences and spans of code, as one group, so that they stand at odd places when a text is split at them. */
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
 * The text with what stands between two marks, and the marks, as `written` has it. One pass: a pattern
 * would look for the end of each beginning again.
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

/** Signs that formulas have and sums of money do not; or one letter alone. */
const isFormula = (tex: string) => /[\\^_={}<>+*/|]|^[a-zA-Z]$|^[a-zA-Z]\([a-z]\)$/.test(tex);

/** Whether a block may hold a formula at all: only then the packages for it are loaded. */
export const mayHoldMath = (text: string): boolean => /\$[^\s]|\\\(|\\\[/.test(text);
