import { expect, it } from 'vitest';
import { shippedBom } from './sbom.mjs';

const component = (name: string, version = '1.0.0') => ({ 'bom-ref': `${name}@${version}`, name, version });
const ALL = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  metadata: { component: { ...component('deepdesk'), type: 'library', name: 'a-folder' } },
  components: [
    { ...component('react'), scope: 'optional', properties: [{ name: 'cdx:npm:package:development' }] },
    component('scheduler'),
    component('vitest'),
    { ...component('@lydell/pty'), name: 'pty' },
    component('react', '2.0.0'),
  ],
  dependencies: [
    { ref: 'deepdesk@1.0.0', dependsOn: ['react@1.0.0', 'vitest@1.0.0'] },
    { ref: 'react@1.0.0', dependsOn: ['scheduler@1.0.0', 'vitest@1.0.0'] },
    { ref: 'vitest@1.0.0', dependsOn: [] },
  ],
};
const APP = { name: 'deepdesk', version: '1.0.0', electron: '45.4.1' };

it('lists what ships with the exact version, and the runtime, and no tool', () => {
  const bom = shippedBom(ALL, [component('react'), component('scheduler'), component('@lydell/pty')], APP);
  expect(bom.components.map((each) => `${each['bom-ref']} ${each.scope}`)).toEqual([
    'electron@45.4.1 required',
    'react@1.0.0 required',
    'scheduler@1.0.0 required',
    '@lydell/pty@1.0.0 required',
  ]);
  expect(JSON.stringify(bom)).not.toMatch(/vitest|development|2\.0\.0/);
  expect(bom.metadata.component).toMatchObject({ type: 'application', name: 'deepdesk' });
  expect(bom.dependencies).toEqual([
    {
      ref: 'deepdesk@1.0.0',
      dependsOn: ['electron@45.4.1', 'react@1.0.0', 'scheduler@1.0.0', '@lydell/pty@1.0.0'],
    },
    { ref: 'react@1.0.0', dependsOn: ['scheduler@1.0.0'] },
  ]);
});

it('refuses to leave out a package that ships', () => {
  expect(() => shippedBom(ALL, [component('react', '3.0.0')], APP)).toThrow('npm does not list react@3.0.0');
});
