/** The part of s3rver that tests use; it comes without types. */
declare module 's3rver' {
  import type { RequestListener } from 'node:http';

  /** An object that is listed. Metadata has the etag with its quotes. */
  export interface S3Object {
    key: string;
    size: number;
    lastModifiedDate: Date;
    metadata: { etag: string };
  }

  export default class S3rver {
    constructor(options: {
      directory: string;
      silent: boolean;
      allowMismatchedSignatures?: boolean;
      configureBuckets: { name: string; configs: string[] }[];
    });
    callback(): RequestListener;
    configureBuckets(): Promise<unknown>;
    readonly store: {
      deleteObject(bucket: string, key: string): Promise<void>;
      /** All objects below a prefix. */
      listObjects(bucket: string, options: { prefix: string }): Promise<{ objects: S3Object[] }>;
      /** Throws where there is no such object. The etag has its quotes. */
      getMetadata(bucket: string, key: string): Promise<{ etag: string; 'content-length': number }>;
    };
  }
}
