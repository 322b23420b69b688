import type { Mermaid } from 'mermaid';
import type { Drawing } from './diagrams';

/** Maximum UTF-16 units of a source. */
const MAX_SOURCE = 50_000;
/** Pictures use system fonts: they cannot use the fonts of the document. */
const FONT = 'system-ui, "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif';

let loaded: Promise<Mermaid> | undefined;
let next = 1;

/**
 * Draws a diagram and returns it as a picture for an `img`: a picture runs nothing, loads nothing and contains no working
 * links, whatever the source says. Rejects if the source is invalid. Call it for one source at a time, in a process that can
 * be killed: some sources take forever.
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
    // Settings that a source may not override.
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

/** The drawing as a picture with its size, without anything active and without external references. */
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

/** Parses it as XML if it is valid, otherwise as HTML (unclosed line breaks). */
function parse(svg: string): SVGSVGElement | null {
  const xml = new DOMParser().parseFromString(svg, 'image/svg+xml');
  const strict = xml.querySelector('parsererror') === null ? xml.querySelector('svg') : null;
  return strict ?? new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
}

const OUTSIDE = /url\(\s*['"]?(?!#)[^)]*\)/gi;
const isOutside = (value: string) =>
  /url\(\s*['"]?(?!['"]?#)/i.test(value) || /^\s*(javascript|data):/i.test(value);
