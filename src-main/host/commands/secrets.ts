import { isSecretPath } from '../../base/secret-paths';
import type { Attachment } from '../../contract/attachments';
import type { Decision } from '../../contract/conversation';
import type { ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { Handlers } from '../../contract/rpc';
import type { SecretsInMessage } from '../../contract/secrets';
import { shownName } from '../../contract/shared/shown-name';
import type { Files } from '../project/files';
import type { ProjectRegistry } from '../project/projects';
import type { SecretService } from '../project/secrets';
import type { Turns } from '../turns/turns';
import type { Confirmations } from '../window/confirmations';
import type { Connection } from '../window/connection';

interface Parts {
  secrets: SecretService;
  turns: Turns;
  projects: ProjectRegistry;
  files: Files;
  confirmations: Confirmations;
}

type SecretCommand = Extract<keyof Handlers<Connection>, `secrets.${string}`>;

/** What the window asks about what is withheld. */
export function secretHandlers(parts: Parts): Pick<Handlers<Connection>, SecretCommand> {
  const { secrets, turns, projects, files } = parts;

  const show = async (threadId: ThreadId, number: number): Promise<Result<{ value: string }>> => {
    const live = turns.thread(threadId);
    if (!live.ok) return live;
    const own = secrets.of(threadId);
    const found = own.find(number);
    if (found === null) return fail('not_found', 'There is no such secret in this thread.');
    if (found.secret.kind === 'own')
      return fail('denied', 'This is one of Deepdesk’s own keys. It is shown nowhere.');
    if (found.value !== undefined) return ok({ value: found.value });
    const project = await projects.present(live.value.state.thread.projectId);
    if (!project.ok) return project;
    const backend = await files.backend(project.value, threadId);
    for (const path of new Set(found.secret.places.flatMap((place) => place.path ?? []))) {
      const { data } = await backend.readRaw(path);
      const content = Array.isArray(data?.content) ? data.content.join('\n') : data?.content;
      if (typeof content === 'string') own.withhold(content, { path });
      const value = own.find(number)?.value;
      if (value !== undefined) return ok({ value });
    }
    return fail(
      'not_found',
      'Deepdesk does not keep the values of secrets, and this one is no longer where it was seen.',
    );
  };

  return {
    'secrets.list': ({ threadId }) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      return ok({ secrets: secrets.of(threadId).list(), guarded: secrets.isGuarded(threadId) });
    },
    'secrets.show': ({ threadId, number }) => show(threadId, number),
    'secrets.allow': ({ threadId, number, allowed }) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      return secrets.of(threadId).allow(number, allowed)
        ? ok({})
        : fail('denied', 'This is one of Deepdesk’s own keys, or is not there any more.');
    },
    'secrets.check': ({ threadId, text, attached = [] }) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      return ok({
        kinds: [
          ...new Set(
            secrets
              .of(threadId)
              .look(text)
              .map(({ kind }) => kind),
          ),
          ...(attached.some((name) => isSecretPath(name)) ? (['file'] as const) : []),
        ],
      });
    },
    'secrets.guard': async ({ projectId, on, confirmed = false }) => {
      const before = projects.get(projectId);
      if (!before.ok) return before;
      if (!on && !confirmed)
        return fail('conflict', 'Secrets of this project would be sent to the model. Confirm it first.');
      if (!on && before.value.secretsShown !== true) {
        const agreed = await parts.confirmations.showSecrets(before.value);
        if (!agreed.ok) return agreed;
      }
      const project = projects.get(projectId);
      if (!project.ok) return project;
      const { secretsShown: _, ...rest } = project.value;
      projects.change(on ? rest : { ...rest, secretsShown: true });
      return ok({});
    },
  };
}

/**
 * What becomes of a message of the person's with likely secrets in it. Errors: `conflict` where they have not said what
 * to do with them.
 */
export function messageText(
  secrets: SecretService,
  threadId: ThreadId,
  text: string,
  decided: SecretsInMessage | undefined,
): Result<string> {
  const own = secrets.of(threadId);
  const found = own.look(text);
  if (found.length === 0) return ok(text);
  const isOwn = found.some(({ kind }) => kind === 'own');
  if (decided === 'withhold' || (decided === 'send' && isOwn)) return ok(own.withhold(text));
  if (decided === 'send') {
    own.allowIn(text);
    return ok(text);
  }
  return fail(
    'conflict',
    'This message has what looks like a secret in it. It was not sent. Take it out, have it withheld, or say that it may be sent.',
  );
}

/**
 * Those of the files of a message that go with it: without a word of the person's none goes whose name says that it holds
 * secrets, and they may have these left out. Errors: `conflict` where they have not said what to do.
 */
export function messageFiles(
  attachments: readonly Attachment[],
  decided: SecretsInMessage | undefined,
): Result<readonly Attachment[]> {
  const secret = attachments.find(({ name }) => isSecretPath(name));
  if (secret === undefined || decided === 'send') return ok(attachments);
  if (decided === 'withhold') return ok(attachments.filter(({ name }) => !isSecretPath(name)));
  return fail(
    'conflict',
    `“${shownName(secret.name)}” may hold passwords or keys. The message was not sent. Take the file off, or say that it may be sent.`,
  );
}

/** A decision without the likely secrets of the words that the agent is told; there, nothing needs one. */
export function withheldAnswer(secrets: SecretService, threadId: ThreadId, decision: Decision): Decision {
  const own = secrets.of(threadId);
  if (decision.type === 'respond') return { ...decision, text: own.withhold(decision.text) };
  if (decision.type === 'reject' && decision.message !== undefined)
    return { ...decision, message: own.withhold(decision.message) };
  return decision;
}
