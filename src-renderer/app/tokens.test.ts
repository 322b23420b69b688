import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** The renderer's files with this ending, by path, without tests and strings. */
function sources(ending: RegExp): [path: string, text: string][] {
  return readdirSync(ROOT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/^i18n\/|(^|\/)testing\//.test(relative(ROOT, path)))
    .map((path) => [relative(ROOT, path), readFileSync(path, 'utf8')]);
}

/** Every match, as `path: matched text`. */
const places = (files: [string, string][], what: RegExp): string[] =>
  files.flatMap(([path, text]) => [...text.matchAll(what)].map(([found]) => `${path}: ${found}`));

describe('the visual language', () => {
  const code = sources(/\.tsx?$/);

  it('finds files to check', () => {
    expect(code.length).toBeGreaterThan(150);
    expect(places(code, /\brounded-card\b/g).length).toBeGreaterThan(10);
  });

  it('takes lengths from the scale, so that they follow the text size', () => {
    // `calc()` may compute what is left of the window.
    expect(places(code, /[\w@-]+-\[(?!calc\()[^\]\s]*\d(?:px|rem|em|ch)\b[^\]\s]*\]/g)).toEqual([]);
    expect(places(code, /-\[calc\([^\]\s]*\dpx[^\]\s]*\]/g)).toEqual([]);
    expect(places(code, /\b(?:text|leading|rounded)-\[[^\]]*\]/g)).toEqual([]);
  });

  it('takes colors from the tokens', () => {
    expect(places(code, /\b(?:oklch|oklab|hsla?|rgba?)\(\d/g)).toEqual([]);
    // A color used as a key belongs to a library and is replaced.
    expect(places(code, /['"`\s:]#[0-9a-fA-F]{6}\b(?!['"]\??:)/g)).toEqual([]);
    const css = sources(/\.css$/).filter(([path]) => !/(tokens|palette)\.css$/.test(path));
    expect(places(css, /\b(?:oklch|hsl|rgb)a?\(|#[0-9a-fA-F]{3,8}\b/g)).toEqual([]);
  });

  it('has icons of four sizes; the style sheet sets their stroke', () => {
    expect(places(code, /\bstrokeWidth\b/g)).toEqual([]);
    expect(places(code, /\bsize(?:=\{|: )(?!12\b|14\b|16\b|32\b)\d+/g)).toEqual([]);
  });

  it('uses only the text sizes of its scale', () => {
    expect(places(code, /\b(?:fontSize|lineHeight): ['"][^'"]*px['"]/g)).toEqual([
      // A drawing is a separate picture and scales as a whole.
      "ui/markdown/mermaid.ts: fontSize: '13px'",
    ]);
    const css = sources(/styles\.css$/);
    expect(places(css, /font-size: (?!var\(|calc\(|0\.9em)[^;]*/g)).toEqual([]);
  });
});

type Color = [lightness: number, chroma: number, hue: number];
const modes = ['light', 'dark', 'light, high contrast', 'dark, high contrast'] as const;

/** The colors of each mode, read from tokens.css. */
function palette(mode: (typeof modes)[number]): Map<string, Color> {
  const css = readFileSync(join(ROOT, 'app/tokens.css'), 'utf8');
  const [usual = '', strong = ''] = css.split('[data-high-contrast]');
  const colors = new Map<string, Color>();
  for (const text of mode.endsWith('high contrast') ? [usual, strong] : [usual])
    for (const [, name = '', value = ''] of text.matchAll(/(--[\w-]+): ([^;]+);/g)) {
      const both = [...value.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)/g)];
      const [, l, c, h] = both[mode.startsWith('dark') ? both.length - 1 : 0] ?? [];
      if (l !== undefined) colors.set(name, [Number(l), Number(c), Number(h)]);
    }
  return colors;
}

/** Relative luminance as defined by WCAG, 0 to 1. */
function luminance([lightness, chroma, hue]: Color): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const part = (value: number) => Math.min(1, Math.max(0, value));
  return (
    0.2126 * part(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) +
    0.7152 * part(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) +
    0.0722 * part(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  );
}

function contrast(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const SURFACES = ['--bg', '--bg-raised', '--bg-sunken', '--bg-hover'];
const AA = 4.5;
const AAA = 7;

describe.each(modes)('colors, %s', (mode) => {
  const colors = palette(mode);
  const of = (name: string): Color => colors.get(name) ?? [0, 0, 0];
  const tooWeak = (inks: string[], surfaces: string[], least: number) =>
    inks.flatMap((ink) =>
      surfaces
        .filter((surface) => contrast(of(ink), of(surface)) < least)
        .map((surface) => `${ink} on ${surface}: ${contrast(of(ink), of(surface)).toFixed(2)}`),
    );

  it('are legible on every surface', () => {
    expect(colors.size).toBeGreaterThan(30);
    const least = mode.endsWith('high contrast') ? AAA : AA;
    expect(tooWeak(['--text', '--text-2', '--text-3'], SURFACES, least)).toEqual([]);
  });

  it('are legible as status colors, even on the surface of that status', () => {
    expect(tooWeak(['--accent', '--ok', '--ask-text', '--deny'], SURFACES.slice(0, 3), AA)).toEqual([]);
    expect(tooWeak(['--accent', '--text', '--text-2'], ['--accent-soft'], AA)).toEqual([]);
    expect(tooWeak(['--text', '--ask-text'], ['--ask-soft'], AA)).toEqual([]);
    // Badges.
    expect(tooWeak(['--ok'], ['--add'], AA)).toEqual([]);
    expect(tooWeak(['--text', '--deny'], ['--deny-soft'], AA)).toEqual([]);
    expect(tooWeak(['--on-accent'], ['--accent', '--accent-hover'], AA)).toEqual([]);
  });

  it('are legible in code', () => {
    const ink = [...colors.keys()].filter((name) => name.startsWith('--code-'));
    expect(tooWeak(ink, ['--bg-sunken', '--bg'], AA)).toEqual([]);
  });

  it('are legible in a diff, including its line numbers', () => {
    const ink = ['--text', ...[...colors.keys()].filter((name) => name.startsWith('--code-'))];
    expect(tooWeak(ink, ['--add', '--add-strong', '--del', '--del-strong'], AA)).toEqual([]);
    expect(tooWeak(['--text-3'], ['--add', '--del'], AA)).toEqual([]);
  });
});
