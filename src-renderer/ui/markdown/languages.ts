/** Languages with a grammar. */
const LANGUAGES = [
  'bash',
  'c',
  'cpp',
  'csharp',
  'css',
  'diff',
  'docker',
  'go',
  'html',
  'ini',
  'java',
  'javascript',
  'json',
  'jsx',
  'kotlin',
  'lua',
  'make',
  'markdown',
  'php',
  'powershell',
  'python',
  'ruby',
  'rust',
  'sql',
  'swift',
  'toml',
  'tsx',
  'typescript',
  'xml',
  'yaml',
] as const;
export type Language = (typeof LANGUAGES)[number];

/** File extensions and common fence names that differ from the grammar's name. */
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

const known: ReadonlySet<string> = new Set(LANGUAGES);
const isLanguage = (name: string): name is Language => known.has(name);

/** The grammar for a fence name or a file extension; undefined if there is none. */
export function languageOf(name: string): Language | undefined {
  const wanted =
    name
      .slice(name.lastIndexOf('.') + 1)
      .split('/')
      .at(-1)
      ?.toLowerCase() ?? '';
  return isLanguage(wanted) ? wanted : Object.hasOwn(aliases, wanted) ? aliases[wanted] : undefined;
}
