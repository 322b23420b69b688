import type { HighlightReply, HighlightRequest, Token } from './highlighter';
import type { Language } from './languages';

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
} satisfies Record<Language, unknown>;

/** Lines longer than this (UTF-16 units) stay plain, because grammars backtrack in them. */
const MAX_LINE = 2_000;

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

/** Maps `--code-token-keyword` to our own variable. A token without a color keeps the color of the text. */
function colorOf(value: string | undefined): string | undefined {
  const name = /--code-token-([a-z-]+)/.exec(value ?? '')?.[1];
  switch (name) {
    case 'keyword':
    case 'string':
    case 'constant':
    case 'function':
    case 'comment':
    case 'parameter':
    case 'punctuation':
    case 'inserted':
    case 'deleted':
    case 'changed':
      return `var(--code-${name})`;
    case 'string-expression':
      return 'var(--code-string)';
    case 'link':
      return 'var(--accent)';
    default:
      return undefined;
  }
}

/** Languages whose rules are compiled. */
const warm = new Set<Language>();

/** Loads the grammar of a language on first use and returns its tokenizer. Nothing is fetched from outside the app. */
async function tokenizerFor(language: Language): Promise<(code: string) => Token[][]> {
  loaded ??= load();
  const highlighter = await loaded;
  await highlighter.loadLanguage(language);
  // The first text compiles most rules of the grammar, which takes far longer than a text: 0.4 s for TypeScript.
  if (!warm.has(language)) highlighter.codeToTokens('x', { lang: language, theme: 'variables' });
  warm.add(language);
  return (code) => {
    const { tokens } = highlighter.codeToTokens(code, {
      lang: language,
      theme: 'variables',
      tokenizeMaxLineLength: MAX_LINE,
      // The worker is terminated if the whole takes too long; the first use of a grammar in a line may well be slow.
      tokenizeTimeLimit: 0,
    });
    return tokens.map((line) =>
      line.map(({ content, color }): Token => {
        const own = colorOf(color);
        return own === undefined ? { text: content } : { text: content, color: own };
      }),
    );
  };
}

/** Lines per message. */
const PART_LINES = 500;

/**
 * Answers a request of the renderer; never rejects. Sends `started` once the grammar is loaded: from then on the time
 * depends on the code alone.
 */
export async function answerHighlight(
  { id, code, language }: HighlightRequest,
  reply: (message: HighlightReply) => void,
): Promise<void> {
  try {
    const tokenize = await tokenizerFor(language);
    reply({ id, kind: 'started' });
    const tokens = tokenize(code);
    for (let line = 0; ; line += PART_LINES) {
      const isLast = line + PART_LINES >= tokens.length;
      reply({ id, kind: isLast ? 'done' : 'part', tokens: tokens.slice(line, line + PART_LINES) });
      if (isLast) break;
    }
  } catch {
    reply({ id, kind: 'failed' });
  }
}
