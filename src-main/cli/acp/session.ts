import { fileURLToPath } from 'node:url';
import type {
  AvailableCommand,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
  StopReason,
} from '@agentclientprotocol/sdk';
import { providerName } from '../../../src-renderer/i18n/errors';
import { modeText } from '../../../src-renderer/i18n/native';
import type { ModelsState, Project } from '../../contract/app';
import type { Approval, Decision } from '../../contract/approvals';
import type { Attachment } from '../../contract/attachments';
import { ApprovalMode, type RuleMatch } from '../../contract/control';
import type { ThreadState } from '../../contract/conversation';
import type { HostEvent, ThreadEvent } from '../../contract/events';
import { MAX_MESSAGE_LENGTH } from '../../contract/limits';
import { APPROVAL_MODES } from '../../contract/modes';
import type { Client } from '../../contract/rpc';
import type { Question } from '../../contract/shared/questions';
import { reduce } from '../../contract/thread';
import {
  AcpRefusal,
  type AcpSession,
  type Editor,
  EditorGone,
  type PromptPart,
  textContent,
} from '../../harness/acp';
import { failureOf } from '../failure-of';
import { expectOk, refusalOf } from './refusal';
import { askedCall, isOutcomeChoice, optionsOf } from './tool-calls';
import { historyOf, ThreadUpdates } from './updates';

const MODEL_OPTION = 'model';

/** The part of the app that all sessions share. */
export interface AppSide {
  client: Client;
  project(): Project;
  models(): ModelsState;
  /** Ends what the session's editor offered to its thread. */
  forget(): Promise<void>;
}

/** A thread as a session. It follows the thread's events from construction until `close`. */
export class ThreadSession implements AcpSession {
  private readonly listeners = new Set<(event: ThreadEvent) => void>();
  private readonly stopListening: () => void;
  /** Terminals of the editor, by the call that runs there. */
  private readonly terminals = new Map<string, string>();
  private editor: Editor | null = null;
  private tell: (update: SessionUpdate) => void = () => undefined;
  /** The mode that the editor shows. */
  private shownMode: string;

  constructor(
    private readonly app: AppSide,
    private state: ThreadState,
  ) {
    this.shownMode = this.modes().currentModeId;
    this.stopListening = app.client.onEvent((event) => this.receive(event));
  }

  get id(): string {
    return this.state.thread.id;
  }

  async close(): Promise<void> {
    this.stopListening();
    await this.app.forget();
  }

  /** A call runs in a terminal of the editor, which shows its output. */
  readonly terminalOpened = (callId: string, terminalId: string): void => {
    this.terminals.set(callId, terminalId);
    const content = [{ type: 'terminal' as const, terminalId }];
    const status = 'in_progress';
    this.editor?.update({ sessionUpdate: 'tool_call_update', toolCallId: callId, status, content });
  };

  modes(): SessionModeState {
    return {
      currentModeId: this.app.project().mode ?? 'ask-risky',
      availableModes: APPROVAL_MODES.map((id) => ({ id, ...modeText('en', id) })),
    };
  }

  async setMode(modeId: string): Promise<void> {
    const mode = ApprovalMode.safeParse(modeId);
    if (!mode.success) throw new AcpRefusal('invalid', `There is no mode "${modeId.slice(0, 100)}".`);
    const { id } = this.app.project();
    // The person chose it in their editor, which shows this program's text.
    expectOk(await this.app.client.call('project.setMode', { projectId: id, mode: mode.data, loosen: true }));
  }

  options(): SessionConfigOption[] {
    const { model } = this.state.thread;
    const options = this.modelChoices();
    return [
      { type: 'select', id: MODEL_OPTION, name: 'Model', category: 'model', currentValue: model, options },
    ];
  }

  /** The models that are ready to use, and the thread's current one. */
  private modelChoices(): { value: string; name: string; description: string }[] {
    const choices = this.app
      .models()
      .providers.filter(({ ready }) => ready)
      .flatMap(({ id, models }) =>
        models.map((model) => ({
          value: `${id}:${model.name}`,
          name: model.label,
          description: providerName('en', id),
        })),
      );
    const { model } = this.state.thread;
    if (choices.some(({ value }) => value === model)) return choices;
    return [{ value: model, name: model.slice(model.indexOf(':') + 1), description: 'In use' }, ...choices];
  }

  async setOption(optionId: string, value: string): Promise<void> {
    if (optionId !== MODEL_OPTION)
      throw new AcpRefusal('invalid', `There is no option "${optionId.slice(0, 100)}".`);
    if (!this.modelChoices().some((choice) => choice.value === value))
      throw new AcpRefusal(
        'invalid',
        `The model "${value.slice(0, 100)}" is not ready to be used. Set it up in Deepdesk first.`,
      );
    const { id } = this.state.thread;
    expectOk(await this.app.client.call('thread.setModel', { threadId: id, model: value }));
  }

