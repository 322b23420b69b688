// The published package, loaded only by the processes that measure it.
import { dirname } from 'node:path';
import { rgPath } from '@vscode/ripgrep';

export const published = () => import('deepagents');

/** It uses ripgrep from the path, or works without it. */
export function withRipgrep(there: boolean): void {
  const path = process.env.PATH ?? '';
  process.env.PATH = there ? `${dirname(rgPath)}:${path}` : '/nonexistent';
}

export async function publishedFiles(rootDir: string) {
  const { FilesystemBackend } = await published();
  return new FilesystemBackend({ rootDir, virtualMode: true });
}
