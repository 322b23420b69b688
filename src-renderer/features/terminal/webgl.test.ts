import { Terminal } from '@xterm/xterm';
import { afterEach, expect, it, vi } from 'vitest';

const { getContext } = HTMLCanvasElement.prototype;
/** No type of a context fits what a test hands out. */
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

/** What is loaded into two terminals, and what was asked of canvases meanwhile, where these have such a context. */
async function drawTwo(context: object | null) {
  const asked: unknown[] = [];
  answerCanvases((kind, options) => {
    // xterm.js has canvases of its own, for colours.
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

it('leaves drawing to elements where software stands in for a graphics card', async () => {
  expect(await drawTwo(null)).toEqual({
    loaded: [],
    asked: [{ failIfMajorPerformanceCaveat: true }],
  });
});

it('draws with a graphics card, and gives back the context by which it found it', async () => {
  const loseContext = vi.fn();
  const { loaded } = await drawTwo({ getExtension: () => ({ loseContext }) });
  expect(loaded).toHaveLength(2);
  expect(loseContext).toHaveBeenCalledTimes(1);
});
