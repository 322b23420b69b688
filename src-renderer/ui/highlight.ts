import { useEffect, useState } from 'react';

/** One run of characters with one colour; `color` is a CSS value that follows the theme. */
export interface Token {
  text: string;
  color?: string;
}

const grammars = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  ini: () => import('shiki/langs/ini.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  lua: () => import('shiki/langs/lua.mjs'),
  make: () => import('shiki/langs/make.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  powershell: () => import('shiki/langs/powershell.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
};
export type Language = keyof typeof grammars;

/** Endings and the names that people write behind a fence, where they differ from the grammar's. */
const aliases: Record<string, Language> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  console: 'bash',
  h: 'c',
  cc: 'cpp',
  hpp: 'cpp',
  cxx: 'cpp',
  cs: 'csharp',
  dockerfile: 'docker',
  patch: 'diff',
  htm: 'html',
  svg: 'xml',
  conf: 'ini',
  cfg: 'ini',
  properties: 'ini',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsonc: 'json',
  json5: 'json',
  kt: 'kotlin',
  makefile: 'make',
  mk: 'make',
  md: 'markdown',
  mdx: 'markdown',
  ps1: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  scss: 'css',
  less: 'css',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  yml: 'yaml',
  golang: 'go',
  vue: 'html',
};

const isLanguage = (name: string): name is Language => Object.hasOwn(grammars, name);

/** The grammar for a fence's name or a file's ending; undefined where there is none. */
export function languageOf(name: string): Language | undefined {
  const wanted =
    name
      .slice(name.lastIndexOf('.') + 1)
      .split('/')
      .at(-1)
      ?.toLowerCase() ?? '';
  return isLanguage(wanted) ? wanted : Object.hasOwn(aliases, wanted) ? aliases[wanted] : undefined;
}

/** Code longer than this many characters is shown plain: tokenizing would hold the window's thread. */
const MAX_HIGHLIGHTED = 200_000;

const load = async () => {
  const [{ createBundledHighlighter, createCssVariablesTheme }, { createJavaScriptRegexEngine }] =
    await Promise.all([import('shiki/core'), import('shiki/engine/javascript')]);
  const theme = createCssVariablesTheme({ name: 'variables', variablePrefix: '--code-', fontStyle: false });
  const create = createBundledHighlighter({
    langs: grammars,
    themes: { variables: async () => ({ default: theme }) },
    engine: () => createJavaScriptRegexEngine({ forgiving: true }),
  });
  return create({ themes: ['variables'], langs: [] });
};
let loaded: ReturnType<typeof load> | undefined;

/** `--code-token-keyword` to our own variable; what we have no colour for keeps the text's. */
function colourOf(value: string | undefined): string | undefined {
  const name = /--code-token-([a-z-]+)/.exec(value ?? '')?.[1];
  switch (name) {
    case 'keyword':
    case 'string':
    case 'constant':
    case 'function':
    case 'comment':
    case 'parameter':
    case 'punctuation':
      return `var(--code-${name})`;
    case 'string-expression':
      return 'var(--code-string)';
    case 'link':
      return 'var(--accent)';
    default:
      return undefined;
  }
}

/** Lines of coloured tokens. The grammar is loaded on first use; nothing is fetched from outside the app. */
async function highlight(code: string, language: Language): Promise<Token[][]> {
  loaded ??= load();
  const highlighter = await loaded;
  await highlighter.loadLanguage(language);
  const { tokens } = highlighter.codeToTokens(code, { lang: language, theme: 'variables' });
  return tokens.map((line) =>
    line.map(({ content, color }): Token => {
      const own = colourOf(color);
      return own === undefined ? { text: content } : { text: content, color: own };
    }),
  );
}

/** Tokens of `code`, or undefined while they are not there (then show it plain), for no language or very long code. */
export function useHighlight(code: string, language: Language | undefined): Token[][] | undefined {
  const [done, setDone] = useState<{ code: string; tokens: Token[][] }>();
  useEffect(() => {
    if (language === undefined || code.length > MAX_HIGHLIGHTED) return;
    let wanted = true;
    highlight(code, language).then(
      (tokens) => wanted && setDone({ code, tokens }),
      // A grammar that fails leaves the code plain, which is still right.
      () => wanted && setDone(undefined),
    );
    return () => {
      wanted = false;
    };
  }, [code, language]);
  return language !== undefined && done?.code === code ? done.tokens : undefined;
}
