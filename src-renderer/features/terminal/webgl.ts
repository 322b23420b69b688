import { WebglAddon } from '@xterm/addon-webgl';
import type { Terminal } from '@xterm/xterm';

let hasCard: boolean | undefined;

/**
 * Whether WebGL is drawn by a graphics card. Where software stands in for one, each frame takes a processor tens of
 * milliseconds, which a flood of output then waits for; elements take a tenth of that.
 */
function hasGraphicsCard(): boolean {
  if (hasCard === undefined) {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('webgl2', { failIfMajorPerformanceCaveat: true });
    hasCard = context !== null;
    // Pages may have a few contexts only.
    context?.getExtension('WEBGL_lose_context')?.loseContext();
  }
  return hasCard;
}

/** Draws with the graphics card where there is one; xterm.js draws with elements otherwise, and as right. */
export function drawWithWebgl(terminal: Terminal): void {
  if (!hasGraphicsCard()) return;
  const webgl = new WebglAddon();
  webgl.onContextLoss(() => webgl.dispose());
  try {
    terminal.loadAddon(webgl);
  } catch {
    // No WebGL 2 on this machine: the addon leaves the terminal as it was.
    webgl.dispose();
  }
}
