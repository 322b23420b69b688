import { providerName } from '../../../src-renderer/i18n/errors';
import { type ConfirmText, confirmText, type Language, modeText } from '../../../src-renderer/i18n/native';
import type { RemoteAgentDraft } from '../../contract/agents';
import type { Project, ProviderId } from '../../contract/app';
import type { ApprovalMode, RuleDraft } from '../../contract/control';
import {
  type PlaceDraft,
  type PlaceOptions,
  type PlacePolicy,
  type PlaceRule,
  placeTarget,
  type RemoteOptions,
} from '../../contract/places';
import { fail, ok, type Result } from '../../contract/result';
import { ruleText } from '../../contract/rule-text';
import { clearText } from '../../contract/shared/unseen';
import type { Storage } from '../../storage';
import type { DesktopServices } from './desktop-services';
import { languageOf } from './native-language';

/** A server in a confirmation, as shown. */
export interface ServerSetup {
  transport: 'stdio' | 'http' | 'sse';
  command: string;
  args: readonly string[];
  cwd: string;
  url: string;
  /** Names of environment variables or headers. */
  names: readonly string[];
  /** Files of the project folder that the program runs. */
  files?: readonly string[] | undefined;
}

interface Question {
  message: string;
  detail: string;
  /** Label of the confirming button. */
  action: string;
}

/** Characters of one text that a dialog shows. */
const MAX_TEXT_LENGTH = 1_500;

/**
 * Asks the person in a native dialog about changes that would give an attacker more than the window has: a compromised
 * renderer can send any command but cannot press a button in such a dialog. Stricter settings need no dialog. Each method
 * fails with `cancelled` if the person declines, and with `unsupported` if there is nobody to ask.
 */
export class Confirmations {
  private isAsking = false;

  constructor(
    private readonly desktop: Pick<DesktopServices, 'confirm' | 'locale'>,
    private readonly storage: Storage,
  ) {}

  mode(project: Project, to: ApprovalMode): Promise<Result<object>> {
    return this.ask((t, language) => {
      const [next, now] = [modeText(language, to), modeText(language, project.mode ?? 'ask-risky')];
      return {
        message: t('mode', { project: shown(project.name, t), mode: next.name }),
        detail: lines(next.description, t('modeNow', { mode: now.name }), '', shown(project.folder, t)),
        action: t('modeAction'),
      };
    });
  }

  noSandbox({ name, folder }: Project): Promise<Result<object>> {
    return this.ask((t) => ({
      message: t('noSandbox', { project: shown(name, t) }),
      detail: lines(t('noSandboxDetail'), '', shown(folder, t)),
      action: t('noSandboxAction'),
    }));
  }

  pathRules({ name, folder }: Project, rules: readonly PlaceRule[]): Promise<Result<object>> {
    return this.ask((t) => ({
      message: t('pathRules', { project: shown(name, t) }),
      detail: lines(
        rules.length === 0
          ? t('pathRulesNone')
          : shownLines(
              rules.map(({ effect, glob }) => `${t(EFFECT[effect])}: ${glob}`),
              t,
            ),
        '',
        shown(folder, t),
      ),
      action: t('pathRulesAction'),
    }));
  }

  showSecrets({ name, folder }: Project): Promise<Result<object>> {
    return this.ask((t) => ({
      message: t('showSecrets', { project: shown(name, t) }),
      detail: lines(t('showSecretsDetail'), '', shown(folder, t)),
      action: t('showSecretsAction'),
    }));
  }

  server(name: string, setup: ServerSetup): Promise<Result<object>> {
    return this.ask((t) => (setup.transport === 'stdio' ? program(name, setup, t) : address(name, setup, t)));
  }

  /** `commands`: what the hooks of the project run. */
  hooks({ name, folder }: Project, commands: readonly string[]): Promise<Result<object>> {
    return this.ask((t) => ({
      message: t('hooks', { project: shown(name, t) }),
      detail: lines(shownLines(commands, t, true), '', shown(folder, t), t('hooksDetail')),
      action: t('hooksAction'),
    }));
  }

  baseUrl(provider: ProviderId, url: string, before: string, withKey: boolean): Promise<Result<object>> {
    return this.ask((t, language) => {
      const name = { provider: providerName(language, provider) };
      return {
        message: t('baseUrl', name),
        detail: lines(
          shown(url, t),
          '',
          withKey ? t('baseUrlThreadsAndKey', name) : t('baseUrlThreads'),
          before !== '' && t('baseUrlNow', { address: shown(before, t) }),
        ),
        action: t('baseUrlAction'),
      };
    });
  }

  rule({ match, scope }: RuleDraft, place: string): Promise<Result<object>> {
    return this.ask((t) => {
      const name = shown(place, t);
      const where =
        scope.kind === 'person'
          ? t('everywhere')
          : scope.kind === 'project'
            ? t('inProject', { project: name })
            : t('inThread', { thread: name });
      const detail = lines(shown(ruleText(match), t), '', where);
      return match.kind === 'host'
        ? { message: t('host'), detail, action: t('hostAction') }
        : { message: t('rule'), detail, action: t('ruleAction') };
    });
  }

  /** `project`: null for every project. `module`: what the place runs, if it does. */
  place(
    { path, options, policy }: PlaceDraft,
    project: string | null,
    module?: string,
  ): Promise<Result<object>> {
    return this.ask((t) => ({
      message: t('place', { path: shown(path, t) }),
      detail: lines(
        shown(targetOf(options), t),
        '',
        t(WRITING[policy.writing]),
        project === null ? t('everywhere') : t('inProject', { project: shown(project, t) }),
        module !== undefined && lines('', t('placeModule'), '', shownLines(module.split('\n'), t)),
      ),
      action: t('placeAction'),
    }));
  }

