import type { MediaKind } from '../../../contract/shared/media';

export interface Sniffed {
  kind: MediaKind;
  mimeType: string;
}

const latin = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.subarray(from, to)).toString('latin1');

/** Detects a file's type from its first bytes, whatever its name; null if it is not a type that a model may support. */
export function sniff(bytes: Uint8Array): Sniffed | null {
  const head = latin(bytes, 0, 16);
  const found = SIGNATURES.find(([signature]) => head.startsWith(signature));
  if (found !== undefined) return { kind: found[1], mimeType: found[2] };
  if (head.startsWith('RIFF')) return RIFF[head.slice(8, 12)] ?? null;
  if (head.startsWith('FORM') && /^AIF[FC]$/u.test(head.slice(8, 12))) return sound('audio/aiff');
  if (head.slice(4, 8) === 'ftyp') return ofBrand(head.slice(8, 12));
  if (/^(?:moov|mdat|wide|free|skip)$/u.test(head.slice(4, 8))) return video('video/quicktime');
  // A PDF may have a few bytes before its signature.
  if (latin(bytes, 0, 1024).includes('%PDF-')) return { kind: 'file', mimeType: 'application/pdf' };
  return ofFrame(bytes);
}

const sound = (mimeType: string): Sniffed => ({ kind: 'audio', mimeType });
const video = (mimeType: string): Sniffed => ({ kind: 'video', mimeType });
const picture = (mimeType: string): Sniffed => ({ kind: 'image', mimeType });

const SIGNATURES: readonly [signature: string, kind: MediaKind, mimeType: string][] = [
  ['\x89PNG\r\n\x1a\n', 'image', 'image/png'],
  ['\xff\xd8\xff', 'image', 'image/jpeg'],
  ['GIF87a', 'image', 'image/gif'],
  ['GIF89a', 'image', 'image/gif'],
  ['ID3', 'audio', 'audio/mpeg'],
  ['OggS', 'audio', 'audio/ogg'],
  ['fLaC', 'audio', 'audio/flac'],
  ['FLV\x01', 'video', 'video/x-flv'],
  ['\x30\x26\xb2\x75\x8e\x66\xcf\x11', 'video', 'video/x-ms-wmv'],
  ['\x1a\x45\xdf\xa3', 'video', 'video/webm'],
  ['\x00\x00\x01\xba', 'video', 'video/mpeg'],
  ['\x00\x00\x01\xb3', 'video', 'video/mpeg'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'file', 'application/vnd.ms-powerpoint'],
  ['PK\x03\x04', 'file', 'application/zip'],
];

const RIFF: Readonly<Record<string, Sniffed>> = {
  WAVE: sound('audio/wav'),
  'AVI ': video('video/x-msvideo'),
  WEBP: picture('image/webp'),
};

function ofBrand(brand: string): Sniffed {
  if (/^(?:heic|heix|hevc|hevx|heim|heis)$/u.test(brand)) return picture('image/heic');
  if (/^(?:mif1|msf1)$/u.test(brand)) return picture('image/heif');
  if (brand.startsWith('M4A') || brand.startsWith('M4B')) return sound('audio/mp4');
  if (brand.startsWith('3g')) return video('video/3gpp');
  return video(brand === 'qt  ' ? 'video/quicktime' : 'video/mp4');
}

/** Audio without a header: checks the first frame. */
function ofFrame(bytes: Uint8Array): Sniffed | null {
  const [first = 0, second = 0] = bytes;
  if (first !== 0xff) return null;
  if ((second & 0xf6) === 0xf0) return sound('audio/aac');
  // Layer and version of MPEG audio; other values are reserved.
  return (second & 0xe0) === 0xe0 && (second & 0x18) !== 0x08 && (second & 0x06) !== 0
    ? sound('audio/mpeg')
    : null;
}
