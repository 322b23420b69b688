// npm run project: writes the names and addresses of project.json into every file that has them.
import { readArguments } from './arguments.mjs';
import { fillIn } from './installers/fill-in.mjs';
import { placeholders } from './installers/project.mjs';

readArguments({ options: {} }, 'npm run project');

const changed = fillIn();
console.log(changed.length === 0 ? 'nothing to change' : `changed: ${changed.join(', ')}`);
const open = placeholders();
if (open.length > 0) console.log(`project.json still has placeholders: ${open.join(', ')}`);
