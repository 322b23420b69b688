import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ProjectChoice, usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { sampleProject } from '../../testing/samples';
import { ProjectRules } from './project-rules';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

it('says at the pattern of a rule that it is wrong, and focuses it, until a rule is changed', async () => {
  const rule = (glob: string) => ({ effect: 'deny' as const, operations: ['read' as const], glob });
  const project = sampleProject({ pathRules: [rule('src/**'), rule('docs')] });
  let answer = () => fail('invalid', 'place_rule_wrong', { glob: '[a' });
  stop = panelHost(
    { projects: [project] },
    { 'project.setPathRules': () => answer(), 'places.calls': () => ok({ calls: [] }) },
  ).stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <ProjectChoice first={project.id}>
        <ProjectRules />
      </ProjectChoice>
    ) : null;
  render(<Gate />);
  const [first, second] = await screen.findAllByRole('textbox');
  if (!first || !second) throw new Error('There are no rules.');
  const isWrong = () => [first, second].map((field) => field.getAttribute('aria-invalid'));
  const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save rules' }));
  fireEvent.change(second, { target: { value: ' [a ' } });
  save();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe("The pattern “[a” isn't valid. Correct it.");
  expect(second.getAttribute('aria-describedby')).toBe(alert.id);
  expect(isWrong()).toEqual(['false', 'true']);
  await vi.waitFor(() => expect(document.activeElement).toBe(second));
  fireEvent.change(second, { target: { value: 'a' } });
  expect([isWrong(), screen.queryByRole('alert')]).toEqual([['false', 'false'], null]);
  // An error about something else stays with the form.
  answer = () => fail('not_found', 'project_gone');
  save();
  await vi.waitFor(() => expect(screen.queryByRole('alert')).not.toBeNull());
  expect(isWrong()).toEqual(['false', 'false']);
});

it('keeps the rules that the person types when others are saved meanwhile, and says so', async () => {
  const rule = (glob: string) => ({ effect: 'deny' as const, operations: ['read' as const], glob });
  const project = sampleProject({ pathRules: [rule('docs')] });
  const host = panelHost({ projects: [project] }, { 'project.setPathRules': () => ok({}) });
  stop = host.stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <ProjectChoice first={project.id}>
        <ProjectRules />
      </ProjectChoice>
    ) : null;
  render(<Gate />);
  const save = (glob: string) =>
    host.emit({ type: 'project.changed', project: { ...project, pathRules: [rule(glob)] } });
  // What nobody has changed follows.
  await screen.findByDisplayValue('docs');
  save('src');
  const field = await screen.findByDisplayValue('src');
  fireEvent.change(field, { target: { value: 'mine' } });
  save('theirs');
  const note = await screen.findByText(/were changed while you edited them/);
  expect(screen.getByDisplayValue('mine')).toBe(field);
  fireEvent.click(screen.getByRole('button', { name: 'Save rules' }));
  await vi.waitFor(() =>
    expect(host.asked('project.setPathRules')).toEqual([{ projectId: project.id, rules: [rule('mine')] }]),
  );
  save('mine');
  await vi.waitFor(() => expect(note.isConnected).toBe(false));
  fireEvent.change(field, { target: { value: 'other' } });
  save('theirs again');
  fireEvent.click(await screen.findByRole('button', { name: 'Discard mine and show the new ones' }));
  expect(screen.getByDisplayValue('theirs again')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});
