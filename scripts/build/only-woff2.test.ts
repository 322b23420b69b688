import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../process.mjs';
import { onlyWoff2 } from './only-woff2.mjs';

const path = join(root, 'node_modules', 'katex', 'dist', 'katex.min.css');
const sheet = readFileSync(path, 'utf8');

function transformed(code: string, id: string): string {
  const { transform } = onlyWoff2();
  if (typeof transform !== 'function') throw new Error('the plugin transforms nothing');
  return String(Reflect.apply(transform, undefined, [code, id]));
}
const files = (css: string) => [...css.matchAll(/url\(([^)]*)\)/g)].map(([, file = '']) => file);

it('keeps each font of KaTeX once, as WOFF2, and everything else', () => {
  const kept = transformed(sheet, path);
  const fonts = sheet.match(/@font-face/g)?.length ?? 0;
  expect(fonts).toBeGreaterThan(10);
  expect(files(kept)).toEqual(files(sheet).filter((file) => file.endsWith('.woff2')));
  expect(files(kept)).toHaveLength(fonts);
  expect(kept.replaceAll(/src:[^;}]*/g, '')).toBe(sheet.replaceAll(/src:[^;}]*/g, ''));
});

it('keeps a font that has no WOFF2', () => {
  const css = '@font-face{src:url(a.woff) format("woff"),url(a.ttf) format("truetype")}';
  expect(transformed(css, path)).toBe(css);
});
