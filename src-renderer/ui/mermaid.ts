import type { Mermaid } from 'mermaid';
import type { Drawing } from './diagrams';

/** UTF-16 units of a source that is drawn. */
const MAX_SOURCE = 50_000;
/** A picture is drawn with the system's letters: it has none of the page's. */
const FONT = 'system-ui, "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif';

let loaded: Promise<Mermaid> | undefined;
let next = 1;

/**
 * Draws a diagram. It comes back as a picture that is shown by an `img`: what stands in a picture runs nothing, loads
 * nothing and leads nowhere, whatever the source says. Rejects where the source is none. Call one at a time, and where the
 * process can be ended: some sources take for ever.
 */
export async function drawDiagram(source: string, dark: boolean): Promise<Drawing> {
  loaded ??= import('mermaid').then((module) => module.default);
  const mermaid = await loaded;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    suppressErrorRendering: true,
    maxTextSize: MAX_SOURCE,
    theme: dark ? 'dark' : 'neutral',
    fontFamily: FONT,
    themeVariables: { fontFamily: FONT, fontSize: '13px' },
    // What a source may not set for itself.
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'maxTextSize',
      'htmlLabels',
      'flowchart',
      'fontFamily',
      'suppressErrorRendering',
      'themeCSS',
      'dompurifyConfig',
    ],
  });
  const { svg } = await mermaid.render(`diagram-${next++}`, source);
  return pictureOf(svg);
}

/** The drawing without anything that acts or points outside, as a picture with a size of its own. */
export function pictureOf(svg: string): Drawing {
  const parsed = parse(svg);
  if (!parsed) throw new Error('There is no drawing.');
  for (const element of [
    ...parsed.querySelectorAll('script, iframe, object, embed, foreignObject, image, a[target]'),
  ])
    if (element.localName === 'a') element.replaceWith(...element.childNodes);
    else element.remove();
  for (const element of [parsed, ...parsed.querySelectorAll('*')])
    for (const { name, value } of [...element.attributes]) {
      const isLink = /(^|:)href$/i.test(name) && !value.startsWith('#');
      if (/^on/i.test(name) || isLink || isOutside(value)) element.removeAttribute(name);
    }
  for (const style of parsed.querySelectorAll('style'))
    style.textContent = (style.textContent ?? '').replace(/@import[^;]*;?/gi, '').replace(OUTSIDE, 'none');
  const [, , width = 0, height = 0] = (parsed.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  if (!(width > 0 && height > 0)) throw new Error('The drawing has no size.');
  parsed.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  parsed.setAttribute('width', String(Math.ceil(width)));
  parsed.setAttribute('height', String(Math.ceil(height)));
  parsed.removeAttribute('style');
  const text = new XMLSerializer().serializeToString(parsed);
  return {
    source: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`,
    width: Math.ceil(width),
    height: Math.ceil(height),
  };
}

/** As XML where it is some, else as a page reads it (a line break that nothing closes). */
function parse(svg: string): SVGSVGElement | null {
  const xml = new DOMParser().parseFromString(svg, 'image/svg+xml');
  const strict = xml.querySelector('parsererror') === null ? xml.querySelector('svg') : null;
  return strict ?? new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
}

const OUTSIDE = /url\(\s*['"]?(?!#)[^)]*\)/gi;
const isOutside = (value: string) =>
  /url\(\s*['"]?(?!['"]?#)/i.test(value) || /^\s*(javascript|data):/i.test(value);
