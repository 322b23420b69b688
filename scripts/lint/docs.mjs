// Finds what in the documents is no longer true: links, anchors, pictures, paths, npm scripts and labels of the window.
import { dirname, join, normalize } from 'node:path/posix';

/**
 * @typedef {object} Documents
 * @property {ReadonlyMap<string, string>} pages text of each page by its path from the root
 * @property {ReadonlySet<string>} files paths of all files in the repository
 * @property {ReadonlySet<string>} scripts names of package.json
 * @property {ReadonlySet<string>} labels texts of the window in English
 */

const FENCED = /^(```|~~~)[\s\S]*?^\1[^\n]*$/gmu;
const CODE = /`[^`\n]*`/gu;
const LINK = /\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/gu;
const ELSEWHERE = /^[a-z][a-z+.-]*:/iu;
const SCRIPT = /npm run (?:--silent )?([\w:]+(?:-\w+)*)/gu;
const BOLD = /\*\*([^*\n]+)\*\*/gu;
/** A bold phrase that a colon or the end of a sentence follows opens a paragraph, and names nothing in the window. */
const OPENING = /\*\*[^*\n]+(?:[.:?]\*\*|\*\*:)/gu;
/** Words in quotes that begin like a label: not a file name, a variable or a sample value. */
const QUOTED = /"([A-Z][a-z][^"\n]*)"/gu;
/** A path from the root in code, without the name of a recipe, such as `src-main/models/NAME.ts`. */
const PATH =
  /^(?:src-main|src-renderer|scripts|e2e|bench|docs|resources|packaging|\.ci|\.github)\/[\w./*-]+$/u;
const PLACEHOLDER = /(?:^|[/.-])[A-Z]{3,}(?:[/.-]|$)/u;
/** Tables name tests without these endings. */
const ENDINGS = /(?:\.slow|\.servers)?\.(?:test|spec|servers)\.tsx?$/u;
/** Paths in a packaged app, and an example of a rule. */
const OTHER_PATHS = ['resources/app', 'resources/app.asar', 'resources/app.asar.unpacked', 'docs/plan.md'];
/** Between the steps to a label: "Settings, Data" or "Settings → Data". */
const STEP = /, | → /u;

/** The anchor that GitHub gives a heading. @param {string} heading */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** @param {string} text */
const anchorsIn = (text) =>
  new Set(
    [...text.replace(FENCED, '').matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) => anchorOf(heading)),
  );

/** @param {string} from @param {Documents} documents */
function* brokenLinks(from, { pages, files }) {
  const text = (pages.get(from) ?? '').replace(FENCED, '');
  for (const [, inline, attribute] of text.matchAll(LINK)) {
    const link = inline ?? attribute ?? '';
    if (ELSEWHERE.test(link)) continue;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? from : normalize(join(dirname(from), path));
    const folder = `${target.replace(/\/$/u, '')}/`;
    const exists = files.has(target) || [...files].some((file) => file.startsWith(folder));
    if (!exists) yield `${from}: nothing is at ${link}`;
    else if (anchor !== undefined && pages.has(target) && !anchorsIn(pages.get(target) ?? '').has(anchor))
      yield `${from}: ${target} has no heading for #${anchor}`;
  }
}

/** @param {string} from @param {Documents} documents */
function* missingPaths(from, { pages, files }) {
  const text = (pages.get(from) ?? '').replace(FENCED, '');
  for (const [code] of text.matchAll(CODE)) {
    const path = code.slice(1, -1).replace(/\/$/u, '');
    if (!PATH.test(path) || PLACEHOLDER.test(path) || OTHER_PATHS.includes(path)) continue;
    const pattern = path.replace(/[.]/gu, '\\.').replaceAll('*', '[^/]*');
    const isIt = new RegExp(`^${pattern}(?:/|$)`, 'u');
    if (![...files].some((file) => isIt.test(file) || isIt.test(file.replace(ENDINGS, ''))))
      yield `${from}: there is no ${path}`;
  }
}

/** @param {string} from @param {Documents} documents */
function* unknownScripts(from, { pages, scripts }) {
  for (const [, name = ''] of (pages.get(from) ?? '').matchAll(SCRIPT))
    if (!scripts.has(name)) yield `${from}: there is no npm run ${name}`;
}

/** Whether the window can show a text. Its own texts have placeholders. @param {string} text @param {ReadonlySet<string>} labels */
function isShown(text, labels) {
  if (labels.has(text)) return true;
  for (const label of labels)
    if (label.includes('{')) {
      const parts = label.split(/\{\w+\}/u).map((part) => part.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&'));
      if (parts.some((part) => /\p{L}/u.test(part)) && new RegExp(`^${parts.join('.+')}$`, 'u').test(text))
        return true;
    }
  return false;
}

/**
 * Guides write the window's labels in bold or in quotes, other pages only those of the settings.
 * @param {string} from @param {Documents} documents
 */
function* unknownLabels(from, { pages, labels }) {
  const isGuide = from.startsWith('docs/guide/');
  const text = (pages.get(from) ?? '').replace(FENCED, '').replace(CODE, '').replace(OPENING, '');
  for (const [, path = ''] of text.matchAll(BOLD))
    for (const label of isGuide || path.startsWith('Settings → ') ? path.split(STEP) : [])
      if (!labels.has(path) && !isShown(label, labels)) yield `${from}: the window has no "${label}"`;
  if (!isGuide) return;
  for (const [, label = ''] of text.matchAll(QUOTED))
    if (!isShown(label, labels)) yield `${from}: the window has no "${label}"`;
}

/** @param {Documents} documents */
function* unusedPictures({ pages, files }) {
  const all = [...pages.values()].join('\n');
  for (const file of files)
    if (file.startsWith('docs/images/') && !all.includes(file.slice('docs/'.length)))
      yield `${file}: no page shows it`;
}

/** What is wrong, a line each. @param {Documents} documents @returns {string[]} */
export const mistakesIn = (documents) => [
  ...[...documents.pages.keys()].flatMap((page) => [
    ...brokenLinks(page, documents),
    ...missingPaths(page, documents),
    ...unknownScripts(page, documents),
    ...unknownLabels(page, documents),
  ]),
  ...unusedPictures(documents),
];
