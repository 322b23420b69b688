/** A tool as the server describes it. */
export interface ServerTool {
  title: string;
  description: string;
  /** JSON Schema of its arguments. */
  schema: Record<string, unknown>;
  saysReadOnly: boolean;
  saysDestructive: boolean;
}
