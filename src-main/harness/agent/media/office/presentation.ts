import { type Files, relations, type TextLimit } from './archive';
import { paragraphs } from './paragraphs';
import { attribute, decoded, eachTag, named } from './xml';

const RELATION = named('r:id');
const SHOWN = named('show');

/** In the order of the presentation, with diagrams, speaker notes and comments below their slide. Hidden ones say so. */
export function slides(files: Files, limit: TextLimit): string[] {
  const targets = relations(files, 'ppt/presentation.xml');
  const read = new Map<string, string>();
  const found: string[] = [];
  eachTag(files.get('ppt/presentation.xml') ?? '', (name, tag) => {
    const id = name === 'p:sldId' ? attribute(tag, RELATION) : undefined;
    if (id === undefined) return;
    const file = targets.get(id) ?? '';
    const slide = read.get(file) ?? slideText(files, file, limit);
    read.set(file, slide);
    limit.add(slide.length + 1);
    found.push(slide);
  });
  return found;
}

function slideText(files: Files, name: string, limit: TextLimit): string {
  const textOf = (file: string) => {
    const text = paragraphs(files.get(file) ?? '', 'a').join('\n');
    limit.add(text.length);
    return text;
  };
  const targets = [...new Set(relations(files, name).values())];
  const below = (folder: string) => targets.filter((target) => target.startsWith(`ppt/${folder}/`));
  const diagrams = below('diagrams').filter((target) => /\/data\d*\.xml$/u.test(target));
  const notes = below('notesSlides').map((target) => ['Notes', textOf(target)] as const);
  const comments = below('comments').map(
    (target) => ['Comments', textOf(target) || plainComments(files.get(target) ?? '')] as const,
  );
  const more = [...notes, ...comments].filter(([, text]) => text.trim() !== '');
  const text = [textOf(name), ...diagrams.map(textOf), ...more.map(([label, text]) => `${label}: ${text}`)]
    .filter((text) => text !== '')
    .join('\n')
    .trim();
  return isHidden(files.get(name) ?? '') ? `(hidden slide)\n${text}`.trim() : text;
}

function isHidden(xml: string): boolean {
  let isHidden = false;
  eachTag(xml, (name, tag) => {
    if (name === 'p:sld') isHidden = /^(?:0|false)$/u.test(attribute(tag, SHOWN) ?? '');
  });
  return isHidden;
}

/** Comments as older versions of PowerPoint save them. */
function plainComments(xml: string): string {
  const found: string[] = [];
  eachTag(xml, (name, _tag, words) => {
    if (name === 'p:text' && words.trim() !== '') found.push(decoded(words));
  });
  return found.join('\n');
}
