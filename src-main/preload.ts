import { ipcRenderer } from 'electron';

// The window's only door: the main process sends it a MessagePort, and the page receives that port, nothing else.
ipcRenderer.on('port', (event) => window.postMessage('deepdesk:port', '*', event.ports));
