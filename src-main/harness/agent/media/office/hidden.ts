import { type Look, lookIn, type Styles } from './looks';
import { attribute, isWhole, named } from './xml';

const VALUE = named('w:val');
const HIDDEN = named('hidden');
const SIZE = named('sz');
const COLOR = named('w:color');

/** In hundredths of a point: smaller text is a line at most. */
const MIN_SIZE = 200;

/** What can be hidden on a slide. */
const SHAPES: ReadonlySet<string> = new Set(['p:sp', 'p:grpSp', 'p:graphicFrame', 'p:pic', 'p:cxnSp']);

/** What has a background of its own in Word. That of a text box is not known. */
const CONTAINERS: ReadonlySet<string> = new Set(['w:tbl', 'w:tc', 'w:txbxContent']);

/**
 * Follows the tags of a document to where readers see no text: hidden, white and tiny text of Word, and hidden shapes and tiny text
 * of PowerPoint.
 */
export class HiddenText {
  private place: 'container' | 'paragraph' | 'run' = 'container';
  private paragraph: Look;
  private run: Look = {};
  /** Whether the page, and each of the open containers, has a background that is not white. Undefined: that of the outer one. */
  private readonly backgrounds: (boolean | undefined)[] = [false];
  /** Whether each of the open shapes is hidden. */
  private readonly shapes: boolean[] = [];
  private hiddenShapes = 0;

  constructor(private readonly styles: Styles) {
    this.paragraph = styles.plain;
  }

  get isHere(): boolean {
    const { isHidden, isTiny, isWhite, isShaded } = this.run;
    if (isHidden || isTiny || this.hiddenShapes > 0) return true;
    return isWhite === true && !(isShaded ?? this.backgrounds.findLast((one) => one !== undefined));
  }

  see(name: string, tag: string): void {
    switch (name) {
      case 'w:p':
        this.paragraph = this.styles.plain;
        break;
      case 'w:pPr':
        this.place = isWhole(tag) ? 'container' : 'paragraph';
        break;
      case 'w:pStyle':
        this.paragraph = this.styles.of(attribute(tag, VALUE));
        break;
      case 'w:r':
        this.place = 'run';
        this.run = { ...this.paragraph };
        break;
      case '/w:pPr':
        this.place = 'container';
        break;
      case '/w:r':
        this.place = 'container';
        this.run = {};
        break;
      case 'a:r':
      case '/a:r':
      case 'a:fld':
      case '/a:fld':
        this.run = {};
        break;
      case 'w:rStyle':
        if (this.place === 'run') this.restyle(this.styles.of(attribute(tag, VALUE)));
        break;
      case 'a:rPr':
        this.run.isTiny = Number(attribute(tag, SIZE) ?? MIN_SIZE) < MIN_SIZE;
        break;
      case 'w:tblStyle':
        if (this.styles.of(attribute(tag, VALUE)).isShaded)
          this.backgrounds[this.backgrounds.length - 1] = true;
        break;
      case 'w:background':
        this.backgrounds[0] = lookIn('w:shd', ` w:fill="${attribute(tag, COLOR) ?? ''}"`).isShaded;
        break;
      case 'p:cNvPr':
        if (this.shapes.at(-1) === false && /^(?:1|true)$/u.test(attribute(tag, HIDDEN) ?? '')) {
          this.shapes[this.shapes.length - 1] = true;
          this.hiddenShapes += 1;
        }
        break;
      default:
        this.enter(name, tag);
        this.format(lookIn(name, tag));
    }
  }

  private enter(name: string, tag: string): void {
    const closed = name.startsWith('/') ? name.slice(1) : null;
    if (SHAPES.has(name) && !isWhole(tag)) this.shapes.push(false);
    else if (CONTAINERS.has(name) && !isWhole(tag))
      this.backgrounds.push(name === 'w:txbxContent' ? true : undefined);
    else if (closed !== null && SHAPES.has(closed) && this.shapes.pop() === true) this.hiddenShapes -= 1;
    else if (closed !== null && CONTAINERS.has(closed) && this.backgrounds.length > 1) this.backgrounds.pop();
  }

  private restyle({ isHidden, ...look }: Look): void {
    Object.assign(this.run, look);
    this.run.isHidden ||= isHidden ?? false;
  }

  /** Within the properties of a paragraph, text properties are those of its mark alone. */
  private format(look: Look): void {
    const { isShaded } = look;
    if (this.place === 'run') Object.assign(this.run, look);
    else if (isShaded !== undefined && this.place === 'paragraph')
      this.paragraph = { ...this.paragraph, isShaded };
    else if (isShaded !== undefined) this.backgrounds[this.backgrounds.length - 1] = isShaded;
  }
}
