/** Bytes at the end of an Ogg file that contain the start of its last page. */
const OGG_TAIL = 128 * 1024;

/** Seconds of an audio or video file, if the first few fields of its container say so; null if not. */
export function durationOf(bytes: Uint8Array, mimeType: string): number | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const seconds = read(view, mimeType);
    return seconds !== null && Number.isFinite(seconds) && seconds > 0 ? seconds : null;
  } catch (error) {
    // A field past the end of the file.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function read(bytes: Buffer, mimeType: string): number | null {
  switch (mimeType) {
    case 'audio/wav':
      return wav(bytes);
    case 'audio/flac':
      return flac(bytes);
    case 'audio/ogg':
      return ogg(bytes);
    case 'audio/aiff':
      return aiff(bytes);
    case 'video/x-msvideo':
      return avi(bytes);
    case 'video/mp4':
    case 'video/quicktime':
    case 'video/3gpp':
    case 'audio/mp4':
      return movie(bytes);
    default:
      return null;
  }
}

function wav(bytes: Buffer): number | null {
  let rate = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const id = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    if (id === 'fmt ') rate = bytes.readUInt32LE(at + 16);
    if (id === 'data') return rate === 0 ? null : Math.min(length, bytes.length - at - 8) / rate;
    at += 8 + length + (length % 2);
  }
  return null;
}

function flac(bytes: Buffer): number | null {
  const rate = bytes.readUIntBE(18, 3) >> 4;
  const samples = (bytes.readUInt8(21) & 0x0f) * 2 ** 32 + bytes.readUInt32BE(22);
  return rate === 0 ? null : samples / rate;
}

function ogg(bytes: Buffer): number | null {
  const last = bytes.lastIndexOf('OggS');
  if (last < 0 || last < bytes.length - OGG_TAIL) return null;
  const samples = Number(bytes.readBigInt64LE(last + 6));
  // Opus counts in units of 1/48,000 s, whatever the recording's sample rate.
  if (bytes.subarray(0, 128).includes('OpusHead')) return samples / 48_000;
  const vorbis = bytes.subarray(0, 128).indexOf('\x01vorbis');
  return vorbis < 0 ? null : samples / bytes.readUInt32LE(vorbis + 12);
}

function aiff(bytes: Buffer): number | null {
  const at = bytes.indexOf('COMM');
  if (at < 0 || at > 4_096) return null;
  const frames = bytes.readUInt32BE(at + 10);
  // The rate is an 80-bit float. The exponent and the upper part of the mantissa are enough.
  const rate = bytes.readUInt32BE(at + 18) * 2 ** (bytes.readUInt16BE(at + 16) - 16383 - 31);
  return rate === 0 ? null : frames / rate;
}

function avi(bytes: Buffer): number | null {
  const at = bytes.indexOf('avih');
  if (at < 0 || at > 4_096) return null;
  return (bytes.readUInt32LE(at + 8) * bytes.readUInt32LE(at + 24)) / 1_000_000;
}

/** ISO base media: `mvhd` inside the top-level `moov`. */
function movie(bytes: Buffer): number | null {
  for (let at = 0; at + 16 <= bytes.length; ) {
    const short = bytes.readUInt32BE(at);
    const length =
      short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? bytes.length - at : short;
    if (bytes.toString('latin1', at + 4, at + 8) === 'moov') return header(bytes, at, at + length);
    if (length < 8) return null;
    at += length;
  }
  return null;
}

function header(bytes: Buffer, from: number, to: number): number | null {
  const at = bytes.subarray(from, to).indexOf('mvhd');
  if (at < 0) return null;
  const version = bytes.readUInt8(from + at + 4);
  const field = from + at + (version === 1 ? 24 : 16);
  const scale = bytes.readUInt32BE(field);
  const units = version === 1 ? Number(bytes.readBigUInt64BE(field + 4)) : bytes.readUInt32BE(field + 4);
  return scale === 0 ? null : units / scale;
}
