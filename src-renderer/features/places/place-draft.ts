import type { ErrorCode } from '@contract/errors';
import { DEFAULT_PLACE_POLICY, type PlaceDraft, type PlaceInfo } from '@contract/places';
import { ALL_PROJECTS, projectOf } from '../../link';
import { fieldsByCode, type Refusal } from '../../ui';
import { type PolicyField, type PolicyText, policyOf, textOfPolicy } from './policy-fields';
import { fieldOfRules } from './rule-list';
import {
  type Missing,
  type MissingField,
  missingIn,
  optionsOf,
  suggestion,
  type TargetText,
  textOfTarget,
} from './target-text';

/** A place as it is typed. */
export interface PlaceText {
  target: TargetText;
  /** Empty: the suggested one. */
  path: string;
  scope: string;
  policy: PolicyText;
  /** It is the folder of a project. */
  isProject: boolean;
}

export const textOfPlace = (place: PlaceInfo | null): PlaceText => ({
  target: textOfTarget(place?.options ?? null),
  isProject: place?.isProject === true,
  // The path of a project is its folder. A test needs any.
  path: place === null || place.isProject ? '' : place.path,
  scope: place?.projectId ?? ALL_PROJECTS,
  policy: textOfPolicy(place?.policy ?? DEFAULT_PLACE_POLICY),
});

/** A field of the form that can be wrong. */
export type PlaceField = MissingField | 'path' | PolicyField;

interface Wrong {
  /** Null: the form has no field for it. */
  field: PlaceField | null;
  why: Missing['why'] | 'places.pathWrong' | 'places.limitWrong';
}

/** The fields that errors of the main process are about. */
const FIELDS = {
  place_path_reserved: 'path',
  place_path_taken: 'path',
} as const satisfies Partial<Record<ErrorCode, PlaceField>>;

const byCode = fieldsByCode(FIELDS);

export const fieldOf = (error: Refusal): PlaceField | null => fieldOfRules(error) ?? byCode(error);

/** The place, or what is wrong. */
export function draftOf({
  target,
  path,
  scope,
  policy: policyText,
}: PlaceText): { draft: PlaceDraft } | { wrong: Wrong } {
  const options = optionsOf(target);
  if (options === null) return { wrong: missingIn(target) };
  const mount = mountOf(path === '' ? suggestion(target) : path);
  if (mount === null) return { wrong: { field: 'path', why: 'places.pathWrong' } };
  const policy = policyOf(policyText);
  if (policy === null) return { wrong: { field: 'calls', why: 'places.limitWrong' } };
  return { draft: { path: mount, options, projectId: projectOf(scope), policy } };
}

/** `docs`, `/docs` and `/docs/` are the same. Null: not a usable name. */
function mountOf(text: string): string | null {
  const name = text.trim().replace(/^\/+|\/+$/gu, '');
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,62}$/u.test(name) ? `/${name}/` : null;
}
