import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where Linux shows graphics cards: the kernel's drivers, NVIDIA's own, and WSL. */
const CARDS = ['dri', 'nvidiactl', 'dxg'];

/**
 * Whether there may be a graphics card. Without one, Chromium starts a process for it, which fails, and starts again: a third
 * of a second in which a window can be left without any frame.
 */
export const hasGraphicsCard = (devices = '/dev'): boolean =>
  process.platform !== 'linux' || CARDS.some((name) => existsSync(join(devices, name)));