  onChange(update: (update: SessionUpdate) => void): void {
    this.tell = update;
  }

  /** The mode belongs to the project, so another session can change it. */
  private tellMode(): void {
    const { currentModeId } = this.modes();
    if (currentModeId === this.shownMode) return;
    this.shownMode = currentModeId;
    this.tell({ sessionUpdate: 'current_mode_update', currentModeId });
  }

  async commands(): Promise<AvailableCommand[]> {
    const { client } = this.app;
    const found = await client.call('composer.commands', { threadId: this.state.thread.id });
    if (!found.ok) return [];
    return found.value.commands.flatMap((command) =>
      command.kind === 'skill' || command.kind === 'agent'
        ? [{ name: command.name, description: command.description, input: { hint: 'what to do' } }]
        : [],
    );
  }

  history(): SessionUpdate[] {
    return historyOf(this.state);
  }

  async prompt(parts: readonly PromptPart[], editor: Editor, signal: AbortSignal): Promise<StopReason> {
    const { client } = this.app;
    const threadId = this.state.thread.id;
    const message = await this.messageOf(parts);
    const turn = new PromptedTurn(this.app, () => this.state, editor, signal, this.terminals);
    this.editor = editor;
    this.listeners.add(turn.receive);
    const stop = () => {
      if (!(signal.reason instanceof EditorGone)) void client.call('thread.stop', { threadId });
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      expectOk(await client.call('thread.send', { threadId, ...message }));
      if (signal.aborted) stop();
      turn.askAgain();
      return await turn.ended;
    } finally {
      signal.removeEventListener('abort', stop);
      this.listeners.delete(turn.receive);
      this.editor = null;
    }
  }

  private receive(event: HostEvent): void {
    if (event.type === 'project.changed' && event.project.id === this.state.thread.projectId) this.tellMode();
    if (!('threadId' in event && 'seq' in event) || event.threadId !== this.state.thread.id) return;
    this.state = reduce(this.state, event);
    for (const listen of this.listeners) listen(event);
  }

  /** Files become attachments of the thread; resources that are only named become mentions. */
  private async messageOf(
    parts: readonly PromptPart[],
  ): Promise<{ text: string; attachments?: Attachment[] }> {
    const { client, project } = this.app;
    const texts: string[] = [];
    const attachments: Attachment[] = [];
    for (const part of parts) {
      if (part.type === 'text') texts.push(part.text);
      else if (part.type === 'link') texts.push(mentionOf(part.uri, part.name, project().mount));
      else {
        const { name, data } = part;
        const threadId = this.state.thread.id;
        const added = await client.call('attachments.add', { threadId, origin: 'file', name, data });
        attachments.push(expectOk(added));
      }
    }
    const text = texts.join('');
    if (text.length > MAX_MESSAGE_LENGTH) throw new AcpRefusal('invalid', TOO_LONG);
    return { text, ...(attachments.length === 0 ? {} : { attachments }) };
  }
}

const TOO_LONG = `The message is too long. It can have up to ${MAX_MESSAGE_LENGTH.toLocaleString('en')} characters. Attach the text as a file.`;

/** One prompt, from its message to the end of its turn. */
class PromptedTurn {
  readonly ended: Promise<StopReason>;
  private end!: (reason: StopReason) => void;
  private fail!: (error: AcpRefusal) => void;
  private readonly asked = new Set<string>();
  private readonly updates: ThreadUpdates;

  constructor(
    private readonly app: AppSide,
    private readonly state: () => ThreadState,
    private readonly editor: Editor,
    private readonly signal: AbortSignal,
    terminals: ReadonlyMap<string, string>,
  ) {
    this.updates = new ThreadUpdates(terminals);
    this.ended = new Promise((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
    });
    signal.addEventListener('abort', () => signal.reason instanceof EditorGone && this.end('cancelled'));
  }

  readonly receive = (event: ThreadEvent): void => {
    for (const update of this.updates.of(event, this.state())) this.editor.update(update);
    if (event.type === 'approval.requested') this.ask(event.approval);
    if (event.type === 'turn.ended' && !this.startsAnother(event)) this.finish(event);
  };

  /** Asks about approvals that were pending before this prompt, for example after the editor crashed. */
  askAgain(): void {
    for (const approval of this.state().approvals) this.ask(approval);
  }

  /** A message sent while a turn waited joins that turn or starts its own. Kept messages wait for the person. */
  private startsAnother({ reason }: Extract<ThreadEvent, { type: 'turn.ended' }>): boolean {
    const isIdle = reason === 'finished' || reason === 'stopped';
    return isIdle && this.state().queue.some(({ kept }) => kept === undefined);
  }

