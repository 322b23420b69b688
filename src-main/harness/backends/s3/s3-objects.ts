import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { optional } from '../../../contract/shared/optional';
import { type Failure, failure } from '../failure';
import type { ByteSource } from '../text/page-reader';
import { tooLarge } from '../text/text-file';

/** Maximum number of objects that one request lists or deletes: S3's limit. */
const PAGE = 1_000;

/** Maximum bytes of an object that is held in memory. */
const MAX_HELD = 64 * 1024 * 1024;

/** How often a download is started. */
const ATTEMPTS = 3;

class ObjectTooLarge extends Error {
  constructor(readonly size: number) {
    super(`The object has ${size} bytes.`);
  }
}

export interface ObjectFacts {
  /** The version of a file, without quotes. */
  etag: string;
  /** In bytes. */
  size: number;
  created_at: string;
  modified_at: string;
}

export interface ListedObject {
  key: string;
  size: number;
  modified_at: string;
}

/** What must be true of the existing object for a write to happen. */
export type Condition = { etag: string } | 'absent' | null;

/** The objects of a bucket below a prefix, by key. Throws the client's errors, except for missing objects. */
export class S3Objects {
  constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
  ) {}

  async head(key: string, signal?: AbortSignal): Promise<ObjectFacts | null> {
    try {
      const found = await this.client.send(
        new HeadObjectCommand({ Bucket: this.bucket, Key: key }),
        abortable(signal),
      );
      return factsOf(found, found.ContentLength ?? 0);
    } catch (thrown) {
      return missing(thrown);
    }
  }

  /** An object, or its bytes from 0 up to `upTo` (exclusive). The size is always the full one. */
  async get(
    key: string,
    upTo: number | null,
    signal?: AbortSignal,
  ): Promise<(ObjectFacts & { bytes: Uint8Array }) | null> {
    try {
      const range = upTo === null ? {} : { Range: `bytes=0-${upTo - 1}` };
      const { found, bytes } = await this.download({ Key: key, ...range }, signal);
      const whole = /\/(\d+)$/.exec(found.ContentRange ?? '')?.[1];
      return { ...factsOf(found, whole === undefined ? bytes.length : Number(whole)), bytes };
    } catch (thrown) {
      // An empty object has no range.
      if (upTo !== null && statusOf(thrown) === 416) return this.get(key, null, signal);
      return missing(thrown);
    }
  }

  /** Reads one version of an object in ranges. A read rejects if the object has changed. */
  source(key: string, etag: string, signal?: AbortSignal): ByteSource {
    return {
      read: async (buffer, offset, length, position) => {
        try {
          const { found, bytes } = await this.download(
            { Key: key, Range: `bytes=${position}-${position + length - 1}`, IfMatch: `"${etag}"` },
            signal,
          );
          if (unquoted(found.ETag) !== etag) throw new Error('The object changed while it was read.');
          buffer.set(bytes.subarray(0, length), offset);
          return { bytesRead: Math.min(length, bytes.length) };
        } catch (thrown) {
          if (statusOf(thrown) === 416) return { bytesRead: 0 };
          throw thrown;
        }
      },
    };
  }

  /** The client repeats requests, but not a download that breaks off, so that one starts again here. */
  private async download(asked: { Key: string; Range?: string; IfMatch?: string }, signal?: AbortSignal) {
    for (let attempt = 1; ; attempt++) {
      const found = await this.client.send(
        new GetObjectCommand({ Bucket: this.bucket, ...asked }),
        abortable(signal),
      );
      const length = found.ContentLength ?? 0;
      if (length > MAX_HELD) {
        if (found.Body !== undefined && 'destroy' in found.Body) found.Body.destroy();
        throw new ObjectTooLarge(length);
      }
      try {
        return { found, bytes: (await found.Body?.transformToByteArray()) ?? new Uint8Array() };
      } catch (thrown) {
        if (attempt === ATTEMPTS || signal?.aborted === true) throw thrown;
      }
    }
  }

  /**
   * Puts an object if the condition is met, and returns its new ETag. For servers without conditional writes, it omits the
   * condition.
   */
  async put(
    key: string,
    bytes: Uint8Array,
    facts: { mimeType: string; created_at: string; author: Record<string, string> },
    condition: Condition,
  ): Promise<{ etag: string } | 'changed' | 'gone'> {
    const asked = {
      Bucket: this.bucket,
      Key: key,
      Body: bytes,
      ContentType: facts.mimeType,
      Metadata: { 'created-at': facts.created_at, ...facts.author },
    };
    const conditional =
      condition === null
        ? {}
        : condition === 'absent'
          ? { IfNoneMatch: '*' }
          : { IfMatch: `"${condition.etag}"` };
    try {
      const put = await this.client.send(new PutObjectCommand({ ...asked, ...conditional }));
      return { etag: unquoted(put.ETag) };
    } catch (thrown) {
      const status = condition === null ? null : statusOf(thrown);
      if (status === 412 || status === 409) {
        const now = wasRepeated(thrown) ? await this.get(key, null) : null;
        return now !== null && Buffer.compare(now.bytes, bytes) === 0 ? { etag: now.etag } : 'changed';
      }
      if (status === 404) return 'gone';
      if (status !== 501) throw thrown;
      const put = await this.client.send(new PutObjectCommand(asked));
      return { etag: unquoted(put.ETag) };
    }
  }

  /** Deletes one version of an object. A server without conditional deletes deletes any version. */
  async removeVersion(key: string, etag: string): Promise<'done' | 'changed'> {
    const asked = { Bucket: this.bucket, Key: key };
    try {
      await this.client.send(new DeleteObjectCommand({ ...asked, IfMatch: `"${etag}"` }));
    } catch (thrown) {
      const status = statusOf(thrown);
      if (status === 412 || status === 409)
        return wasRepeated(thrown) && (await this.head(key)) === null ? 'done' : 'changed';
      // Somebody else has deleted it.
      if (status === 404) return 'done';
      if (status !== 501) throw thrown;
      await this.client.send(new DeleteObjectCommand(asked));
    }
    return 'done';
  }

  /** Returns the keys that could not be deleted. */
  async remove(keys: readonly string[]): Promise<string[]> {
    const left: string[] = [];
    for (let from = 0; from < keys.length; from += PAGE) {
      const { Errors = [] } = await this.client.send(
        new DeleteObjectsCommand({
          Bucket: this.bucket,
          Delete: { Objects: keys.slice(from, from + PAGE).map((Key) => ({ Key })), Quiet: true },
        }),
      );
      left.push(...Errors.map(({ Key = '' }) => Key));
    }
    return left;
  }

  /** Pages of the keys that start with a prefix. With a delimiter, deeper keys appear only as folders. */
  async *list(
    prefix: string,
    options: { delimiter?: string; limit?: number; signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<{ objects: ListedObject[]; folders: string[] }> {
    for (let token: string | undefined; ; ) {
      const page = await this.client.send(
        new ListObjectsV2Command({
          Bucket: this.bucket,
          Prefix: prefix,
          MaxKeys: options.limit ?? PAGE,
          ...optional({ Delimiter: options.delimiter, ContinuationToken: token }),
        }),
        abortable(options.signal),
      );
      // Other pages of the web parse as empty answers.
      if (page.IsTruncated === undefined) throw new Error('The answer is no listing of a bucket.');
      yield {
        objects: (page.Contents ?? []).flatMap(({ Key, Size = 0, LastModified }) =>
          // Consoles create empty objects for folders.
          Key === undefined || Key.endsWith('/')
            ? []
            : [{ key: Key, size: Size, modified_at: LastModified?.toISOString() ?? '' }],
        ),
        folders: (page.CommonPrefixes ?? []).flatMap(({ Prefix }) => (Prefix === undefined ? [] : [Prefix])),
      };
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
      if (token === undefined) return;
    }
  }
}

/** Turns what the client threw into a failure. */
export function s3Failure(thrown: unknown, path: string): Failure {
  if (thrown instanceof ObjectTooLarge) return tooLarge(path, thrown.size, MAX_HELD);
  const status = statusOf(thrown);
  const text = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  if (status === 401 || status === 403) return failure('denied', `The bucket refuses '${path}': ${text}`);
  if (status === 503 || status === 429) return failure('rate_limited', `The bucket is busy: ${text}`);
  return failure(
    status === null ? 'network' : 'storage',
    `The bucket could not answer for '${path}': ${text}`,
  );
}

function factsOf(
  found: {
    ETag?: string | undefined;
    LastModified?: Date | undefined;
    Metadata?: Record<string, string> | undefined;
  },
  size: number,
): ObjectFacts {
  // A page of a proxy in between, for example one to sign in.
  if (found.ETag === undefined) throw new Error('The answer is no object of a bucket.');
  const modified_at = found.LastModified?.toISOString() ?? '';
  return {
    etag: unquoted(found.ETag),
    size,
    created_at: found.Metadata?.['created-at'] ?? modified_at,
    modified_at,
  };
}

const unquoted = (etag: string | undefined): string => (etag ?? '').replace(/^"|"$/g, '');

function statusOf(thrown: unknown): number | null {
  return thrown instanceof S3ServiceException ? (thrown.$metadata.httpStatusCode ?? null) : null;
}

/**
 * Whether the client sent a request again. Its first answer may have been lost, and then what the second one found is the
 * change itself.
 */
const wasRepeated = (thrown: unknown): boolean =>
  thrown instanceof S3ServiceException && (thrown.$metadata.attempts ?? 1) > 1;

function missing(thrown: unknown): null {
  if (statusOf(thrown) === 404) return null;
  throw thrown;
}

const abortable = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { abortSignal: signal });
