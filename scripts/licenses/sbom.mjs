// The software bill of materials: what ships with the app, in the CycloneDX format.

/**
 * @typedef {{ 'bom-ref': string, name: string, version: string, [more: string]: unknown }} Component
 * @typedef {{ metadata: { component: Component, [more: string]: unknown }, components: Component[], dependencies: { ref: string, dependsOn?: string[] }[], [more: string]: unknown }} Bom
 */

/**
 * Reduces npm's list, which has every package of the lock file, to those that ship. npm takes them for development packages,
 * because the build bundles them.
 * @param {Bom} all from `npm sbom`
 * @param {{ name: string, version: string }[]} shipped
 * @param {{ name: string, version: string, electron: string }} app
 * @returns {Bom}
 */
export function shippedBom(all, shipped, { name, version, electron }) {
  const wanted = new Set(shipped.map((each) => `${each.name}@${each.version}`));
  const runtime = {
    'bom-ref': `electron@${electron}`,
    type: 'framework',
    name: 'electron',
    version: electron,
    scope: 'required',
    purl: `pkg:npm/electron@${electron}`,
    licenses: [{ license: { id: 'MIT' } }],
  };
  const components = all.components
    .filter((component) => wanted.has(component['bom-ref']))
    .map(({ properties: _, ...component }) => ({ ...component, scope: 'required' }));
  // An aliased package has its alias as its name, and its own name in the reference.
  const listed = new Set(components.map((component) => component['bom-ref']));
  const missing = [...wanted].filter((each) => !listed.has(each));
  if (missing.length > 0) throw new Error(`npm does not list ${missing.join(', ')}`);
  const own = {
    ...all.metadata.component,
    type: 'application',
    name,
    'bom-ref': `${name}@${version}`,
    version,
  };
  const refs = new Set([own, runtime, ...components].map((component) => component['bom-ref']));
  const direct = [runtime['bom-ref'], ...components.map((component) => component['bom-ref'])];
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref) && ref !== own['bom-ref'])
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  return {
    ...all,
    metadata: { ...all.metadata, component: own },
    components: [runtime, ...components],
    // The bundles take code from each of them.
    dependencies: [{ ref: own['bom-ref'], dependsOn: direct }, ...dependencies],
  };
}
