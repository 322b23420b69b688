/** The actions of the offline assistant. `source` is the original text of the request, for reports. */
export type Action = { source: string } & (
  | { do: 'list'; dir: string | null }
  /** `fromLine` is 1-based. */
  | { do: 'read'; file: string; fromLine: number | null }
  | { do: 'find'; text: string; dir: string | null }
  | { do: 'files'; glob: string }
  | { do: 'create'; file: string; text: string }
  | { do: 'replace'; from: string; to: string; file: string; all: boolean }
  | { do: 'delete'; file: string }
  | { do: 'run'; command: string }
  | { do: 'remember'; name: string | null; text: string }
  | { do: 'recall'; about: string | null }
  | { do: 'forget'; name: string }
  | { do: 'plan'; items: string[] }
  | { do: 'delegate'; request: string }
  | { do: 'demo' }
);

export type ActionName = Action['do'];
