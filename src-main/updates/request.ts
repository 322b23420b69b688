import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { guardedFetch, REDIRECT_REFUSED } from '../base/network/guarded-fetch';
import { FEED_NAME, type FeedFile, MAX_FEED, SIGNATURE_NAME } from './feed';
import { problem, UpdateProblem } from './problem';

export interface Patience {
  /** Milliseconds in which the server sends less than `LEAST_BYTES`. */
  silence: number;
}
/** A server that sends a byte now and then must not keep a check, and the person, waiting forever. */
const LEAST_BYTES = 32_000;
/** Parts of that time. They are counted, so that a computer that slept or was busy does not take its own pause for the server's. */
const PARTS = 10;
export const PATIENCE: Patience = { silence: 30_000 };

/** Bytes of a signature file, which may have a few signatures. */
const MAX_SIGNATURE = 1_000;
/** Everything that a server learns in addition to the requested address. */
const HEADERS = { 'user-agent': 'Deepdesk', accept: '*/*', 'accept-language': '*' };

interface Request {
  signal: AbortSignal;
  patience: Patience;
}

/** The bytes of the feed and its signature, not verified yet. */
export async function fetchFeed(
  folder: string,
  request: Request,
): Promise<{ bytes: Buffer; signature: string }> {
  const bytes = await small(new URL(FEED_NAME, folder), MAX_FEED, request);
  if (bytes === null) throw problem('update_no_feed');
  const signature = await small(new URL(SIGNATURE_NAME, folder), MAX_SIGNATURE, request);
  if (signature === null) throw problem('update_signature_missing');
  return { bytes, signature: signature.toString('latin1') };
}

/** Null if the server has no such file. */
async function small(url: URL, limit: number, request: Request): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const status = await get(url, request, (chunk) => {
    size += chunk.byteLength;
    if (size > limit) throw problem('update_feed_form');
    chunks.push(chunk);
  });
  return status === 404 ? null : Buffer.concat(chunks);
}

/**
 * Downloads a package to a new file. It reads at most as many bytes as the signed feed says, and ends without an error only
 * if the contents are exactly those of the feed.
 */
export async function download(
  url: URL,
  { size, sha512 }: FeedFile,
  { into, onProgress, ...request }: Request & { into: string; onProgress: (bytes: number) => void },
): Promise<void> {
  const file = await open(into, 'wx', 0o600);
  try {
    const hash = createHash('sha512');
    let written = 0;
    const status = await get(url, request, async (chunk) => {
      written += chunk.byteLength;
      if (written > size) throw problem('update_wrong_size');
      hash.update(chunk);
      await file.writeFile(chunk);
      onProgress(written);
    });
    if (status === 404) throw problem('update_answer', { status });
    if (written !== size) throw problem('update_wrong_size');
    if (hash.digest('base64') !== sha512) throw problem('update_wrong_contents');
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Reads a body in pieces. Returns 200, or 404 without reading. */
async function get(
  url: URL,
  { signal, patience }: Request,
  onChunk: (chunk: Uint8Array) => void | Promise<void>,
): Promise<200 | 404> {
  const silent = new AbortController();
  let parts = 0;
  let sinceRefresh = 0;
  const timer = setInterval(() => {
    parts += 1;
    if (parts >= PARTS) silent.abort();
  }, patience.silence / PARTS);
  try {
    const response = await guardedFetch(url, {
      headers: HEADERS,
      signal: AbortSignal.any([signal, silent.signal]),
    });
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      if (response.status === 404) return 404;
      throw problem('update_answer', { status: response.status });
    }
    for await (const chunk of response.body) {
      sinceRefresh += chunk.byteLength;
      if (sinceRefresh >= LEAST_BYTES) {
        parts = 0;
        sinceRefresh = 0;
      }
      await onChunk(chunk);
    }
    return 200;
  } catch (error) {
    if (silent.signal.aborted && !signal.aborted)
      throw problem('update_too_slow', { seconds: Math.round(patience.silence / 1_000) });
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** What went wrong, for the person. */
export function problemOf(error: unknown): UpdateProblem {
  const chain = causes(error);
  const known = chain.find((one) => one instanceof UpdateProblem);
  if (known !== undefined) return known;
  const text = chain.map((one) => (one instanceof Error ? one.message : String(one))).join(': ');
  if (REDIRECT_REFUSED.test(text)) return problem('update_redirected');
  const code = chain
    .map((one) => (one as { code?: unknown } | null)?.code)
    .find((one) => typeof one === 'string');
  if (code === 'ENOSPC' || code === 'EDQUOT') return problem('update_disk_full');
  if (
    chain.some((one) => one instanceof TypeError) ||
    /^(ECONN|ENOTFOUND|EAI_|ENET|EHOST|ETIMEDOUT|EPIPE|UND_|ERR_TLS|CERT_)/.test(String(code))
  )
    return problem('update_unreachable', { code: String(code ?? 'network') });
  return problem('update_failed', { problem: String(code ?? text).slice(0, 200) });
}

function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one !== undefined && one !== null && chain.length < 8; one = (one as Error).cause)
    chain.push(one);
  return chain;
}
