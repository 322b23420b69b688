import { type Failure, failure, isFailure } from '../failure';
import { asDirectory, type CheckedPath, checkFile } from '../paths';
import type { Entry } from '../virtual-tree';
import type { ListedObject } from './s3-objects';

/** Maximum bytes of UTF-8 in a key: S3's limit. */
const MAX_KEY = 1024;

/** Which key of the bucket stands for which path. */
export class S3Keys {
  private readonly prefix: string;

  /** A trailing slash is added to `prefix`. */
  constructor(prefix: string) {
    const relative = prefix.replace(/^\/+/, '');
    this.prefix = relative === '' ? '' : asDirectory(relative);
  }

  /** The path of a file that a key can hold. */
  check(path: unknown): CheckedPath | Failure {
    const at = checkFile(path);
    if (isFailure(at)) return at;
    return Buffer.byteLength(this.of(at)) > MAX_KEY
      ? failure(
          'invalid',
          `Path is too long for a bucket (at most ${MAX_KEY} bytes): ${at.path.slice(0, 80)}…`,
        )
      : at;
  }

  of(at: CheckedPath): string {
    return this.at(at.path);
  }

  at(path: string): string {
    return `${this.prefix}${path.slice(1)}`;
  }

  /** The prefix of all keys below a path. */
  below(at: CheckedPath): string {
    return at.path === '/' ? this.prefix : asDirectory(this.of(at));
  }

  path(key: string): string {
    return `/${key.slice(this.prefix.length)}`;
  }

  entry({ key, size, modified_at }: ListedObject): Entry {
    return { path: this.path(key), size, modified_at };
  }
}
