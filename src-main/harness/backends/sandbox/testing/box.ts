import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type LocalBoxOptions, localBox } from '../../testing/local-box';
import { SandboxBackend, type SandboxClient } from '../sandbox';

export const makeFolder = () => mkdtempSync(join(tmpdir(), 'deepdesk-sandbox-'));

export const setUp = (options: LocalBoxOptions = {}) => {
  const root = makeFolder();
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const asked: string[] = [];
  const client = localBox({ ...options, asked });
  return { root, asked, client, backend: new SandboxBackend(client, { root }) };
};

/** A client that records which files were requested. */
export const noting = (client: SandboxClient, moved: string[]): SandboxClient => ({
  ...client,
  uploadFiles: (files) => {
    moved.push(...files.map(([path]) => `up ${path}`));
    return client.uploadFiles(files);
  },
  downloadFiles: (paths) => {
    moved.push(...paths.map((path) => `down ${path}`));
    return client.downloadFiles(paths);
  },
});

export const found = (result: { files?: { path: string }[]; matches?: { path: string }[] }) =>
  (result.files ?? result.matches)?.map((entry) => entry.path);
