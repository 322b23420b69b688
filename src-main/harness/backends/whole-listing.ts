import type { BackendProtocol, FileInfo, LsOptions, LsResult } from './protocol';

/**
 * All entries directly below a directory, whatever a backend lists at once: for who filters or adds to a listing before
 * it is cut. `truncated` where the backend cannot say where to go on.
 */
export async function wholeListing(
  backend: BackendProtocol,
  path: string,
  { limit: _, offset: __, ...call }: LsOptions,
): Promise<LsResult> {
  const files: FileInfo[] = [];
  for (let offset = 0; ; ) {
    const page = await backend.ls(path, { ...call, offset });
    if (page.error !== undefined) return page;
    for (const file of page.files ?? []) files.push(file);
    const next = page.nextOffset;
    if (next === undefined || next <= offset) return page.truncated ? { files, truncated: true } : { files };
    offset = next;
  }
}
