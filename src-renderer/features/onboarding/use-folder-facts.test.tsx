import { ok } from '@contract/result';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, it } from 'vitest';
import { usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { sampleProject } from '../../testing/samples';
import { useFolderFacts } from './use-folder-facts';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

it('ignores empty files, which have nothing to explain, but not for whether the folder is empty', async () => {
  const file = (name: string, size: number) => ({ path: `/${name}`, name, kind: 'file' as const, size });
  const entries = [file('README.md', 0), file('empty.xlsx', 0), file('full.csv', 9)];
  let given = entries;
  stop = panelHost({}, { 'files.list': () => ok({ entries: given, total: 3, nextOffset: null }) }).stop;
  const Facts = () => <p>{JSON.stringify(useFolderFacts(sampleProject()) ?? 'none')}</p>;
  const Gate = () => (usePort().phase === 'ready' ? <Facts /> : null);
  const { unmount } = render(<Gate />);
  await screen.findByText(/"readme":null,"table":"full.csv"/);
  unmount();
  given = entries.slice(0, 2);
  render(<Gate />);
  await screen.findByText(/"table":null.*"isEmpty":false/);
});
