import { WebglAddon } from '@xterm/addon-webgl';
import type { Terminal } from '@xterm/xterm';

let hasCard: boolean | undefined;

/**
 * Whether a graphics card runs WebGL. In software, each frame takes a processor tens of milliseconds, and a flood of output
 * waits for it; DOM elements take a tenth of that.
 */
function hasGraphicsCard(): boolean {
  if (hasCard === undefined) {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('webgl2', { failIfMajorPerformanceCaveat: true });
    hasCard = context !== null;
    // A page can have only a few contexts.
    context?.getExtension('WEBGL_lose_context')?.loseContext();
  }
  return hasCard;
}

/** Draws with the graphics card if there is one. Otherwise xterm.js draws with DOM elements, just as correctly. */
export function drawWithWebgl(terminal: Terminal): void {
  if (!hasGraphicsCard()) return;
  const webgl = new WebglAddon();
  webgl.onContextLoss(() => webgl.dispose());
  try {
    terminal.loadAddon(webgl);
  } catch {
    // Without WebGL 2, the addon leaves the terminal unchanged.
    webgl.dispose();
  }
}
