// The app inside the assembled runtime: it does what Electron's default app does for `electron [-r module] <folder>`. It is
// an ES module awaited to its end. Electron becomes ready only after that, so an app can still do what must happen earlier
// (registering a scheme).
import { existsSync, readFileSync } from 'node:fs';
import Module from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const preloads = [];
let target;
const words = process.argv.slice(1);
while (words.length > 0 && target === undefined) {
  const word = words.shift();
  if (word === '-v' || word === '--version') {
    process.stdout.write(`v${process.versions.electron}\n`);
    process.exit(0);
  } else if (word === '-r' || word === '--require') {
    preloads.push(words.shift());
  } else if (!word.startsWith('-')) {
    target = resolve(word);
  }
}

async function start() {
  if (preloads.length > 0) Module._preloadModules(preloads);
  if (target === undefined) throw new Error('usage: electron [-r module] <folder or file>');
  Object.defineProperty(process, 'defaultApp', { configurable: false, enumerable: true, value: true });
  const manifest = join(target, 'package.json');
  let folder;
  if (existsSync(manifest)) {
    const { name, productName, version, desktopName } = JSON.parse(readFileSync(manifest, 'utf8'));
    if (version) app.setVersion(version);
    app.name = productName || name || app.name;
    app.setDesktopName(desktopName || `${app.name}.desktop`);
    folder = target;
  }
  const main = Module._resolveFilename(target, null, true);
  app.setAppPath(folder ?? dirname(main));
  await import(pathToFileURL(main).href);
}

await start().catch((error) => {
  process.stderr.write(`The app could not be started: ${error?.stack ?? error}\n`);
  process.exit(1);
});
