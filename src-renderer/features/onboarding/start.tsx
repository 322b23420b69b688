import type { Project } from '@contract/app';
import { ArrowUpLeft, Cpu, Folder, MessageSquareText, ShieldCheck } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { addRemoteFolder, call, locationOf, toast, useApp } from '../../link';
import { Button, cx } from '../../ui';
import { foundModels } from './found';
import { FoundModels } from './found-models';
import { type Suggestion, suggestionsFor } from './suggestions';
import { useFolderFacts } from './use-folder-facts';

interface StartProps {
  project: Project;
  /** `provider:name` of the thread's model. */
  model: string;
  modelPicker: ReactNode;
  /** The mode picker. */
  modes: ReactNode;
  /** Replaces the text of the composer. */
  onUse(prompt: string): void;
  /** Puts a prompt into the composer, unless it has a text other than `before`. */
  onFill(prompt: string, before?: string): void;
  onChooseFolder(): void;
  /** Uses a model in this thread and in new ones. */
  onModel(model: string): void;
}

// On a low screen, as above an open terminal, the prompts are side by side and show only their names. On a very low one
// only the open step is shown. So the next step is visible without scrolling.

/** The content of a thread without messages: the three first steps once, later only the suggestions. */
export const Start = (props: StartProps) => {
  const onboarded = useApp((app) => app.settings.onboarded);
  const t = useT();
  const facts = useFolderFacts(props.project);
  const suggestions = facts === undefined ? [] : suggestionsFor(facts, props.model.startsWith('offline:'), t);
  return (
    <div className="flex grow flex-col items-center justify-center py-2 [@container(max-height:30rem)]:py-0">
      {onboarded ? (
        <Blank {...props} suggestions={suggestions} />
      ) : (
        <FirstRun {...props} suggestions={suggestions} />
      )}
    </div>
  );
};

type WithSuggestions = StartProps & { suggestions: readonly Suggestion[] };

const Blank = ({ suggestions, model, onUse }: WithSuggestions) => {
  const t = useT();
  return (
    <div className="flex w-full max-w-column flex-col gap-3">
      <h2 className="text-center text-headline font-semibold">{t('onboarding.start')}</h2>
      <Prompts suggestions={suggestions} onUse={onUse} dense="below-24rem" />
      {model.startsWith('offline:') && (
        <p className="text-center text-small text-balance text-fg-3">{t('onboarding.offlineHint')}</p>
      )}
    </div>
  );
};

const STEPS = 4;

async function endFirstRun(): Promise<void> {
  const result = await call('settings.change', { onboarded: true });
  if (!result.ok) toast(result.error.message);
}

/** Who has sent a message needs no first steps in the next thread. */
export function useEndOfFirstRun(hasMessages: boolean): void {
  const onboarded = useApp((app) => app.settings.onboarded);
  useEffect(() => {
    if (hasMessages && !onboarded) void endFirstRun();
  }, [hasMessages, onboarded]);
}

const FirstRun = ({
  project,
  model,
  modelPicker,
  modes,
  suggestions,
  onUse,
  onFill,
  onChooseFolder,
  onModel,
}: WithSuggestions) => {
  const t = useT();
  const fallbackRuntime = useApp((app) => app.fallbackRuntime);
  const [step, setStep] = useState(1);
  const filled = useRef<string>(undefined);
  const first = suggestions[0]?.prompt;
  const isLast = step === STEPS;
  useEffect(() => {
    if (!isLast || first === undefined) return;
    onFill(first, filled.current);
    filled.current = first;
  }, [isLast, first, onFill]);
  const steps = useSteps({
    project,
    model,
    modelPicker,
    modes,
    onChooseFolder,
    onModel,
    prompts: (
      <Prompts
        suggestions={suggestions}
        dense="below-46rem"
        onUse={(prompt) => {
          onUse(prompt);
          void endFirstRun();
        }}
      />
    ),
  });
  const next = () => (isLast ? void endFirstRun() : setStep(step + 1));
  return (
    <section
      aria-labelledby="first-run"
      className="w-full max-w-column rounded-card border border-line bg-raised px-5 py-4 [@container(max-height:30rem)]:px-4 [@container(max-height:30rem)]:py-3"
    >
      <h2 id="first-run" className="text-headline font-semibold">
        {t('onboarding.welcome')}
      </h2>
      <p className="mt-1 text-fg-2 [@container(max-height:30rem)]:hidden">{t('onboarding.intro')}</p>
      <ol className="mt-3 flex flex-col [@container(max-height:30rem)]:mt-2">
        {steps.map(({ icon, title, chosen }, at) => (
          <Step
            key={title}
            index={at + 1}
            step={step}
            icon={icon}
            title={title}
            chosen={chosen}
            onOpen={setStep}
          >
            {/* All bodies share a place, so that the card keeps its height. In a low window they scroll in it. */}
            {steps.map((one, other) => (
              <div
                key={one.title}
                inert={other !== at}
                aria-hidden={other !== at}
                className={cx(
                  'col-start-1 row-start-1 min-w-0',
                  other !== at && 'invisible [@container(max-height:36rem)]:hidden',
                )}
              >
                {one.body}
              </div>
            ))}
          </Step>
        ))}
      </ol>
      <div className="mt-2 flex items-center gap-2 [@container(max-height:30rem)]:mt-1">
        <span className="grow text-small text-fg-3 tabular-nums">
          {t('onboarding.step', { index: step, count: STEPS })}
        </span>
        {!isLast && (
          <Button variant="ghost" onClick={() => void endFirstRun()}>
            {t('onboarding.skip')}
          </Button>
        )}
        <Button variant="primary" onClick={next}>
          {t(isLast ? 'onboarding.done' : 'onboarding.next')}
        </Button>
      </div>
      {fallbackRuntime !== null && (
        <p className="mt-2 text-small text-fg-3 [@container(max-height:30rem)]:mt-1">
          {t('onboarding.runtime', { version: fallbackRuntime })}
        </p>
      )}
    </section>
  );
};

