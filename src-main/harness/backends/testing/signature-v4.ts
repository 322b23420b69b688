import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface S3Key {
  accessKeyId: string;
  secret: string;
}

/** What a server answers if a request's signature (version 4) does not fit its key, content and time; null if it fits. */
export function signatureProblem(request: IncomingMessage, body: Uint8Array, key: S3Key): string | null {
  const { headers } = request;
  const [, accessKeyId, scope = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (accessKeyId === undefined) return 'AccessDenied';
  if (accessKeyId !== key.accessKeyId) return 'InvalidAccessKeyId';
  const time = String(headers['x-amz-date']);
  const hash = String(headers['x-amz-content-sha256']);
  const [day = '', region = '', service = ''] = scope.split('/');
  const signed = names.split(';');
  if (!signed.includes('host') || scope !== `${day}/${region}/s3/aws4_request` || !time.startsWith(day))
    return 'AuthorizationHeaderMalformed';
  const canonical = [
    request.method,
    ...canonicalAddress(request.url ?? '/'),
    ...signed.map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    names,
    hash,
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const signingKey = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${key.secret}`,
  );
  const isContent = hash === 'UNSIGNED-PAYLOAD' || hash === sha256(body);
  return isContent && hmac(signingKey, text).toString('hex') === signature ? null : 'SignatureDoesNotMatch';
}

/** The path as sent, and the query in the order of its names. */
function canonicalAddress(address: string): [path: string, query: string] {
  const [path = '/', query = ''] = address.split('?');
  const pairs = query === '' ? [] : query.split('&').map((pair) => (pair.includes('=') ? pair : `${pair}=`));
  return [path, pairs.toSorted().join('&')];
}

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
