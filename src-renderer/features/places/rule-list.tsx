import type { ErrorCode } from '@contract/errors';
import type { PlaceRule } from '@contract/places';
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { useT } from '../../i18n';
import { Button, FieldError, IconButton, Input, type Refusal, Select } from '../../ui';

type Access = 'read' | 'write' | 'both';

/** A rule as it is typed. */
export interface RuleText {
  key: number;
  effect: PlaceRule['effect'];
  access: Access;
  glob: string;
}

const ACCESS: Record<Access, PlaceRule['operations']> = {
  read: ['read'],
  write: ['write'],
  both: ['read', 'write'],
};

export const textsOfRules = (rules: readonly PlaceRule[]): RuleText[] =>
  rules.map(({ effect, operations, glob }, key) => ({
    key,
    effect,
    access: operations.length > 1 ? 'both' : (operations[0] ?? 'read'),
    glob,
  }));

/** Rows without a pattern are left out. */
export const rulesOf = (rules: readonly RuleText[]): PlaceRule[] =>
  rules
    .filter(({ glob }) => glob.trim() !== '')
    .map(({ effect, access, glob }) => ({ effect, operations: [...ACCESS[access]], glob: glob.trim() }));

/** The field of a rule's pattern. */
export type RuleField = `rule ${string}`;

const fieldOfRule = (glob: string): RuleField => `rule ${glob.trim()}`;

/** The rule that an error of saving is about; null: it is about something else. */
export const fieldOfRules = ({ code, values }: Refusal): RuleField | null =>
  code === ('place_rule_wrong' satisfies ErrorCode) && typeof values?.glob === 'string'
    ? fieldOfRule(values.glob)
    : null;

interface RuleListProps {
  title: string;
  hint: string;
  rules: readonly RuleText[];
  /** What is wrong with a field. */
  at(field: RuleField): string | undefined;
  onChange(rules: RuleText[]): void;
}

/** Rules about paths, in the order in which they decide. */
export const RuleList = ({ title, hint, rules, at, onChange }: RuleListProps) => {
  const t = useT();
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 font-medium">{title}</legend>
      {rules.map((rule, index) => (
        <RuleRow
          key={rule.key}
          rule={rule}
          number={index + 1}
          error={at(fieldOfRule(rule.glob))}
          onChange={(next) => onChange(rules.with(index, next))}
          onRemove={() => onChange(rules.filter((other) => other !== rule))}
        />
      ))}
      <div>
        <Button
          size="sm"
          icon={<Plus size={14} />}
          onClick={() => {
            const key = Math.max(-1, ...rules.map((rule) => rule.key)) + 1;
            onChange([...rules, { key, effect: 'deny', access: 'both', glob: '' }]);
          }}
        >
          {t('places.addRule')}
        </Button>
      </div>
      <p className="text-small text-fg-3">{hint}</p>
    </fieldset>
  );
};

interface RuleRowProps {
  rule: RuleText;
  number: number;
  error: string | undefined;
  onChange(rule: RuleText): void;
  onRemove(): void;
}

const RuleRow = ({ rule, number, error, onChange, onRemove }: RuleRowProps) => {
  const t = useT();
  const errorId = useId();
  const effects = (['allow', 'ask', 'deny'] as const).map((value) => ({
    value,
    label: t(`places.effect_${value}`),
  }));
  const accesses = (['read', 'write', 'both'] as const).map((value) => ({
    value,
    label: t(`places.access_${value}`),
  }));
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-center gap-1.5">
        <Select
          className="shrink-0 basis-28"
          aria-label={t('places.ruleEffect', { number })}
          options={effects}
          value={rule.effect}
          onChange={(event) => {
            const chosen = effects.find(({ value }) => value === event.target.value);
            if (chosen) onChange({ ...rule, effect: chosen.value });
          }}
        />
        <Select
          className="shrink-0 basis-28"
          aria-label={t('places.ruleAccess', { number })}
          options={accesses}
          value={rule.access}
          onChange={(event) => {
            const chosen = accesses.find(({ value }) => value === event.target.value);
            if (chosen) onChange({ ...rule, access: chosen.value });
          }}
        />
        <Input
          mono
          spellCheck={false}
          aria-label={t('places.ruleGlob', { number })}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : errorId}
          value={rule.glob}
          onChange={(event) => onChange({ ...rule, glob: event.target.value })}
        />
        <IconButton label={t('places.ruleRemove', { number })} icon={<X size={14} />} onClick={onRemove} />
      </div>
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  );
};
