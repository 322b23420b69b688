import { ipcRenderer, webUtils } from 'electron';

// The renderer's only connection: it receives a MessagePort from the main process, and nothing else.
ipcRenderer.on('port', (event) => window.postMessage('deepdesk:port', '*', event.ports));

// Which view the window shows: a key of the page's own storage. A name like this is visible to the page anyway.
const view = process.argv.find((word) => word.startsWith('--deepdesk-view='));
if (view !== undefined) window.name = view.slice(view.indexOf('=') + 1);

// What windows showed of data that is gone, or about to be replaced, is not shown again.
if (process.argv.includes('--deepdesk-new') && location.protocol === 'app:')
  for (const key of Object.keys(localStorage))
    if (key.startsWith('deepdesk:screen')) localStorage.removeItem(key);

// The page's first words are on the screen, and with them the field that one writes in. Drawing them and reading the host want
// the same processors, so the host waits for this.
new PerformanceObserver((painted, observer) => {
  if (painted.getEntriesByName('first-contentful-paint').length === 0) return;
  observer.disconnect();
  ipcRenderer.send('painted');
}).observe({ type: 'paint', buffered: true });

// What a person drops where the page has no other use for it. Where it lies goes to the main process, not to the page,
// which could neither make such an event nor name a path by one.
window.addEventListener('drop', (event) => {
  if (!event.isTrusted || event.defaultPrevented) return;
  const paths = [...(event.dataTransfer?.files ?? [])].map((file) => webUtils.getPathForFile(file));
  if (paths.length > 0) ipcRenderer.send('dropped', paths);
});
