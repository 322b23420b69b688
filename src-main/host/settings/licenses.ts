import { parseJson } from '../../base/limited-json';
import { Licenses } from '../../contract/commands/app';

/** Bytes; the texts of 300 packages take 200 KB. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The licenses that the build wrote. None without a build, as in development. */
export async function readLicenses(read: (() => Promise<string>) | null): Promise<Licenses> {
  const text = read === null ? '' : await read().catch(() => '');
  const parsed = parseJson(text, { maxBytes: MAX_BYTES });
  const known = Licenses.safeParse('value' in parsed ? parsed.value : null);
  return known.success ? known.data : { packages: [], texts: [] };
}
