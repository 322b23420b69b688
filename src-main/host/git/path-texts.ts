import { systemPath, textOfLatin1 } from '../../base/path-names';
import { fail, ok, type Result } from '../../contract/result';

/** The fields of an output with `-z`, in latin1, so that names which are not UTF-8 survive. */
export const fieldsOf = (output: Buffer): string[] => output.toString('latin1').split('\0');

/** A path as everything else in Deepdesk names it. */
export const pathOf = textOfLatin1;

/** Paths for `--pathspec-from-file=- --pathspec-file-nul`, with the bytes that they have on the disk. */
export const pathspecs = (paths: readonly string[]): Buffer =>
  Buffer.concat(paths.flatMap((path) => [Buffer.from(systemPath(path)), Buffer.from('\0')]));

/** A path as an argument. Node can pass UTF-8 only. */
export function argumentOf(path: string): Result<string> {
  const system = systemPath(path);
  return Buffer.isBuffer(system) ? fail('unsupported', 'name_not_utf8') : ok(system);
}
