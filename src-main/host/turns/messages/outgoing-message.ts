import { isSecretPath } from '../../../base/secret-paths';
import type { Decision } from '../../../contract/approvals';
import type { Attachment } from '../../../contract/attachments';
import type { Output } from '../../../contract/commands';
import type { QueuedMessage } from '../../../contract/conversation';
import type { ThreadId } from '../../../contract/ids';
import { fail, ok, type Result } from '../../../contract/result';
import type { SecretsInMessage } from '../../../contract/secrets';
import { shownName } from '../../../contract/shared/shown-name';
import type { SecretService } from '../../project/access/secrets';
import type { AttachmentStore } from '../../threads/attachments';
import type { Outbox } from '../../window/outbox';
import type { ReadyRuns } from '../run/ready-runs';
import type { Turns } from '../turns';

export interface SendParts {
  turns: Turns;
  ready: ReadyRuns;
  outbox: Outbox;
  secrets: SecretService;
  attachments: AttachmentStore;
}

/** Sends or queues a message of the person after everything in it was checked. */
export async function sendMessage(
  { turns, ready, outbox, ...parts }: SendParts,
  message: {
    threadId: ThreadId;
    text: string;
    attachments?: readonly Attachment[] | undefined;
    when?: QueuedMessage['when'] | undefined;
    secrets?: SecretsInMessage | undefined;
  },
): Promise<Result<Output<'thread.send'>>> {
  const { threadId, text, attachments = [], when, secrets } = message;
  const isReady = ready.check(threadId);
  const said = messageText(parts.secrets, threadId, text, secrets);
  if (!said.ok) return said;
  const files = messageFiles(attachments, secrets);
  if (!files.ok) return files;
  const checked = await checkMessage(parts.attachments, threadId, text, files.value);
  if (!checked.ok) return checked;
  // The request goes first; then the windows draw.
  if (isReady) outbox.hold();
  const sent = turns.send(threadId, said.value, when, files.value);
  // No request follows yet.
  if (!sent.ok || sent.value.queued) outbox.release();
  return sent;
}

/** Applies the person's choice to likely secrets in their message. Errors: `conflict` if they have not chosen yet. */
export function messageText(
  secrets: SecretService,
  threadId: ThreadId,
  text: string,
  decided: SecretsInMessage | undefined,
): Result<string> {
  const own = secrets.of(threadId);
  const found = own.detect(text);
  if (found.length === 0) return ok(text);
  const isOwn = found.some(({ kind }) => kind === 'own');
  if (decided === 'redact' || (decided === 'send' && isOwn)) return ok(own.redact(text));
  if (decided === 'send') {
    own.allowIn(text);
    return ok(text);
  }
  return fail('conflict', 'message_with_secret');
}

/**
 * The files to send with a message. A file whose name suggests secrets is sent only with the person's consent, optionally
 * redacted. Errors: `conflict` if they have not chosen yet.
 */
export function messageFiles(
  attachments: readonly Attachment[],
  decided: SecretsInMessage | undefined,
): Result<readonly Attachment[]> {
  const secret = attachments.find(({ name }) => isSecretPath(name));
  if (secret === undefined || decided === 'send') return ok(attachments);
  if (decided === 'redact') return ok(attachments.filter(({ name }) => !isSecretPath(name)));
  return fail('conflict', 'attachment_with_secret', { name: shownName(secret.name) });
}

/** Redacts likely secrets in a decision's text for the agent, which never needs one. */
export function redactAnswer(secrets: SecretService, threadId: ThreadId, decision: Decision): Decision {
  const own = secrets.of(threadId);
  if (decision.type === 'respond') return { ...decision, text: own.redact(decision.text) };
  if (decision.type === 'reject' && decision.message !== undefined)
    return { ...decision, message: own.redact(decision.message) };
  return decision;
}

/** Errors: `not_found` if a file is no longer stored, `invalid` for an empty message. */
async function checkMessage(
  store: AttachmentStore,
  threadId: ThreadId,
  text: string,
  attachments: readonly Attachment[],
): Promise<Result<Record<string, never>>> {
  if (text.trim() === '' && attachments.length === 0) return fail('invalid', 'message_empty');
  for (const { id, name } of attachments) {
    if ((await store.read(threadId, id)) === null) return fail('not_found', 'attachment_not_kept', { name });
  }
  return ok({});
}
