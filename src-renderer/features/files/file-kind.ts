/** How a file is shown besides as plain text, by its extension. */
export type FileKind =
  | 'markdown'
  | 'image'
  | 'pdf'
  | 'audio'
  | 'video'
  | 'table'
  | 'notebook'
  | 'office'
  | 'text';

const ENDINGS: Readonly<Record<string, FileKind>> = {
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  png: 'image',
  apng: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
  avif: 'image',
  bmp: 'image',
  ico: 'image',
  svg: 'image',
  pdf: 'pdf',
  mp3: 'audio',
  m4a: 'audio',
  aac: 'audio',
  wav: 'audio',
  oga: 'audio',
  ogg: 'audio',
  opus: 'audio',
  flac: 'audio',
  mp4: 'video',
  m4v: 'video',
  mov: 'video',
  webm: 'video',
  ogv: 'video',
  mkv: 'video',
  csv: 'table',
  tsv: 'table',
  ipynb: 'notebook',
  docx: 'office',
  xlsx: 'office',
  pptx: 'office',
  odt: 'office',
};

export function kindOf(path: string): FileKind {
  const ending = /\.([a-z0-9]+)$/iu.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(ENDINGS, ending) ? (ENDINGS[ending] ?? 'text') : 'text';
}

/** Kinds that are text as well, so they can be shown raw and edited. */
export const isText = (path: string): boolean => {
  const kind = kindOf(path);
  return (
    kind === 'text' || kind === 'markdown' || kind === 'table' || kind === 'notebook' || /\.svg$/iu.test(path)
  );
};
