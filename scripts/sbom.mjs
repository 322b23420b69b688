// npm run sbom: the software bill of materials of the app, in dist/deepdesk.cdx.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';
import { ensureBuilt } from './build/app.mjs';
import { manifest } from './installers/project.mjs';
import { shippedBom } from './licenses/sbom.mjs';
import { shippedPackages } from './licenses/shipped.mjs';
import { root, run } from './process.mjs';
import { exitWith } from './runtime/foreground.mjs';

readArguments({ options: {} }, 'npm run sbom');

await exitWith(async () => {
  if (!(await ensureBuilt())) return 1;
  const npm = await run('npm', ['sbom', '--sbom-format=cyclonedx']);
  if (npm.code !== 0) throw new Error(`npm sbom failed:\n${npm.output}`);
  const { name, version, devDependencies } = manifest();
  const bom = shippedBom(JSON.parse(npm.stdout), shippedPackages(), {
    name,
    version,
    electron: devDependencies.electron ?? '',
  });
  const file = join(root, 'dist', 'deepdesk.cdx.json');
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
  console.log(`${file}: ${bom.components.length} components`);
  return 0;
});
