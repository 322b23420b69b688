import { ProjectId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { usePort } from '../../link';
import { giveElementsSize } from '../../testing/layout';
import { panelHost } from '../../testing/panel-host';
import { FileText } from './file-text';
import { PAGE_LINES } from './lines';
import { forgetReadingPlaces } from './reading-place';
import { useFile } from './use-file';

giveElementsSize();
// A virtual list scrolls no further than the height of its element.
Object.defineProperty(HTMLElement.prototype, 'scrollHeight', { configurable: true, get: () => 1e9 });
// Scrolls immediately and reports it a moment later, as browsers do.
HTMLElement.prototype.scrollTo = function scrollTo(to?: number | ScrollToOptions) {
  this.scrollTop = typeof to === 'object' ? (to.top ?? 0) : 0;
  queueMicrotask(() => this.dispatchEvent(new Event('scroll')));
};
const LINES = 16_700_000;
/** The largest height that a browser can lay out, in pixels. */
const MAX_HEIGHT = 33_554_432;
let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
  forgetReadingPlaces();
  document.documentElement.style.removeProperty('--font-scale');
});

const text = (line: number) => `the text of ${line}`;

/** A file whose end is unknown until a line past it is requested, as with a file of a gigabyte. */
function open(goTo: { line: number }, found?: { line: number }) {
  let isCounted = false;
  const host = panelHost(
    {},
    {
      'files.read': ({ path, offset, limit }) => {
        if (offset >= LINES) {
          isCounted = true;
          return fail('invalid', 'external', { text: `There is no line ${offset + 1}.` });
        }
        const end = Math.min(LINES, offset + limit);
        return ok({
          path,
          kind: 'text',
          mimeType: 'text/plain',
          size: 1.1e9,
          lines: Array.from({ length: end - offset }, (_, at) => text(offset + at + 1)),
          offset,
          totalLines: isCounted ? LINES : null,
          nextOffset: end === LINES ? null : end,
        });
      },
    },
  );
  stop = host.stop;
  const place = { projectId: ProjectId.parse('p'), threadId: null, path: '/home/me/api/huge.log' };
  const Shown = () => {
    const { file, show, reach } = useFile(place.projectId, null, place.path);
    const [asked, setAsked] = useState<{ line: number }>();
    return (
      <>
        <button type="button" onClick={() => setAsked(goTo)}>
          Go
        </button>
        <button type="button" onClick={() => setAsked(found)}>
          Find
        </button>
        {file.phase === 'text' && (
          <FileText
            file={file}
            name="huge.log"
            place={place}
            wrap={false}
            onShow={show}
            onReach={reach}
            goTo={asked}
          />
        )}
      </>
    );
  };
  const Tabs = () => {
    const [isShown, setShown] = useState(true);
    return (
      <>
        <button type="button" onClick={() => setShown((before) => !before)}>
          Switch
        </button>
        {isShown && <Shown />}
      </>
    );
  };
  const Gate = () => (usePort().phase === 'ready' ? <Tabs /> : null);
  render(<Gate />);
  return host;
}

const go = async () => {
  await screen.findByText(text(1));
  fireEvent.click(screen.getByRole('button', { name: 'Go' }));
};
const height = () => {
  const box = screen.getByRole('document').firstElementChild;
  return box instanceof HTMLElement ? Number.parseInt(box.style.height, 10) : 0;
};

it('goes to a line far beyond what was read, and reads only the lines around it', async () => {
  const host = open({ line: 14_999_999 });
  await go();
  await screen.findByText(text(15_000_000));
  const offsets = host.asked('files.read').map((input) => (input as { offset: number }).offset);
  expect(offsets.length).toBeLessThan(8);
  expect(offsets).toContain(15_000_000 - PAGE_LINES);
  expect(height()).toBeLessThan(MAX_HEIGHT);
});

it('goes to the last line if the file has fewer lines', async () => {
  open({ line: 99_999_999 });
  await go();
  await screen.findByText(text(LINES));
  expect(height()).toBeLessThan(MAX_HEIGHT);
});

it('stays at the match when the search ends', async () => {
  open({ line: 100 }, { line: 400 });
  await go();
  await screen.findByText(text(101));
  fireEvent.click(screen.getByRole('button', { name: 'Find' }));
  await screen.findByText(text(401));
  // The target from before the search applies again.
  fireEvent.click(screen.getByRole('button', { name: 'Go' }));
  await new Promise(requestAnimationFrame);
  expect(screen.getByText(text(401))).toBeDefined();
  expect(screen.queryByText(text(101))).toBeNull();
});

it('scales the line height with the text size', async () => {
  document.documentElement.style.setProperty('--font-scale', '1.5');
  open({ line: 0 });
  await waitFor(() => expect(screen.getByText(text(1)).parentElement?.style.height).toBe('30px'));
});

const scrollTo = (line: number) => {
  const element = screen.getByRole('document');
  element.scrollTop = (line - 1) * 20;
  fireEvent.scroll(element);
};
const switchTab = () => fireEvent.click(screen.getByRole('button', { name: 'Switch' }));

it('is shown again at the line where it was left, without reading all lines above', async () => {
  const host = open({ line: 7_000_000 });
  await go();
  await screen.findByText(text(7_000_001));
  switchTab();
  const before = host.asked('files.read').length;
  switchTab();
  await screen.findByText(text(7_000_001));
  expect(host.asked('files.read').length - before).toBeLessThan(8);
});

it('is shown again where the person scrolled to after a link had opened it', async () => {
  open({ line: 100 });
  await go();
  await screen.findByText(text(101));
  scrollTo(400);
  await screen.findByText(text(400));
  switchTab();
  switchTab();
  await screen.findByText(text(400));
  expect(screen.queryByText(text(101))).toBeNull();
});
