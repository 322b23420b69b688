import { HiddenText } from './hidden';
import { Styles } from './looks';
import { attribute, decoded, eachTag, isWhole, named, Skipped } from './xml';

const TYPE = named('type');

/**
 * Text that readers do not see in the current version: what was moved away, and the second form of a drawing, for old
 * programs. Deleted text has an element of its own, which is never read.
 */
const NOT_SHOWN: ReadonlySet<string> = new Set(['w:moveFrom', 'mc:Fallback', 'w:pPrChange', 'w:rPrChange']);

const NO_STYLES = new Styles('');

/**
 * The non-empty paragraphs (`<a:p>` or `<w:p>`), and the rows of tables with tabs between their cells. Text that readers do not
 * see is marked: it may be meant for the model alone. `styles`: Word's styles, which may hide their text.
 */
export function paragraphs(xml: string, prefix: 'a' | 'w', styles = NO_STYLES): string[] {
  const found: string[] = [];
  const hidden = new HiddenText(styles);
  let isMarked = false;
  const skipped = new Skipped(NOT_SHOWN);
  let text = '';
  let tables = 0;
  let isNumber = false;
  const mark = (isHidden: boolean) => {
    if (isHidden !== isMarked) text += isHidden ? '(hidden: ' : ')';
    isMarked = isHidden;
  };
  const add = (words: string) => {
    if (words === '') return;
    mark(hidden.isHere);
    text += words;
  };
  const end = () => {
    mark(false);
    if (text.trim() !== '') found.push(text);
    text = '';
  };
  eachTag(xml, (name, tag, words) => {
    if (skipped.has(name, tag)) return;
    hidden.see(name, tag);
    const plain = name.startsWith(prefix, name.startsWith('/') ? 1 : 0) ? name.replace(`${prefix}:`, '') : '';
    // The number of a slide stands on its notes.
    if (plain === 'fld') isNumber = !isWhole(tag) && attribute(tag, TYPE) === 'slidenum';
    else if (plain === '/fld') isNumber = false;
    else if (plain === 't' || name === 'm:t') add(isNumber ? '' : decoded(words));
    else if (plain === 'tab' || plain === 'ptab') add('\t');
    else if (plain === 'br' || plain === 'cr') add('\n');
    else if (plain === 'noBreakHyphen') add('-');
    else if (plain === 'tbl' && !isWhole(tag)) {
      if (tables === 0) end();
      tables += 1;
    } else if (plain === '/tbl') tables = Math.max(0, tables - 1);
    else if (plain === '/p') {
      mark(false);
      if (tables === 0) end();
      else text += '\n';
    } else if (tables === 1 && plain === '/tc') text = `${withoutLastBreaks(text)}\t`;
    else if (tables === 1 && plain === '/tr') {
      text = text.replace(/\t$/u, '');
      end();
    }
  });
  end();
  return found;
}

/** A regular expression would take quadratic time for breaks that something follows. */
function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}
