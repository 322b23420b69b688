// The app inside the assembled runtime: it does what Electron's own default app does for `electron [-r module] <folder>`.
const { existsSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');
const { app } = require('electron');

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

start().catch((error) => {
  process.stderr.write(`The app could not be started: ${error?.stack ?? error}\n`);
  process.exit(1);
});
