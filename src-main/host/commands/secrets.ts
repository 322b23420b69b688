import { isSecretPath } from '../../base/secret-paths';
import type { ProjectId, ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { SecretService } from '../project/access/secrets';
import type { Files } from '../project/files/files';
import type { ProjectRegistry } from '../project/projects';
import type { OpenThreads } from '../threads/live-threads';
import type { Confirmations } from '../window/confirmations';
import type { Connection } from '../window/connection';

interface Parts {
  secrets: SecretService;
  turns: OpenThreads;
  projects: ProjectRegistry;
  files: Files;
  confirmations: Confirmations;
}

export function secretsHandlers(parts: Parts): HandlersOf<'secrets', Connection> {
  const { secrets, turns } = parts;
  return {
    'secrets.list': ({ threadId }) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      return ok({ secrets: secrets.of(threadId).list(), guarded: secrets.isGuarded(threadId) });
    },
    'secrets.show': ({ threadId, number }) => show(parts, threadId, number),
    'secrets.allow': ({ threadId, number, allowed }) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      return secrets.of(threadId).allow(number, allowed) ? ok({}) : fail('denied', 'own_key_or_gone');
    },
    'secrets.check': ({ threadId, text, attached = [] }) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      const found = secrets.of(threadId).detect(text);
      const hasFile = attached.some((name) => isSecretPath(name));
      return ok({
        kinds: [...new Set(found.map(({ kind }) => kind)), ...(hasFile ? (['file'] as const) : [])],
      });
    },
    'secrets.guard': ({ projectId, on, confirmed = false }) => setGuarded(parts, projectId, on, confirmed),
  };
}

/** The value of a secret: from memory, else from the file that contained it. */
async function show(
  { secrets, turns, projects, files }: Parts,
  threadId: ThreadId,
  number: number,
): Promise<Result<{ value: string }>> {
  const live = turns.thread(threadId);
  if (!live.ok) return live;
  const own = secrets.of(threadId);
  const found = own.find(number);
  if (found === null) return fail('not_found', 'no_such_secret');
  if (found.secret.kind === 'own') return fail('denied', 'own_key');
  if (found.value !== undefined) return ok({ value: found.value });
  const project = await projects.present(live.value.state.thread.projectId);
  if (!project.ok) return project;
  const backend = await files.backend(project.value, threadId);
  for (const path of new Set(found.secret.places.flatMap((place) => place.path ?? []))) {
    const { data } = await backend.readRaw(path);
    const content = Array.isArray(data?.content) ? data.content.join('\n') : data?.content;
    if (typeof content === 'string') own.redact(content, { path });
    const value = own.find(number)?.value;
    if (value !== undefined) return ok({ value });
  }
  return fail('not_found', 'secret_value_gone');
}

async function setGuarded(
  { projects, confirmations }: Parts,
  projectId: ProjectId,
  on: boolean,
  confirmed: boolean,
): Promise<Result<Record<string, never>>> {
  const before = projects.get(projectId);
  if (!before.ok) return before;
  if (!on && !confirmed) return fail('conflict', 'secrets_need_confirmation');
  if (!on && before.value.secretsShown !== true) {
    const agreed = await confirmations.showSecrets(before.value);
    if (!agreed.ok) return agreed;
  }
  const project = projects.listed(projectId);
  if (!project.ok) return project;
  const { secretsShown: _, ...rest } = project.value;
  projects.change(on ? rest : { ...rest, secretsShown: true });
  return ok({});
}
