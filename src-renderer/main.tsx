import './styles.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { awaitPort, start } from './link';

// Before anything is drawn: the preload may hand over the port as soon as the page has loaded.
awaitPort(window, (port) => void start(port));

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(<App />);
