import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const published = join(root, 'node_modules/deepagents/dist/index.d.ts');
const ours = join(import.meta.dirname, 'index.ts');

/** What is not there yet. A name that is added here or there leaves this list, or comes on it. */
const MISSING = {
  values: [] as string[],
  types: [] as string[],
};

function exportsOf(program: ts.Program, file: string): { values: string[]; types: string[] } {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} exports nothing`);
  const names = { values: [] as string[], types: [] as string[] };
  for (const symbol of checker.getExportsOfModule(module)) {
    const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    (meant.flags & ts.SymbolFlags.Value ? names.values : names.types).push(symbol.name);
  }
  return names;
}

describe('the names of the published package', () => {
  it('are those of its version, and all but these are here', () => {
    const program = ts.createProgram([published, ours], {
      module: ts.ModuleKind.Preserve,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts'],
      types: ['node'],
      skipLibCheck: true,
      noEmit: true,
    });
    const theirs = exportsOf(program, published);
    const here = exportsOf(program, ours);
    expect([theirs.values.length, theirs.types.length]).toEqual([56, 88]);
    const missing = {
      values: theirs.values.filter((name) => !here.values.includes(name)).sort(),
      types: theirs.types.filter((name) => ![...here.types, ...here.values].includes(name)).sort(),
    };
    expect(missing, 'names of deepagents that are not exported').toEqual(MISSING);
    // The compiler reads the types of both with all that they use.
  }, 300_000);
});
