import type { HooksState } from '@contract/hooks';
import { ok } from '@contract/result';
import { because } from '@contract/shared/reasons';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ProjectChoice, usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { sampleProject } from '../../testing/samples';
import { HooksSection } from './hooks-section';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

it('says where the file is wrong and what follows, until it is corrected elsewhere', async () => {
  const source = '/home/me/my-api/.deepdesk/hooks.json';
  const why = because('hooks_at_line', {
    line: 4,
    why: [because('hooks_tool_unknown', { hook: 'x', tool: 'edit' })],
  });
  const nothing = { source, text: '', scripts: [], digest: '', hooks: [] };
  let state: HooksState = { ...nothing, phase: 'invalid', why };
  stop = panelHost({ projects: [sampleProject()] }, { 'hooks.list': () => ok(state) }).stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <ProjectChoice first={null}>
        <HooksSection />
      </ProjectChoice>
    ) : null;
  render(<Gate />);
  expect((await screen.findByRole('alert')).textContent).toBe(
    `No hook in ${source} runs until you correct the file. Line 4: “x” names a tool that does not exist: edit.`,
  );
  state = { ...nothing, phase: 'none', why: null };
  fireEvent(window, new Event('focus'));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});
