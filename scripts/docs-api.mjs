// npm run docs:api [-- FOLDER]: writes a page for each export of @deepdesk/harness from its comments. Default: dist/harness-api.
import { join, relative, resolve } from 'node:path';
import { readArguments, refuse } from './arguments.mjs';
import { ENTRIES } from './build/harness.mjs';
import { root } from './process.mjs';

const USAGE = 'npm run docs:api [-- FOLDER]';
const { positionals } = readArguments({ allowPositionals: true, options: {} }, USAGE);
if (positionals.length > 1) refuse('Name one folder', USAGE);

// After the arguments, because it takes seconds to load.
const { Application } = await import('typedoc');
const harness = join(root, 'src-main', 'harness');
const out = resolve(positionals[0] ?? join(root, 'dist', 'harness-api'));
const app = await Application.bootstrap({
  name: '@deepdesk/harness',
  entryPoints: Object.values(ENTRIES).map((file) => join(harness, file)),
  basePath: harness,
  displayBasePath: harness,
  tsconfig: join(root, 'tsconfig.json'),
  readme: join(harness, 'README.md'),
  excludePrivate: true,
  excludeInternal: true,
  excludeExternals: true,
  disableSources: true,
  githubPages: false,
  logLevel: 'Warn',
  // The texts of the app have several hundred codes. `Reason.code` is one of them.
  intentionallyNotExported: ['ReasonValues'],
  validation: { invalidLink: true, notExported: true, notDocumented: false },
  // A comment of LangChain's that ours inherits.
  externalSymbolLinkMappings: { langchain: { AgentRunStream: '#' } },
  skipErrorChecking: true,
});
const project = await app.convert();
if (project === undefined) throw new Error('The types cannot be read: run npm run check -- types');
app.validate(project);
if (app.logger.warningCount > 0) throw new Error('Comments of the harness have the warnings above.');
await app.generateDocs(project, out);
console.log(relative(root, join(out, 'index.html')));