  private finish(event: Extract<ThreadEvent, { type: 'turn.ended' }>): void {
    if (event.reason === 'stopped') this.end('cancelled');
    else if (event.reason === 'finished') this.end(this.isCut() ? 'max_tokens' : 'end_turn');
    else {
      const failure = event.error ?? failureOf(this.state());
      this.fail(failure ? refusalOf(failure) : new AcpRefusal('failed', 'The turn failed.'));
    }
  }

  /** The answer reached the model's maximum length. */
  private isCut(): boolean {
    const last = this.state().messages.at(-1);
    return last?.role === 'notice' && last.error.code === 'answer_at_limit';
  }

  private ask(approval: Approval): void {
    if (this.asked.has(approval.id)) return;
    this.asked.add(approval.id);
    this.decide(approval).catch((error: unknown) => {
      // Nobody answered: the approval stays pending and is asked again with the next prompt.
      if (!this.signal.aborted && this.isOpen(approval)) this.fail(AcpRefusal.from(error));
    });
  }

  private async decide(approval: Approval): Promise<void> {
    const { client } = this.app;
    if (approval.preview.kind === 'questions') return this.answer(approval, approval.preview.questions);
    const always = await this.alwaysRule(approval);
    const options = optionsOf(approval, always);
    const choice = await this.editor.ask({ toolCall: askedCall(approval), options }, this.signal);
    if (!this.isOpen(approval)) return;
    if (choice === null) {
      expectOk(await client.call('thread.stop', { threadId: approval.threadId }));
      return;
    }
    if (choice === 'allow_always' && always !== undefined) {
      const scope = { kind: 'project' as const, projectId: this.app.project().id };
      expectOk(await client.call('rules.save', { draft: { effect: 'allow', match: always, scope } }));
    }
    await this.send(approval, decisionOf(choice, approval));
  }

  /** The editor asks one question after the other. It has no field for text and takes one choice. */
  private async answer(approval: Approval, questions: readonly Question[]): Promise<void> {
    const answers: { choices: string[] }[] = [];
    for (const { question, choices = [] } of questions) {
      if (choices.length === 0) return this.send(approval, { type: 'reject', message: NO_TEXT });
      const { toolCallId, ...asked } = askedCall(approval);
      const toolCall = { ...asked, toolCallId, content: [textContent(question)] };
      const options = [
        ...choices.map((name, index) => ({ optionId: `${index}`, name, kind: 'allow_once' as const })),
        { optionId: 'reject_once', name: 'Do not answer', kind: 'reject_once' as const },
      ];
      const choice = await this.editor.ask({ toolCall, options }, this.signal);
      if (!this.isOpen(approval)) return;
      if (choice === null) {
        expectOk(await this.app.client.call('thread.stop', { threadId: approval.threadId }));
        return;
      }
      const chosen = choices[Number(choice)];
      if (chosen === undefined) return this.send(approval, { type: 'reject' });
      answers.push({ choices: [chosen] });
    }
    await this.send(approval, { type: 'respond', text: JSON.stringify(answers) });
  }

  private async send({ threadId, id: approvalId, digest }: Approval, decision: Decision): Promise<void> {
    const { client } = this.app;
    const decided = await client.call('thread.decide', { threadId, approvalId, digest, decision });
    // Decided elsewhere, or the call changed and another event asks about it again.
    if (!decided.ok && decided.error.kind !== 'not_found' && decided.error.kind !== 'stale')
      expectOk(decided);
  }

  private isOpen({ id }: Approval): boolean {
    return this.state().approvals.some((open) => open.id === id);
  }

  /** The narrowest rule that would match such calls in the future; undefined if there is none. */
  private async alwaysRule({ threadId, id }: Approval): Promise<RuleMatch | undefined> {
    const found = await this.app.client.call('rules.suggest', { threadId, approvalId: id });
    return found.ok ? found.value.matches[0] : undefined;
  }
}

const NO_TEXT = 'This editor shows only choices. Ask your questions in your answer instead.';

function decisionOf(choice: string, approval: Approval): Decision {
  if (choice === 'reject_once') return { type: 'reject' };
  return isOutcomeChoice(choice) ? { type: choice } : allowing(approval);
}

/** Keeps a command's changes in its throwaway layer; without such changes, runs it. */
const allowing = ({ allowed, outcome }: Approval): Decision =>
  outcome !== undefined && allowed.includes('keep')
    ? { type: 'keep', manifest: outcome.manifest }
    : { type: 'approve' };

/** `@"src/a b.ts"` for a file in the project, else the path or URL. */
function mentionOf(uri: string, name: string, mount: string): string {
  if (!uri.startsWith('file:')) return `[${name}](${uri})`;
  let path: string;
  try {
    path = fileURLToPath(uri);
  } catch {
    return `[${name}](${uri})`;
  }
  const inside = path.startsWith(`${mount}/`) ? path.slice(mount.length + 1) : path;
  return `@"${inside.replaceAll('"', '')}"`;
}
