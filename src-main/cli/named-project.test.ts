import { describe, expect, it } from 'vitest';
import type { Project } from '../contract/app';
import { PlaceId, ProjectId } from '../contract/ids';
import { namedProject } from './named-project';

const project = (name: string, mount: string, machine?: string): Project => ({
  id: ProjectId.parse(`${machine}${mount}`),
  name,
  folder: machine === undefined ? mount : '/data/remote/1',
  mount,
  isSample: false,
  missing: false,
  openedAt: 0,
  ...(machine === undefined ? {} : { remote: { placeId: PlaceId.parse('p'), machine } }),
});

describe('a named project', () => {
  const all = [
    project('notes', '/srv/a/notes', 'box'),
    project('notes', '/srv/b/notes', 'box'),
    project('notes', '/home/me/notes', 'server'),
    project('site', '/home/me/site'),
  ];
  const mountOf = (wanted: string) => {
    const found = namedProject(all, wanted);
    return found.ok ? found.value.mount : found.error.code;
  };

  it('is found by its name, its computer, or its folder', () => {
    expect(mountOf('site')).toBe('/home/me/site');
    expect(mountOf('/home/me/site')).toBe('/home/me/site');
    expect(mountOf('notes on server')).toBe('/home/me/notes');
    expect(mountOf('box:/srv/b/notes')).toBe('/srv/b/notes');
    expect(mountOf('nowhere')).toBe('cli_no_project');
  });

  it('is never guessed: the error has the names that tell several apart', () => {
    expect(namedProject(all, 'notes on box')).toMatchObject({
      error: { code: 'cli_projects_named', values: { names: 'box:/srv/a/notes, box:/srv/b/notes' } },
    });
    expect(mountOf('notes')).toBe('cli_projects_named');
  });
});
