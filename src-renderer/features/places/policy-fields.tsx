import type { PlacePolicy, PlaceRule } from '@contract/places';
import { Plus, X } from 'lucide-react';
import { useT } from '../../i18n';
import { Button, Choice, Field, IconButton, Input, Select } from '../../ui';

type Access = 'read' | 'write' | 'both';
interface RuleText {
  key: number;
  effect: PlaceRule['effect'];
  access: Access;
  glob: string;
}

/** A policy as it is typed. */
export interface PolicyText {
  reading: PlacePolicy['reading'];
  writing: PlacePolicy['writing'];
  rules: RuleText[];
  calls: string;
}

const ACCESS: Record<Access, PlaceRule['operations']> = {
  read: ['read'],
  write: ['write'],
  both: ['read', 'write'],
};

export const textOfPolicy = ({ reading, writing, rules, callsPerMinute }: PlacePolicy): PolicyText => ({
  reading,
  writing,
  rules: rules.map(({ effect, operations, glob }, key) => ({
    key,
    effect,
    access: operations.length > 1 ? 'both' : (operations[0] ?? 'read'),
    glob,
  })),
  calls: callsPerMinute === null ? '' : String(callsPerMinute),
});

/** Null: the limit is not a number of calls. Rows without a pattern are left out. */
export function policyOf({ reading, writing, rules, calls }: PolicyText): PlacePolicy | null {
  const limit = calls.trim() === '' ? null : Number(calls);
  if (limit !== null && !(Number.isInteger(limit) && limit >= 1 && limit <= 100_000)) return null;
  return {
    reading,
    writing,
    rules: rules
      .filter(({ glob }) => glob.trim() !== '')
      .map(({ effect, access, glob }) => ({ effect, operations: ACCESS[access], glob: glob.trim() })),
    callsPerMinute: limit,
  };
}

interface PolicyFieldsProps {
  policy: PolicyText;
  onChange(policy: PolicyText): void;
}

/** What the agent may do in a place, in words. */
export const PolicyFields = ({ policy, onChange }: PolicyFieldsProps) => {
  const t = useT();
  const { rules } = policy;
  const change = (part: Partial<PolicyText>) => onChange({ ...policy, ...part });
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <Choice
          label={t('places.reading')}
          value={policy.reading}
          options={(['allow', 'ask'] as const).map((value) => ({
            value,
            label: t(`places.reading_${value}`),
          }))}
          onChange={(reading) => change({ reading })}
        />
        <Choice
          label={t('places.writing')}
          value={policy.writing}
          options={(['ask', 'allow', 'deny'] as const).map((value) => ({
            value,
            label: t(`places.writing_${value}`),
          }))}
          onChange={(writing) => change({ writing })}
        />
      </div>
      <details open={rules.length > 0 || policy.calls !== ''}>
        <summary className="w-fit rounded-control text-fg-2">{t('places.more')}</summary>
        <div className="mt-2 flex flex-col gap-3">
          <fieldset className="flex flex-col gap-1.5">
            <legend className="mb-1 font-medium">{t('places.rules')}</legend>
            {rules.map((rule, index) => (
              <RuleRow
                key={rule.key}
                rule={rule}
                number={index + 1}
                onChange={(next) => change({ rules: rules.with(index, next) })}
                onRemove={() => change({ rules: rules.filter((other) => other !== rule) })}
              />
            ))}
            <div>
              <Button
                size="sm"
                icon={<Plus size={14} />}
                onClick={() => {
                  const key = Math.max(-1, ...rules.map((rule) => rule.key)) + 1;
                  change({ rules: [...rules, { key, effect: 'deny', access: 'both', glob: '' }] });
                }}
              >
                {t('places.addRule')}
              </Button>
            </div>
            <p className="text-small text-fg-3">{t('places.rulesHint')}</p>
          </fieldset>
          <div className="max-w-60">
            <Field label={t('places.calls')} hint={t('places.callsHint')}>
              {(ids) => (
                <Input
                  {...ids}
                  inputMode="numeric"
                  value={policy.calls}
                  onChange={(event) => change({ calls: event.target.value })}
                />
              )}
            </Field>
          </div>
        </div>
      </details>
    </>
  );
};

interface RuleRowProps {
  rule: RuleText;
  number: number;
  onChange(rule: RuleText): void;
  onRemove(): void;
}

const RuleRow = ({ rule, number, onChange, onRemove }: RuleRowProps) => {
  const t = useT();
  const effects = (['allow', 'ask', 'deny'] as const).map((value) => ({
    value,
    label: t(`places.effect_${value}`),
  }));
  const accesses = (['read', 'write', 'both'] as const).map((value) => ({
    value,
    label: t(`places.access_${value}`),
  }));
  return (
    <div className="flex items-center gap-1.5">
      <Select
        aria-label={t('places.ruleEffect', { number })}
        options={effects}
        value={rule.effect}
        onChange={(event) => {
          const chosen = effects.find(({ value }) => value === event.target.value);
          if (chosen) onChange({ ...rule, effect: chosen.value });
        }}
      />
      <Select
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
        value={rule.glob}
        onChange={(event) => onChange({ ...rule, glob: event.target.value })}
      />
      <IconButton label={t('places.ruleRemove', { number })} icon={<X size={14} />} onClick={onRemove} />
    </div>
  );
};
