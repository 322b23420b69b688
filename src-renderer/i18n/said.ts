import type { Language } from './fill';
import { said } from './zh/said';

interface Form {
  /** The text around the values. */
  parts: string[];
  text: string;
}

/** Sentences start with a capital and end with a period, clauses do not; otherwise they are the same. */
const plain = (text: string) => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');

/** A message may contain a model's text of any length and form. Longer messages, in characters, are not translated. */
const MAX_SAID = 10_000;
/** Maximum nesting of patterns, and maximum positions in a text after which a reason is searched. */
const MAX_DEPTH = 3;
const MAX_REASONS = 20;

let exact: Map<string, string> | undefined;
let forms: Form[] = [];

/** Built on first use: an English window never needs it. */
function read(): Map<string, string> {
  if (exact !== undefined) return exact;
  const all: [string, string][] = Object.entries(said);
  exact = new Map(all.map(([english, text]) => [plain(english), text.replace(/。$/, '')]));
  const literal = (english: string) => english.replaceAll('{}', '').length;
  forms = [...exact]
    .filter(([english]) => english.includes('{}'))
    // More specific patterns come first, because the others may match the same text.
    .toSorted(([a], [b]) => literal(b) - literal(a))
    .map(([english, text]) => ({ parts: english.split('{}'), text }));
  return exact;
}

/** The text between the parts of a pattern; undefined if the text does not match. Searches for each part once. */
function valuesIn(text: string, [first = '', ...rest]: readonly string[]): string[] | undefined {
  // A sentence starts with a capital, a clause does not.
  const begins =
    text.startsWith(first) ||
    (text.charAt(0).toLowerCase() === first.charAt(0) && text.startsWith(first.slice(1), 1));
  if (!begins) return undefined;
  const values: string[] = [];
  let from = first.length;
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const at = isLast ? text.length - part.length : text.indexOf(part, from);
    if (at < from || (isLast && !text.endsWith(part))) return undefined;
    values.push(text.slice(from, at));
    from = at + part.length;
  }
  return values;
}

function asWhole(text: string, depth: number): string | undefined {
  const own = text.replace(/\.$/, '');
  const found = read().get(plain(text));
  const stop = text.endsWith('.') ? '。' : '';
  if (found !== undefined) return found + stop;
  for (const { parts, text: form } of forms) {
    const values = valuesIn(own, parts);
    if (values === undefined) continue;
    let at = 0;
    return form.replaceAll('{}', () => inChinese(values[at++] ?? '', depth)) + stop;
  }
  return undefined;
}

/** A reason or a name within a sentence; unchanged if it is unknown. */
const inChinese = (text: string, depth: number): string =>
  text.trim() === '' || depth === MAX_DEPTH ? text : (translated(text, depth + 1) ?? text);

/**
 * How far to search for a first sentence, in characters, and how many to try: a text may contain a command of any length.
 */
const FIRST_WITHIN = 300;
const MAX_FIRST = 4;

/** A sentence followed by a command and its reason: `Commands can change anything. rm -r build: it deletes files.` */
function afterFirst(text: string, depth: number, left: number): string | undefined {
  if (left === 0) return undefined;
  for (const { index } of text.slice(0, FIRST_WITHIN).matchAll(/(?<=\.)\s+/g)) {
    const first = asWhole(text.slice(0, index), depth);
    if (first === undefined) continue;
    const rest = translated(text.slice(index).trimStart(), depth, left - 1);
    return rest === undefined ? undefined : first + rest;
  }
  return undefined;
}

function translated(text: string, depth = 0, left = MAX_FIRST): string | undefined {
  const whole = asWhole(text, depth) ?? afterFirst(text, depth, left);
  if (whole !== undefined) return whole;
  // `rm -r build: it deletes files.`
  let tried = 0;
  for (let at = text.indexOf(': '); at !== -1 && tried < MAX_REASONS; at = text.indexOf(': ', at + 2)) {
    tried += 1;
    const reason = asWhole(text.slice(at + 2), depth);
    if (reason !== undefined) return `${text.slice(0, at)}：${reason}`;
  }
  const sentences = text.split(/(?<=\.)\s+(?=\p{Lu})/u);
  if (sentences.length < 2) return undefined;
  const each = sentences.map((sentence) => translated(sentence, depth, 0));
  return each.includes(undefined) ? undefined : each.join('');
}

/** A message of the main process in the person's language; undefined without a translation. */
export const knownIn = (language: Language, text: string): string | undefined =>
  language === 'en' ? text : text.length > MAX_SAID ? undefined : translated(text);

/** The same, but unchanged without a translation. */
export const saidIn = (language: Language, text: string): string => knownIn(language, text) ?? text;
