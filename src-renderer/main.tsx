import './styles.css';
import { createRoot } from 'react-dom/client';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(<h1 className="p-4 text-lg">Deepdesk</h1>);
