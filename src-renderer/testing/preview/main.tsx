import '../../styles.css';
import { createRoot } from 'react-dom/client';
import { App } from '../../app/app';
import { start } from '../../link';
import { previewHost } from './scenes';

/** Previews the window with the fake host: `?scene=thread&theme=dark&language=zh`. */
const query = new URLSearchParams(location.search);
start(previewHost(query).port);

const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
