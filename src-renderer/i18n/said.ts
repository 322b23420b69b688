import type { Language } from './translate';
import { known } from './zh/errors';
import { said } from './zh/said';

interface Form {
  pattern: RegExp;
  text: string;
}

/** Sentences begin with a capital and end with a stop, clauses do not; they are the same words. */
const plain = (text: string) => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');

let exact: Map<string, string> | undefined;
let forms: Form[] = [];

/** Made when something is first said: an English window needs none of it. */
function read(): Map<string, string> {
  if (exact !== undefined) return exact;
  const all: [string, string][] = [...Object.entries(known), ...Object.entries(said)];
  exact = new Map(all.map(([english, text]) => [plain(english), text.replace(/。$/, '')]));
  const literal = (english: string) => english.replaceAll('{}', '').length;
  forms = [...exact]
    .filter(([english]) => english.includes('{}'))
    // What says more comes first: the others may match it too.
    .toSorted(([a], [b]) => literal(b) - literal(a))
    .map(([english, text]) => ({ pattern: patternOf(english), text }));
  return exact;
}

function patternOf(english: string): RegExp {
  const parts = english.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const [first = ''] = parts;
  // A name at the beginning keeps its capital.
  const begins = first === '' ? '' : `[${first.charAt(0)}${first.charAt(0).toUpperCase()}]${first.slice(1)}`;
  const isLetter = /^[a-z]/.test(first);
  return new RegExp(`^${[isLetter ? begins : first, ...parts.slice(1)].join('([^]*?)')}$`);
}

function asWhole(text: string): string | undefined {
  const own = text.replace(/\.$/, '');
  const found = read().get(plain(text));
  const stop = text.endsWith('.') ? '。' : '';
  if (found !== undefined) return found + stop;
  for (const { pattern, text: form } of forms) {
    const values = pattern.exec(own)?.slice(1);
    if (values === undefined) continue;
    let at = 0;
    return form.replaceAll('{}', () => inChinese(values[at++] ?? '')) + stop;
  }
  return undefined;
}

/** A reason or a name within a sentence, as it stands where nothing is known of it. */
const inChinese = (text: string): string => (text.trim() === '' ? text : (translated(text) ?? text));

function translated(text: string): string | undefined {
  const whole = asWhole(text);
  if (whole !== undefined) return whole;
  // `rm -r build: it deletes files.`
  for (let at = text.indexOf(': '); at !== -1; at = text.indexOf(': ', at + 2)) {
    const reason = asWhole(text.slice(at + 2));
    if (reason !== undefined) return `${text.slice(0, at)}：${reason}`;
  }
  const sentences = text.split(/(?<=\.)\s+(?=\p{Lu})/u);
  if (sentences.length < 2) return undefined;
  const each = sentences.map(translated);
  return each.includes(undefined) ? undefined : each.join('');
}

/** What the main process says, in the person's language; undefined where there are no words for it. */
export const knownIn = (language: Language, text: string): string | undefined =>
  language === 'en' ? text : translated(text);

/** The same, in its own words where there are no others. */
export const saidIn = (language: Language, text: string): string => knownIn(language, text) ?? text;
