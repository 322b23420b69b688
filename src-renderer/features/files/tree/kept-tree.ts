import type { ProjectId } from '@contract/ids';
import type { Tree } from './tree';

/** More projects than a person goes back to; the one left longest ago is forgotten first. */
const MAX_TREES = 20;

/** A tree as it was left. */
interface KeptTree {
  tree: Tree;
  /** The scroll position in pixels. */
  top: number;
  focusedKey: string | undefined;
  /** The open file, whose row was already scrolled to. */
  openPath: string | undefined;
}

/** The trees that something else was shown in place of, until the window closes. */
const kept = new Map<ProjectId, KeptTree>();

export const keptTree = (projectId: ProjectId): KeptTree | undefined => kept.get(projectId);

/** Forgets closed directories: nothing tells whether they change while the tree is not shown. */
export function keepTree(projectId: ProjectId, { tree, ...rest }: KeptTree): void {
  const { expanded } = tree;
  const listings = new Map([...tree.listings].filter(([path]) => expanded.has(path)));
  kept.delete(projectId);
  kept.set(projectId, { ...rest, tree: { expanded, listings } });
  const [oldest] = kept.keys();
  if (kept.size > MAX_TREES && oldest !== undefined) kept.delete(oldest);
}

/** Opens every tree anew. For tests. */
export const forgetTrees = (): void => kept.clear();