  /** A project on another computer, or a change of how it is reached. */
  remoteProject(options: RemoteOptions, { writing }: Pick<PlacePolicy, 'writing'>): Promise<Result<object>> {
    return this.ask((t) => ({
      message: t('remoteProject'),
      detail: lines(shown(targetOf(options), t), '', t(WRITING[writing]), t('remoteProjectDetail')),
      action: t('remoteProjectAction'),
    }));
  }

  /** An agent on a server gets texts of threads. */
  remoteAgent({ name, address, graph }: RemoteAgentDraft, project: string | null): Promise<Result<object>> {
    return this.ask((t) => ({
      message: t('remoteAgent', { name: shown(name, t) }),
      detail: lines(
        shown(`${address} (${graph})`, t),
        '',
        t('remoteAgentDetail'),
        project === null ? t('everywhere') : t('inProject', { project: shown(project, t) }),
      ),
      action: t('remoteAgentAction'),
    }));
  }

  /** Before a test of a place connects to a host. */
  connect(host: string): Promise<Result<object>> {
    return this.ask((t) => ({
      message: t('connect', { host: shown(host, t) }),
      detail: t('connectDetail'),
      action: t('connectAction'),
    }));
  }

  /** Before a test of a place runs a module of a project. */
  module(file: string, text: string): Promise<Result<object>> {
    return this.ask((t) => ({
      message: t('module', { file: shown(file, t) }),
      detail: lines(t('placeModule'), '', shownLines(text.split('\n'), t)),
      action: t('moduleAction'),
    }));
  }

  wipe(folder: string): Promise<Result<object>> {
    return this.ask((t) => ({
      message: t('wipe'),
      detail: lines(t('wipeDetail'), '', folder),
      action: t('wipeAction'),
    }));
  }

  private async ask(questionIn: (t: ConfirmText, language: Language) => Question): Promise<Result<object>> {
    const { confirm } = this.desktop;
    if (confirm === undefined) {
      return fail('unsupported', 'consent_in_app_only');
    }
    // A renderer could flood the person with dialogs until one is accepted by mistake.
    if (this.isAsking) return fail('conflict', 'dialog_open_already');
    this.isAsking = true;
    try {
      const language = languageOf(this.storage, this.desktop);
      return (await confirm(questionIn(confirmText(language), language)))
        ? ok({})
        : fail('cancelled', 'you_cancelled');
    } finally {
      this.isAsking = false;
    }
  }
}

function program(
  name: string,
  { command, args, cwd, names, files = [] }: ServerSetup,
  t: ConfirmText,
): Question {
  const variables = shown(names.join(', '), t);
  return {
    message: t('program', { server: shown(name, t) }),
    detail: lines(
      // One argument per line, so that none can imitate another.
      shownLines([command, ...args.map((arg) => `  ${arg}`)], t, true),
      '',
      cwd !== '' && t('workingFolder', { folder: shown(cwd, t) }),
      variables !== '' && t('variables', { names: variables }),
      files.length > 0 && t('programFiles', { files: shown(files.join(', '), t) }),
      t('programDetail'),
    ),
    action: t('programAction'),
  };
}

function address(name: string, { url, names }: ServerSetup, t: ConfirmText): Question {
  const headers = shown(names.join(', '), t);
  return {
    message: t('address', { server: shown(name, t) }),
    detail: lines(shown(url, t), '', headers !== '' && t('headers', { names: headers }), t('addressDetail')),
    action: t('addressAction'),
  };
}

/** What the place is, as the person described it. */
const targetOf = (options: PlaceOptions): string =>
  lines(placeTarget(options), ...(options.kind === 'ssh' ? options.hostKeys : []));

const EFFECT = { allow: 'ruleAllows', ask: 'ruleAsks', deny: 'ruleDenies' } as const;
const WRITING = { allow: 'placeWritten', ask: 'placeAsks', deny: 'placeReadOnly' } as const;

const lines = (...parts: (string | false)[]): string => parts.filter((part) => part !== false).join('\n');

function shown(text: string, t: ConfirmText): string {
  const clear = clearText(text);
  return clear.length <= MAX_TEXT_LENGTH
    ? clear
    : `${clear.slice(0, MAX_TEXT_LENGTH)}${t('moreCharacters', { count: clear.length - MAX_TEXT_LENGTH })}`;
}

/** The start and the end of a long text or command line (`strict`): either may hold what matters. */
function shownLines(texts: readonly string[], t: ConfirmText, strict = false): string {
  const whole = texts.map((text) => clearText(text, strict)).join('\n');
  if (whole.length <= 2 * MAX_TEXT_LENGTH) return whole;
  const left = whole.length - 2 * MAX_TEXT_LENGTH;
  return `${whole.slice(0, MAX_TEXT_LENGTH)}\n${t('moreCharacters', { count: left })}\n${whole.slice(-MAX_TEXT_LENGTH)}`;
}

/** Whether a rule allows so much that a native dialog must confirm it: more than one project, or more than one command. */
export const needsConfirmation = ({ effect, match, scope }: RuleDraft): boolean =>
  effect === 'allow' &&
  (scope.kind === 'person' ||
    match.kind === 'host' ||
    match.kind === 'web' ||
    (scope.kind === 'project' &&
      (match.kind === 'tool' || (match.kind === 'path' && match.glob.includes('**')))));
