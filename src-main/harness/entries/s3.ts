/**
 * `@deepdesk/harness/s3`: files in a bucket.
 *
 * @module
 */

export { S3Backend, type S3BackendOptions } from '../backends/s3/s3-backend';
