/** Maximum pixels of a drawing, maximum length of its longer side, and maximum UTF-16 units of its URL. */
const MAX_PIXELS = 8_000_000;
const MAX_SIDE = 4_096;
const MAX_ADDRESS = 8_000_000;
/** Output pixels per pixel of the file, so that it stays sharp when enlarged. */
const SHARPEST = 4;

/**
 * Rasterizes an SVG file and returns a PNG URL with the number of pixels per CSS pixel. An `img` runs and loads nothing.
 * Rejects if the file is not an SVG. Call it in a process that can be killed: a short file can take forever.
 */
export async function drawVectors(base64: string): Promise<{ url: string; scale: number }> {
  const picture = new Image();
  picture.src = `data:image/svg+xml;base64,${base64}`;
  await picture.decode();
  const { naturalWidth: width, naturalHeight: height } = picture;
  const most = Math.min(MAX_SIDE / Math.max(width, height), Math.sqrt(MAX_PIXELS / (width * height)));
  for (let scale = Math.min(SHARPEST, most); ; scale /= 2) {
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    // This process paints it, which can be killed, and not the process that paints all windows.
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const url = canvas.toDataURL('image/png');
    if (url.length <= MAX_ADDRESS) return { url, scale };
  }
}
