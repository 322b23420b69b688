import type { S3Client } from '@aws-sdk/client-s3';
import type { PlaceOptions } from '../../contract/places';
import { fail, ok, type Result } from '../../contract/result';
import { optional } from '../../contract/shared/optional';
import type { PlaceKindModule } from './place-kind';

type BucketOptions = Extract<PlaceOptions, { kind: 'bucket' }>;

/** Milliseconds for a connection, and without an answer. */
const CONNECT_LIMIT = 10_000;
const SILENCE_LIMIT = 30_000;
/** A request is repeated if the server is busy or a connection broke. */
const ATTEMPTS = 3;

/** Files in a bucket of S3, or of a server that speaks its protocol. */
export const bucketPlace: PlaceKindModule<'bucket'> = {
  connect: async (options, { secret, signal }) => {
    const at = bucketAt(options);
    if (!at.ok) return at;
    if (options.accessKeyId !== '' && secret === null) return fail('invalid', 'place_bucket_secret');
    // The client loads with the first such place.
    const [{ ListObjectsV2Command }, { S3Backend }] = await Promise.all([
      import('@aws-sdk/client-s3'),
      import('../../harness/backends/s3/s3-backend'),
    ]);
    const client = await clientFor(options, at.value, secret);
    const { bucket } = options;
    const { prefix } = at.value;
    const check = async (abortSignal: AbortSignal): Promise<Result<object>> => {
      try {
        const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 });
        const { IsTruncated } = await client.send(command, { abortSignal });
        // Other pages of the web parse as empty answers.
        return IsTruncated === undefined ? notS3(at.value.host, 'The answer is no listing.') : ok({});
      } catch (thrown) {
        return refusal(options, at.value.host, thrown);
      }
    };
    const close = async () => client.destroy();
    const found = await check(signal);
    if (found.ok) return ok({ backend: new S3Backend({ client, bucket, prefix }), check, close });
    await close();
    return found;
  },
};

interface BucketAddress {
  /** Whom we connect to. */
  host: string;
  /** Absent: Amazon. */
  endpoint?: string;
  /** Empty, or with a slash at its end. */
  prefix: string;
}

/** Checks what the person entered. A region is part of Amazon's host names. */
export function bucketAt({ bucket, region, endpoint, ...options }: BucketOptions): Result<BucketAddress> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(bucket)) return fail('invalid', 'place_bucket_name', { bucket });
  if (!/^[A-Za-z0-9-]+$/.test(region)) return fail('invalid', 'place_bucket_region', { bucket, region });
  const inner = options.prefix.replace(/^\/+|\/+$/g, '');
  const prefix = inner === '' ? '' : `${inner}/`;
  if (endpoint === '') return ok({ host: `s3.${region}.amazonaws.com`, prefix });
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.hostname === '' ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    return fail('invalid', 'place_bucket_endpoint');
  return ok({ host: url.host, endpoint: url.href, prefix });
}

/** Everything is set here, so that neither the environment nor `~/.aws` decides who is asked with which key. */
async function clientFor(
  { region, accessKeyId }: BucketOptions,
  { endpoint }: BucketAddress,
  secret: string | null,
): Promise<S3Client> {
  const { S3Client } = await import('@aws-sdk/client-s3');
  return new S3Client({
    region,
    ...optional({ endpoint }),
    ignoreConfiguredEndpointUrls: true,
    forcePathStyle: endpoint !== undefined,
    ...(accessKeyId === ''
      ? { signer: { sign: async (request) => request } }
      : { credentials: { accessKeyId, secretAccessKey: secret ?? '' } }),
    // Plain bodies, as servers other than Amazon's need them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_LIMIT, socketTimeout: SILENCE_LIMIT },
    maxAttempts: ATTEMPTS,
    retryMode: 'standard',
    defaultsMode: 'standard',
    authSchemePreference: [],
    disableS3ExpressSessionAuth: true,
    sigv4aSigningRegionSet: [region],
    useArnRegion: false,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    userAgentAppId: 'Deepdesk',
  });
}

const WRONG_KEY = ['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'InvalidToken', 'ExpiredToken'];
const WRONG_REGION = [
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
];

const notS3 = (host: string, text: string) => fail('unsupported', 'place_bucket_protocol', { host }, text);

function refusal({ bucket, region }: BucketOptions, host: string, thrown: unknown) {
  const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown));
  const text = message === name ? name : `${name}: ${message}`;
  const status = statusOf(thrown);
  if (WRONG_KEY.includes(name) || status === 401) return fail('denied', 'place_bucket_key', { host }, text);
  if (name === 'RequestTimeTooSkewed') return fail('denied', 'place_bucket_clock', { host }, text);
  if (status === 403) return fail('denied', 'place_bucket_rights', { bucket }, text);
  if (name === 'NoSuchBucket') return fail('not_found', 'place_bucket_none', { bucket }, text);
  if (WRONG_REGION.includes(name) || status === 301)
    return fail('invalid', 'place_bucket_region', { bucket, region }, text);
  // The client reports an answer that it cannot read with its status, and a lost connection without one.
  if (status !== null && status < 500) return notS3(host, text);
  return fail('network', 'place_unreachable', { host }, text);
}

/** The client puts the answer's status on its own errors, even on those of answers that are not XML. */
function statusOf(thrown: unknown): number | null {
  const metadata: unknown = thrown instanceof Error ? Reflect.get(thrown, '$metadata') : undefined;
  const response: unknown = thrown instanceof Error ? Reflect.get(thrown, '$response') : undefined;
  for (const [from, name] of [
    [metadata, 'httpStatusCode'],
    [response, 'statusCode'],
  ] as const) {
    const status: unknown = typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined;
    if (typeof status === 'number') return status;
  }
  return null;
}
