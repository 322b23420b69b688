// Matches `, url(x.woff) format("woff")` and the same of TrueType, beside a WOFF2 source.
const OLDER = /,\s*url\([^)]*\)\s*format\("(?:woff|truetype)"\)/g;

/**
 * A Vite plugin that keeps only the WOFF2 source of each font of a package's style sheet. Chromium uses the first source that it
 * can read, so it would never load the others, but each would be a file of the app.
 * @returns {import('vite').Plugin}
 */
export function onlyWoff2() {
  return {
    name: 'only-woff2',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/node_modules\/.*\.css(?:\?|$)/.test(id.replaceAll('\\', '/'))) return null;
      return code.replaceAll(/src:\s*url\([^)]*\)\s*format\("woff2"\)[^;}]*/g, (sources) =>
        sources.replaceAll(OLDER, ''),
      );
    },
  };
}
