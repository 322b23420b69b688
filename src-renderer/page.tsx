import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { viewName } from './app/views';
import { showLast } from './link';

export { start } from './link';

/** Draws the app in place of the page's first frame: as it was when it was last seen, until the main process can be asked. */
export function draw(): void {
  showLast(viewName(window.name));
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  createRoot(root).render(<App />);
}
