/** Pixels of a drawing, and on its longer side; UTF-16 units of its address. */
const MAX_PIXELS = 8_000_000;
const LONGEST_SIDE = 4_096;
const MAX_ADDRESS = 8_000_000;
/** Pixels for one of the file's, so that it is sharp when it is shown larger. */
const SHARPEST = 4;

/**
 * Draws an SVG file as pixels: an address of a PNG, with pixels for one CSS pixel. An `img` runs and loads nothing. Rejects
 * where it is none. Call where the process can be ended: a short file can take for ever.
 */
export async function drawVectors(base64: string): Promise<{ url: string; scale: number }> {
  const picture = new Image();
  picture.src = `data:image/svg+xml;base64,${base64}`;
  await picture.decode();
  const { naturalWidth: width, naturalHeight: height } = picture;
  const most = Math.min(LONGEST_SIDE / Math.max(width, height), Math.sqrt(MAX_PIXELS / (width * height)));
  for (let scale = Math.min(SHARPEST, most); ; scale /= 2) {
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    // Painted by this process, which can be ended, and not by the one that paints all windows.
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const url = canvas.toDataURL('image/png');
    if (url.length <= MAX_ADDRESS) return { url, scale };
  }
}
