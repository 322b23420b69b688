import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../process.mjs';

const MAX_PICTURES = 30;
const MAX_BYTES = 3_000_000;

/** Folders that contain nothing of this repository. */
const NOT_OURS = new Set(['node_modules', 'out', 'dist', 'release', 'gallery', 'test-results']);
const NOT_OURS_EITHER = /^\.out-|^\.git$|^playwright-report$/;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name) || NOT_OURS_EITHER.test(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const files = filesBelow(root);
const documents = files.filter((file) => file.endsWith('.md'));
const pictures = readdirSync(join(root, 'docs/images')).map((name) => join(root, 'docs/images', name));

/** Local files that a document links to or shows. */
function linked(document: string): string[] {
  const links = [
    ...readFileSync(document, 'utf8').matchAll(
      /\]\(([^)\s]+)[^)]*\)|<(?:img|source)[^>]+src(?:set)?="([^"]+)"/g,
    ),
  ];
  return links
    .map(([, link, source]) => (link ?? source ?? '').replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/i.test(target))
    .map((target) => join(dirname(document), decodeURIComponent(target)));
}

describe('pictures', () => {
  it('are few and small', () => {
    expect(pictures.length).toBeLessThanOrEqual(MAX_PICTURES);
    expect(pictures.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('are each shown by a document', () => {
    const shown = new Set(documents.flatMap(linked));
    expect(pictures.filter((file) => !shown.has(file)).map((file) => relative(root, file))).toEqual([]);
  });
});

describe('documents', () => {
  it.each(documents.map((file) => relative(root, file)))('%s has no broken link', (name) => {
    const missing = linked(join(root, name)).filter((file) => !existsSync(file));
    expect(missing.map((file) => relative(root, file))).toEqual([]);
  });
});
