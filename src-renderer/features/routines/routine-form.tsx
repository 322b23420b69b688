import type { Project } from '@contract/app';
import type { ApprovalMode } from '@contract/control';
import type { ErrorCode } from '@contract/errors';
import type { ProjectId } from '@contract/ids';
import { APPROVAL_MODES } from '@contract/modes';
import type { RoutineDraft, RoutineInfo } from '@contract/routines';
import { isVisibleName } from '@contract/shared/shown-name';
import { type ReactNode, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { call, useApp } from '../../link';
import {
  Button,
  Choice,
  ErrorNote,
  Field,
  fieldsByCode,
  Input,
  Select,
  Textarea,
  useBusy,
  useFault,
  useIsGone,
} from '../../ui';
import { inDollars, microDollars, wholeNumber } from '../../ui/amounts';
import { ScheduleField } from './schedule-field';

interface RoutineFormProps {
  /** Null for a new one. */
  routine: RoutineInfo | null;
  /** The project of a new one, at first. */
  projectId?: ProjectId | null;
  /** The computer's. */
  timeZone: string;
  /** Somebody removed it while its form was open. It can be saved as a new one. */
  isGone?: boolean;
  onDone(): void;
  onCancel(): void;
}

const AS_PROJECT = 'project';
type ModeChoice = ApprovalMode | typeof AS_PROJECT;

interface Fields extends Omit<RoutineDraft, 'projectId' | 'mode' | 'budget'> {
  projectId: string;
  mode: ModeChoice;
  cost: string;
  tokens: string;
}

function useFields({ routine, projectId, timeZone }: RoutineFormProps) {
  const projects = useApp((app) => app.projects);
  const usual = useApp((app) => app.settings.model);
  return useState<Fields>(() => ({
    name: routine?.name ?? '',
    projectId: routine?.projectId ?? usable(projects, projectId) ?? '',
    prompt: routine?.prompt ?? '',
    schedule: routine?.schedule ?? '',
    timeZone: routine?.timeZone ?? timeZone,
    model: routine?.model ?? usual,
    mode: routine === null ? AS_PROJECT : (routine.mode ?? AS_PROJECT),
    cost: inDollars(routine?.budget.microDollars ?? null),
    tokens: String(routine?.budget.tokens ?? ''),
    isOn: routine?.isOn ?? true,
  }));
}

/** The project if its folder is there, otherwise the first one. */
function usable(projects: readonly Project[], wanted: ProjectId | null | undefined): ProjectId | undefined {
  const there = projects.filter(({ missing }) => !missing);
  return (there.find(({ id }) => id === wanted) ?? there[0])?.id;
}

/** A field of the form that can be wrong. */
type RoutineField = 'name' | 'project' | 'schedule' | 'timeZone' | 'cost' | 'tokens';

const fieldOf = fieldsByCode({
  routine_name_taken: 'name',
  routine_schedule_unclear: 'schedule',
  routine_schedule_never: 'schedule',
  routine_time_zone: 'timeZone',
} as const satisfies Partial<Record<ErrorCode, RoutineField>>);

/** Empty, or more than nothing. */
const isAmount = (value: number | null | undefined): value is number | null =>
  value === null || (value !== undefined && value > 0);

/** Adds or changes a routine. The next times show while its schedule is typed. */
export const RoutineForm = (props: RoutineFormProps) => {
  const { routine, onDone, onCancel } = props;
  const t = useT();
  const projects = useApp((app) => app.projects);
  const [fields, setFields] = useFields(props);
  const form = useRef<HTMLFormElement>(null);
  const { fault, setFault, refused, at } = useFault<RoutineField>(form, fieldOf);
  const [isGone, setGone] = useIsGone(routine, props.isGone === true);
  const isNew = routine === null || isGone;
  const [busy, during] = useBusy();
  const change = (changed: Partial<Fields>) => {
    setFault(undefined);
    setFields((before) => ({ ...before, ...changed }));
  };
  const [cost, tokens] = [microDollars(fields.cost), wholeNumber(fields.tokens)];

  const save = async () => {
    const project = projects.find(({ id }) => id === fields.projectId);
    const wrong = (field: RoutineField, why: 'projectGone' | 'nameUnseen' | 'amountWrong') =>
      setFault({ field, message: t(`routines.${why}`) });
    if (project === undefined) return wrong('project', 'projectGone');
    // The browser asks for a missing name.
    if (fields.name !== '' && !isVisibleName(fields.name)) return wrong('name', 'nameUnseen');
    if (!isAmount(cost)) return wrong('cost', 'amountWrong');
    if (!isAmount(tokens)) return wrong('tokens', 'amountWrong');
    const { name, prompt, schedule, timeZone: zone, model, mode, isOn } = fields;
    const draft: RoutineDraft = {
      ...{ name, prompt, schedule, timeZone: zone, model, isOn },
      projectId: project.id,
      mode: mode === AS_PROJECT ? null : mode,
      budget: { microDollars: cost, tokens },
    };
    const result = await call('routines.save', { id: isNew ? null : routine.id, draft });
    if (result.ok) onDone();
    else if (result.error.code === 'routine_gone') setGone();
    else refused(result.error);
  };
  return (
    <form
      ref={form}
      aria-label={routine === null ? t('routines.addTitle') : t('routines.editTitle', { name: routine.name })}
      className="flex flex-col gap-3 rounded-card border border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        void during(save());
      }}
    >
      <MainFields fields={fields} at={at} onChange={change} />
      <ScheduleField
        schedule={fields.schedule}
        timeZone={fields.timeZone}
        error={at('schedule')}
        onChange={(schedule) => change({ schedule })}
      />
      <OptionFields fields={fields} at={at} onChange={change} />
      {!isNew && routine.record !== null && (
        <p className="text-small text-fg-3">{t('routines.promptChanged')}</p>
      )}
      {isGone && <ErrorNote tone="ask" message={t('routines.removedMeanwhile')} />}
      {fault?.field === null && <ErrorNote message={fault.message} />}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="accent-accent"
            checked={fields.isOn}
            onChange={(event) => change({ isOn: event.target.checked })}
          />
          {t('routines.isOn')}
        </label>
        <span className="grow" />
        <Button variant="ghost" onClick={onCancel}>
          {t('routines.cancel')}
        </Button>
        <Button type="submit" variant="primary" busy={busy}>
          {t(isGone ? 'routines.saveAsNew' : isNew ? 'routines.create' : 'routines.save')}
        </Button>
      </div>
    </form>
  );
};

