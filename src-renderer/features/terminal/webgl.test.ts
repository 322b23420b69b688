import { Terminal } from '@xterm/xterm';
import { afterEach, expect, it, vi } from 'vitest';

const { getContext } = HTMLCanvasElement.prototype;
/** The test contexts match no type of a real context. */
const answerCanvases = (value: (kind: string, options?: unknown) => unknown) =>
  Object.defineProperty(HTMLCanvasElement.prototype, 'getContext', {
    value,
    configurable: true,
    writable: true,
  });

afterEach(() => {
  answerCanvases(getContext);
  vi.restoreAllMocks();
  vi.resetModules();
});

/** The addons loaded into two terminals, and the contexts that canvases were asked for, if they return the given one. */
async function drawTwo(context: object | null) {
  const asked: unknown[] = [];
  answerCanvases((kind, options) => {
    // xterm.js also uses canvases for colors.
    if (kind !== 'webgl2') return null;
    asked.push(options);
    return context;
  });
  const { drawWithWebgl } = await import('./webgl');
  const loaded: string[] = [];
  for (const terminal of [new Terminal(), new Terminal()]) {
    vi.spyOn(terminal, 'loadAddon').mockImplementation((addon) => void loaded.push(addon.constructor.name));
    drawWithWebgl(terminal);
  }
  return { loaded, asked };
}

it('draws with DOM elements if software emulates the graphics card', async () => {
  expect(await drawTwo(null)).toEqual({
    loaded: [],
    asked: [{ failIfMajorPerformanceCaveat: true }],
  });
});

it('draws with a graphics card, and releases the context that detected it', async () => {
  const loseContext = vi.fn();
  const { loaded } = await drawTwo({ getExtension: () => ({ loseContext }) });
  expect(loaded).toHaveLength(2);
  expect(loseContext).toHaveBeenCalledTimes(1);
});
