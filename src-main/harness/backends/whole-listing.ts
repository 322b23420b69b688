import type { BackendProtocol, FileInfo, LsOptions, LsResult } from './protocol';

/**
 * All entries directly below a directory, whatever the page size of the backend, for callers that filter or add to a listing
 * before it is cut. `truncated` if the backend cannot say where to continue.
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
