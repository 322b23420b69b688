import { createRoot } from 'react-dom/client';
import { App } from './app/app';

export { start } from './link';

/** Draws the app in place of the page's first frame. */
export function draw(): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  createRoot(root).render(<App />);
}
