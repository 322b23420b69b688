import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { commands } from './commands';
import { AppEvent, ThreadEvent } from './events';

/** Source text of all non-test files of the window. */
function sources(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\./.test(entry.name))
    .filter((entry) => !entry.parentPath.includes('testing'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

// The dead-code check cannot see names in strings.
it('has a caller in the window for each command', () => {
  const text = sources(join(import.meta.dirname, '../../src-renderer'));
  expect(Object.keys(commands).filter((name) => !text.includes(`'${name}'`))).toEqual([]);
});

const prefixOf = (name: string) => name.slice(0, name.indexOf('.'));

/** The files in a subfolder, one per prefix, with their exports. */
async function prefixFiles(folder: 'commands' | 'events') {
  const place = join(import.meta.dirname, folder);
  const files = readdirSync(place).filter((file) => file !== 'index.ts');
  return Promise.all(
    files.map(async (file) => {
      const exported: Record<string, unknown> = await import(/* @vite-ignore */ join(place, file));
      return { prefix: file.replace(/\.ts$/, ''), exported };
    }),
  );
}

it('keeps the commands of each prefix in the file with that name', async () => {
  const files = await prefixFiles('commands');
  const held = files.flatMap(({ prefix, exported }) => Object.keys(exported[`${prefix}Commands`] ?? {}));
  expect(held.sort()).toEqual(Object.keys(commands).sort());
  for (const { prefix, exported } of files)
    expect([...new Set(Object.keys(exported[`${prefix}Commands`] ?? {}).map(prefixOf))]).toEqual([prefix]);
});

// The types detect missing and extra handlers, but not one that overrides another.
it('has one handler for each command, in the file of its prefix in the host', () => {
  const folder = join(import.meta.dirname, '../host/commands');
  const files = readdirSync(folder).filter((file) => file !== 'index.ts' && !file.endsWith('.test.ts'));
  const handled = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return [...text.matchAll(/'([a-z]+)\.(\w+)':/g)].map(([, prefix, name]) => {
      expect(`${prefix}.ts`).toBe(file);
      return `${prefix}.${name}`;
    });
  });
  expect(handled.sort()).toEqual(Object.keys(commands).sort());
});

it('keeps the events of each prefix in the file with that name', async () => {
  const nameOf = (event: { shape: { type: { value: string } } }) => event.shape.type.value;
  const files = await prefixFiles('events');
  const held = files.map(({ prefix, exported }) => ({
    prefix,
    names: Object.values(exported).flatMap((events) => (Array.isArray(events) ? events.map(nameOf) : [])),
  }));
  const all = [...ThreadEvent.options, ...AppEvent.options].map(nameOf);
  expect(held.flatMap(({ names }) => names).sort()).toEqual(all.sort());
  for (const { prefix, names } of held) expect([...new Set(names.map(prefixOf))]).toEqual([prefix]);
});

// security.md section 4, 13: a project's folder comes from the system's dialog or from saved data.
it("does not let the renderer choose a project's folder [renderer 13]", () => {
  const ofProjects = Object.entries(commands).filter(([name]) => name.startsWith('project.'));
  expect(ofProjects.length).toBeGreaterThan(8);
  const valid = {
    projectId: 'p1',
    name: 'n',
    mode: 'plan',
    on: true,
    before: null,
    id: 'o1',
    open: true,
    rules: [],
  };
  const taken = ofProjects.filter(([, { input }]) => {
    if (!(input instanceof z.ZodObject)) throw new Error('arguments are an object');
    const own = Object.fromEntries(Object.entries(valid).filter(([key]) => key in input.shape));
    if (!input.safeParse(own).success) throw new Error('the sample of arguments is out of date');
    return ['folder', 'path', 'mount', 'folders'].some(
      (key) => key in input.shape || input.safeParse({ ...own, [key]: '/etc' }).success,
    );
  });
  expect(taken).toEqual([]);
});
