import { attribute, eachTag, named } from './xml';

/** What decides in Word whether text can be seen. Absent: as in what it is part of. */
export interface Look {
  isHidden?: boolean;
  isTiny?: boolean;
  isWhite?: boolean;
  /** It has a background that is not white. */
  isShaded?: boolean;
}

const VALUE = named('w:val');
const ID = named('w:styleId');
const TYPE = named('w:type');
const DEFAULT = named('w:default');
const FILL = named('w:fill');
const THEME_FILL = named('w:themeFill');
const PATTERN_COLOR = named('w:color');

/** In half points: smaller text is a line at most. */
const MIN_SIZE = 4;

/** How far a style is followed to those that it is based on; they may form a circle. */
const MAX_DEPTH = 20;

const isOff = (value: string | undefined): boolean => /^(?:0|false|off|none)$/iu.test(value ?? '');

/** White, or so near it that nobody sees it on white. */
const isWhite = (color: string | undefined): boolean => /^(?:f[5-9a-f]){3}$/iu.test(color ?? '');

/** What a tag of a style, a run, a paragraph or a table says about the look. */
export function lookIn(name: string, tag: string): Look {
  switch (name) {
    case 'w:vanish':
      return { isHidden: !isOff(attribute(tag, VALUE)) };
    case 'w:sz':
      return { isTiny: Number(attribute(tag, VALUE) ?? MIN_SIZE) < MIN_SIZE };
    case 'w:color':
      return { isWhite: isWhite(attribute(tag, VALUE)) };
    case 'w:highlight':
      return /^(?:none|white)$/u.test(attribute(tag, VALUE) ?? '') ? {} : { isShaded: true };
    case 'w:shd':
      return { isShaded: isShading(tag) };
    default:
      return {};
  }
}

function isShading(tag: string): boolean {
  const fill = attribute(tag, FILL) ?? 'auto';
  if (/^[\da-f]{6}$/iu.test(fill)) return !isWhite(fill);
  if (attribute(tag, THEME_FILL) !== undefined) return true;
  const hasPattern = !/^(?:clear|nil)$/u.test(attribute(tag, VALUE) ?? 'clear');
  return hasPattern && !isWhite(attribute(tag, PATTERN_COLOR));
}

/** The looks of Word's styles, with those of the styles that they are based on. */
export class Styles {
  private readonly own = new Map<string, Look>([['', {}]]);
  private readonly based = new Map<string, string>();
  private standard = '';
  private readonly known = new Map<string, Look>();

  /** `xml`: `word/styles.xml`. */
  constructor(xml: string) {
    let id = '';
    let isTable = false;
    eachTag(xml, (name, tag) => {
      if (name === 'w:style') {
        id = attribute(tag, ID) ?? '';
        isTable = attribute(tag, TYPE) === 'table';
        const isDefault = /^(?:1|true|on)$/u.test(attribute(tag, DEFAULT) ?? '');
        if (isDefault && attribute(tag, TYPE) === 'paragraph') this.standard = id;
      } else if (name === '/w:style') id = '';
      else if (name === 'w:basedOn') this.based.set(id, attribute(tag, VALUE) ?? '');
      else {
        const { isShaded, ...text } = lookIn(name, tag);
        // Which cells the text properties of a table's style are for is not known.
        const look = { ...(isTable ? {} : text), ...(isShaded && { isShaded }) };
        this.own.set(id, { ...this.own.get(id), ...look });
      }
    });
  }

  /** Of a paragraph without a style. */
  get plain(): Look {
    return this.of(this.standard);
  }

  of(style = ''): Look {
    const look = this.known.get(style) ?? this.inherited(style);
    this.known.set(style, look);
    return look;
  }

  private inherited(style: string): Look {
    let look: Look = {};
    let at = style;
    for (let depth = 0; depth < MAX_DEPTH && at !== ''; depth += 1) {
      look = { ...this.own.get(at), ...look };
      at = this.based.get(at) ?? '';
    }
    return { ...this.own.get(''), ...look };
  }
}
