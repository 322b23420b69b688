// Small, so that the page's first frame (index.html) does not wait for all of the app to be read.
import './styles.css';
import { awaitPort } from './link/port';

/** Milliseconds after which the first frame is not waited for: a window that nobody sees draws none. */
const FIRST_FRAME_WITHIN = 100;

const firstFrame = new Promise<void>((drawn) => {
  requestAnimationFrame(() => setTimeout(drawn));
  setTimeout(drawn, FIRST_FRAME_WITHIN);
});
const page = firstFrame.then(() => import('./page'));

// Before anything else: the preload may hand over the port as soon as the page has loaded.
awaitPort(window, (port) => void page.then(({ start }) => start(port)));
void page.then(({ draw }) => draw());
