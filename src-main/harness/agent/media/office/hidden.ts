import { attribute, eachTag, isWhole, named } from './xml';

const VALUE = named('w:val');
const ID = named('w:styleId');
const HIDDEN = named('hidden');

const isOff = (value: string | undefined): boolean => /^(?:0|false|off|none)$/iu.test(value ?? '');

/** How far a style is followed to those that it is based on; they may form a circle. */
const MAX_DEPTH = 20;

/** What can be hidden on a slide. */
const SHAPES: ReadonlySet<string> = new Set(['p:sp', 'p:grpSp', 'p:graphicFrame', 'p:pic', 'p:cxnSp']);

/** Follows the tags of a document to where readers see no text: hidden text of Word, and hidden shapes of PowerPoint. */
export class HiddenText {
  private inParagraphStyle = false;
  private isParagraphHidden = false;
  private isRunHidden = false;
  /** Whether each of the open shapes is hidden. */
  private readonly shapes: boolean[] = [];
  private hiddenShapes = 0;

  /** `styles`: Word's styles with hidden text. */
  constructor(private readonly styles: ReadonlySet<string>) {}

  get isHere(): boolean {
    return this.isRunHidden || this.hiddenShapes > 0;
  }

  see(name: string, tag: string): void {
    switch (name) {
      case 'w:p':
        this.isParagraphHidden = false;
        break;
      case 'w:pPr':
      case '/w:pPr':
        this.inParagraphStyle = name === 'w:pPr' && !isWhole(tag);
        break;
      case 'w:pStyle':
        this.isParagraphHidden = this.styles.has(attribute(tag, VALUE) ?? '');
        break;
      case 'w:r':
      case '/w:r':
        this.isRunHidden = name === 'w:r' && this.isParagraphHidden;
        break;
      case 'w:rStyle':
        if (!this.inParagraphStyle) this.isRunHidden ||= this.styles.has(attribute(tag, VALUE) ?? '');
        break;
      case 'w:vanish':
        // Within the properties of a paragraph, it hides only its mark.
        if (!this.inParagraphStyle) this.isRunHidden = !isOff(attribute(tag, VALUE));
        break;
      case 'p:cNvPr':
        if (this.shapes.at(-1) === false && /^(?:1|true)$/u.test(attribute(tag, HIDDEN) ?? '')) {
          this.shapes[this.shapes.length - 1] = true;
          this.hiddenShapes += 1;
        }
        break;
      default:
        if (SHAPES.has(name) && !isWhole(tag)) this.shapes.push(false);
        else if (name.startsWith('/') && SHAPES.has(name.slice(1)) && this.shapes.pop() === true)
          this.hiddenShapes -= 1;
    }
  }
}

/** Ids of Word's styles that hide their text, also by the style that they are based on. */
export function hidingStyles(xml: string): ReadonlySet<string> {
  const vanish = new Map<string, boolean>();
  const based = new Map<string, string>();
  let id = '';
  eachTag(xml, (name, tag) => {
    if (name === 'w:style') id = attribute(tag, ID) ?? '';
    else if (name === '/w:style') id = '';
    else if (id !== '' && name === 'w:basedOn') based.set(id, attribute(tag, VALUE) ?? '');
    else if (id !== '' && name === 'w:vanish') vanish.set(id, !isOff(attribute(tag, VALUE)));
  });
  const isHiding = (style: string): boolean => {
    let at = style;
    for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
      const own = vanish.get(at);
      const base = based.get(at);
      if (own !== undefined || base === undefined) return own ?? false;
      at = base;
    }
    return false;
  };
  return new Set([...vanish.keys(), ...based.keys()].filter(isHiding));
}
