import type { AppSnapshot } from '@contract/app';
import type { AppEvent } from '@contract/events';

/** The app's state after an event. Pure. Events without snapshot state leave it unchanged. */
export function reduceApp(app: AppSnapshot, event: AppEvent): AppSnapshot {
  switch (event.type) {
    case 'project.changed':
      return { ...app, projects: put(app.projects, event.project) };
    case 'project.removed':
      return {
        ...app,
        projects: app.projects.filter((project) => project.id !== event.projectId),
        threads: app.threads.filter((thread) => thread.projectId !== event.projectId),
      };
    case 'summary.changed':
      return { ...app, threads: put(app.threads, event.summary) };
    case 'thread.removed':
      return { ...app, threads: app.threads.filter((thread) => thread.id !== event.threadId) };
    case 'settings.changed':
      return { ...app, settings: event.settings };
    case 'warning.added':
      return { ...app, warnings: [...app.warnings, event.warning] };
    case 'rules.changed':
      return { ...app, rules: event.rules };
    case 'sandbox.changed':
      return { ...app, sandbox: event.sandbox };
    case 'models.changed':
      return { ...app, models: event.models };
    case 'terminal.changed':
      return { ...app, terminals: put(app.terminals, event.terminal) };
    case 'terminal.removed':
      return { ...app, terminals: app.terminals.filter((terminal) => terminal.id !== event.terminalId) };
    case 'files.changed':
    case 'scratch.changed':
    case 'changes.recorded':
    case 'memories.changed':
    case 'memories.copying':
    case 'hooks.changed':
    case 'mcp.changed':
    case 'agents.changed':
    case 'agents.taskChanged':
    case 'places.changed':
    case 'routines.changed':
    case 'updates.changed':
    case 'terminal.data':
    case 'show.thread':
    case 'show.inbox':
    case 'run.action':
    case 'offers.changed':
    case 'show.project':
    case 'show.failure':
    case 'data.progress':
    case 'copies.progress':
      return app;
    default:
      return event satisfies never;
  }
}

function put<T extends { id: string }>(items: T[], item: T): T[] {
  const index = items.findIndex((other) => other.id === item.id);
  return index === -1 ? [...items, item] : items.with(index, item);
}

/** The new state, but with the unchanged parts of the old one, so that only changed parts render again. */
export function changedParts(before: AppSnapshot | undefined, app: AppSnapshot): AppSnapshot {
  if (before === undefined) return app;
  return {
    ...app,
    projects: changed(before.projects, app.projects),
    threads: changed(before.threads, app.threads),
    settings: changed(before.settings, app.settings),
    models: changed(before.models, app.models),
    terminals: changed(before.terminals, app.terminals),
    rules: changed(before.rules, app.rules),
    warnings: changed(before.warnings, app.warnings),
  };
}

const changed = <T>(before: T, now: T): T => (JSON.stringify(before) === JSON.stringify(now) ? before : now);