interface FieldsProps {
  fields: Fields;
  /** What is wrong with a field. */
  at(field: RoutineField): string | undefined;
  onChange(changed: Partial<Fields>): void;
}

const MainFields = ({ fields, at, onChange }: FieldsProps) => {
  const t = useT();
  const projects = useApp((app) => app.projects);
  return (
    <>
      <Two>
        <Field label={t('routines.name')} error={at('name')}>
          {(ids) => (
            <Input
              {...ids}
              required
              maxLength={100}
              placeholder={t('routines.nameExample')}
              value={fields.name}
              onChange={(event) => onChange({ name: event.target.value })}
            />
          )}
        </Field>
        <Choice
          label={t('routines.project')}
          value={fields.projectId}
          options={projects.map(({ id, name }) => ({ value: id as string, label: name }))}
          error={at('project')}
          onChange={(projectId) => onChange({ projectId })}
        />
      </Two>
      <Field label={t('routines.prompt')}>
        {(ids) => (
          <Textarea
            {...ids}
            required
            rows={3}
            maxHeight={200}
            placeholder={t('routines.promptExample')}
            value={fields.prompt}
            onChange={(event) => onChange({ prompt: event.target.value })}
          />
        )}
      </Field>
    </>
  );
};

const OptionFields = ({ fields, at, onChange }: FieldsProps) => {
  const t = useT();
  const providers = useApp((app) => app.models.providers);
  const models = providers.flatMap(({ id, models: own }) =>
    own.map(({ name, label }) => ({
      value: `${id}:${name}`,
      label: id === 'offline' ? t('providers.offline') : label,
    })),
  );
  return (
    <>
      <Two>
        <Field label={t('routines.timeZone')} error={at('timeZone')}>
          {(ids) => (
            <Select
              {...ids}
              options={withValue(timeZones(), fields.timeZone)}
              value={fields.timeZone}
              onChange={(event) => onChange({ timeZone: event.target.value })}
            />
          )}
        </Field>
        <Choice
          label={t('routines.model')}
          value={fields.model}
          options={withValue(models, fields.model)}
          onChange={(model) => onChange({ model })}
        />
      </Two>
      <Choice
        label={t('routines.mode')}
        value={fields.mode}
        options={[
          { value: AS_PROJECT, label: t('routines.projectMode') },
          ...APPROVAL_MODES.map((mode) => ({ value: mode, label: t(`modes.${mode}`) })),
        ]}
        onChange={(mode) => onChange({ mode })}
      />
      <Two>
        <Amount
          label={t('routines.cost')}
          value={fields.cost}
          error={at('cost')}
          onChange={(cost) => onChange({ cost })}
        />
        <Amount
          label={t('routines.tokens')}
          value={fields.tokens}
          error={at('tokens')}
          onChange={(tokens) => onChange({ tokens })}
        />
      </Two>
    </>
  );
};

interface AmountProps {
  label: string;
  value: string;
  error: string | undefined;
  onChange(value: string): void;
}

const Amount = ({ label, value, error, onChange }: AmountProps) => {
  const t = useT();
  return (
    <Field label={label} hint={t('routines.costHint')} error={error}>
      {(ids) => (
        <Input
          {...ids}
          inputMode="decimal"
          maxLength={20}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
};

const Two = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-2 gap-3">{children}</div>
);

interface Option {
  value: string;
  label: string;
}

/** The options with the chosen value among them. */
const withValue = (options: readonly Option[], value: string): readonly Option[] =>
  options.some((one) => one.value === value) ? options : [{ value, label: value }, ...options];

let zones: readonly Option[] | undefined;
function timeZones(): readonly Option[] {
  zones ??= ['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => ({
    value: name,
    label: name.replaceAll('_', ' '),
  }));
  return zones;
}