interface StepBody {
  icon: ReactNode;
  title: string;
  /** What is chosen now. */
  chosen: string;
  body: ReactNode;
}

type StepParts = Pick<
  StartProps,
  'project' | 'model' | 'modelPicker' | 'modes' | 'onChooseFolder' | 'onModel'
> & {
  prompts: ReactNode;
};

function useSteps(parts: StepParts): StepBody[] {
  const { project, model, modelPicker, modes, onChooseFolder, onModel, prompts } = parts;
  const t = useT();
  const found = useApp((app) => foundModels(app.models.providers).length);
  const isOffline = model.startsWith('offline:');
  return [
    {
      icon: <Folder size={16} />,
      title: t('onboarding.folder'),
      chosen: project.name,
      body: (
        <>
          <p className="text-fg-2">
            {project.isSample
              ? t('onboarding.sampleText')
              : t('onboarding.folderText', { project: project.name })}
          </p>
          <p className="mt-0.5 font-mono text-small break-all text-fg-3">{locationOf(project)}</p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button size="sm" className="h-7" onClick={onChooseFolder}>
              {t('onboarding.chooseFolder')}
            </Button>
            <Button size="sm" variant="ghost" className="h-7" onClick={addRemoteFolder}>
              {t('actions.addRemoteFolder')}
            </Button>
          </div>
        </>
      ),
    },
    {
      icon: <Cpu size={16} />,
      title: t('onboarding.model'),
      chosen: isOffline
        ? found === 0
          ? t('providers.offline')
          : t('onboarding.foundCount', { count: found })
        : model.slice(model.indexOf(':') + 1),
      body: (
        <>
          <p className="text-fg-2">
            {isOffline ? t('onboarding.modelOffline') : t('onboarding.modelOnline')}
          </p>
          <FoundModels model={model} onModel={onModel} />
          <div className="mt-2 flex w-fit rounded-control border border-line-strong">{modelPicker}</div>
        </>
      ),
    },
    {
      icon: <ShieldCheck size={16} />,
      title: t('onboarding.modes'),
      chosen: t(`modes.${project.mode ?? 'ask-risky'}`),
      body: modes,
    },
    {
      icon: <MessageSquareText size={16} />,
      title: t('onboarding.try'),
      chosen: '',
      body: (
        <>
          <p className="mb-2 text-fg-2">{t('onboarding.tryText')}</p>
          {prompts}
        </>
      ),
    },
  ];
}

interface StepProps {
  index: number;
  step: number;
  icon: ReactNode;
  title: string;
  chosen: string;
  onOpen(index: number): void;
  children: ReactNode;
}

const Step = ({ index, step, icon, title, chosen, onOpen, children }: StepProps) => (
  <li
    className={cx(
      'border-t border-line py-2.5 [@container(max-height:30rem)]:py-1.5',
      index !== step && '[@container(max-height:24rem)]:hidden',
    )}
    aria-current={index === step ? 'step' : undefined}
  >
    <button
      type="button"
      aria-expanded={index === step}
      onClick={() => onOpen(index)}
      className="flex h-6 w-full items-center gap-2.5 rounded-control text-left"
    >
      <span className={index === step ? 'text-accent' : 'text-fg-3'}>{icon}</span>
      <span className={index === step ? 'font-semibold' : 'text-fg-2'}>{title}</span>
      {index !== step && (
        <span className="min-w-0 grow truncate text-right text-small text-fg-3">{chosen}</span>
      )}
    </button>
    {index === step && (
      <div className="mt-1 grid pl-6.5 [@container(max-height:36rem)]:h-32 [@container(max-height:36rem)]:overflow-y-auto">
        {children}
      </div>
    )}
  </li>
);

/** If the height is small, shows suggestions side by side without their text. */
const DENSE = {
  'below-24rem': {
    list: '[@container(max-height:24rem)]:grid-cols-2',
    words: '[@container(max-height:24rem)]:hidden',
  },
  'below-46rem': {
    list: '[@container(max-height:46rem)]:grid-cols-2',
    words: '[@container(max-height:46rem)]:hidden',
  },
} as const;

interface PromptsProps {
  suggestions: readonly Suggestion[];
  dense: keyof typeof DENSE;
  onUse(prompt: string): void;
}

const Prompts = ({ suggestions, dense, onUse }: PromptsProps) => {
  const t = useT();
  return (
    <ul aria-label={t('onboarding.suggestions')} className={cx('grid gap-1.5', DENSE[dense].list)}>
      {suggestions.map(({ title, prompt }) => (
        <li key={title} className="min-w-0">
          <button
            type="button"
            onClick={() => onUse(prompt)}
            title={prompt}
            className="group/prompt flex h-full w-full items-center gap-3 rounded-card border border-line bg-raised px-3 py-2 text-left hover:border-line-strong hover:bg-hover"
          >
            <span className="min-w-0 grow">
              <span className="block font-medium wrap-anywhere">{title}</span>
              <span className={cx('block truncate font-mono text-small text-fg-3', DENSE[dense].words)}>
                {prompt}
              </span>
            </span>
            <ArrowUpLeft aria-hidden size={16} className="shrink-0 -rotate-90 text-fg-3" />
          </button>
        </li>
      ))}
    </ul>
  );
};
