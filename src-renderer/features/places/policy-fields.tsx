import type { PlacePolicy } from '@contract/places';
import { useT } from '../../i18n';
import { Choice, Field, Input } from '../../ui';
import { type RuleField, RuleList, type RuleText, rulesOf, textsOfRules } from './rule-list';

/** A policy as it is typed. */
export interface PolicyText {
  reading: PlacePolicy['reading'];
  writing: PlacePolicy['writing'];
  rules: RuleText[];
  calls: string;
}

export const textOfPolicy = ({ reading, writing, rules, callsPerMinute }: PlacePolicy): PolicyText => ({
  reading,
  writing,
  rules: textsOfRules(rules),
  calls: callsPerMinute === null ? '' : String(callsPerMinute),
});

/** Null: the limit is not a number of calls. Rows without a pattern are left out. */
export function policyOf({ reading, writing, rules, calls }: PolicyText): PlacePolicy | null {
  const limit = calls.trim() === '' ? null : Number(calls);
  if (limit !== null && !(Number.isInteger(limit) && limit >= 1 && limit <= 100_000)) return null;
  return {
    reading,
    writing,
    rules: rulesOf(rules),
    callsPerMinute: limit,
  };
}

/** A field that can be wrong. */
export type PolicyField = 'calls' | RuleField;

interface PolicyFieldsProps {
  policy: PolicyText;
  /** What is wrong with a field. */
  at(field: PolicyField): string | undefined;
  onChange(policy: PolicyText): void;
}

/** What the agent may do in a place, in words. */
export const PolicyFields = ({ policy, at, onChange }: PolicyFieldsProps) => {
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
          <RuleList
            title={t('places.rules')}
            hint={t('places.rulesHint')}
            rules={rules}
            at={at}
            onChange={(next) => change({ rules: next })}
          />
          <div className="max-w-60">
            <Field label={t('places.calls')} hint={t('places.callsHint')} error={at('calls')}>
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
