import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { InlineConfig } from 'vite';

const PROGRAM = join(import.meta.dirname, '../../../scripts/testing/bundle.mjs');

/** Bundles with Vite as the app is bundled. `config` must not have functions. */
export async function bundle(config: InlineConfig): Promise<void> {
  await promisify(execFile)(process.execPath, [PROGRAM, JSON.stringify(config)]);
}

/**
 * Bundles a program without packages that have to be found, once for all processes of a run. Returns the folder, which also
 * is removed with the run.
 */
export async function bundleOnce(name: string, config: Omit<InlineConfig, 'ssr'>): Promise<string> {
  const place = dirname(process.env.DEEPDESK_UNIT_DISK ?? join(tmpdir(), '-'));
  const folder = join(place, `bundle-${name}`);
  if (existsSync(folder)) return folder;
  const outDir = mkdtempSync(join(place, 'bundling-'));
  await bundle({ ...config, ssr: { noExternal: true }, build: { ...config.build, outDir } });
  try {
    renameSync(outDir, folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
    rmSync(outDir, { recursive: true });
  }
  return folder;
}
