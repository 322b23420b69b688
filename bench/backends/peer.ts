// The published package, loaded only by the processes that measure it.
import { dirname } from 'node:path';
import { rgPath } from '@vscode/ripgrep';

export const published = () => import('deepagents');

/** It takes ripgrep from the path, or does without where there is none. */
export function withRipgrep(there: boolean): void {
  const path = process.env.PATH ?? '';
  process.env.PATH = there ? `${dirname(rgPath)}:${path}` : '/nonexistent';
}

export async function publishedFiles(rootDir: string) {
  const { FilesystemBackend } = await published();
  return new FilesystemBackend({ rootDir, virtualMode: true });
}
