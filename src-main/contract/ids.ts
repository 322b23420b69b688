import { z } from 'zod';

/** Ids are opaque strings, branded so that one kind cannot be passed as another. */
const id = z.string().min(1).max(200);

export const ProjectId = id.brand<'ProjectId'>();
export type ProjectId = z.infer<typeof ProjectId>;

export const ThreadId = id.brand<'ThreadId'>();
export type ThreadId = z.infer<typeof ThreadId>;

export const TurnId = id.brand<'TurnId'>();
export type TurnId = z.infer<typeof TurnId>;

export const MessageId = id.brand<'MessageId'>();
export type MessageId = z.infer<typeof MessageId>;

/** The model's id of a tool call, made unique within its thread. */
export const CallId = id.brand<'CallId'>();
export type CallId = z.infer<typeof CallId>;

export const ApprovalId = id.brand<'ApprovalId'>();
export type ApprovalId = z.infer<typeof ApprovalId>;

export const TerminalId = id.brand<'TerminalId'>();
export type TerminalId = z.infer<typeof TerminalId>;

export const PlaceId = id.brand<'PlaceId'>();
export type PlaceId = z.infer<typeof PlaceId>;

export const RemoteAgentId = id.brand<'RemoteAgentId'>();
export type RemoteAgentId = z.infer<typeof RemoteAgentId>;

export const RoutineId = id.brand<'RoutineId'>();
export type RoutineId = z.infer<typeof RoutineId>;

/** Identifies a window's view across restarts. The window generates it and uses it as a key in its own storage. */
export const ViewId = z.string().regex(/^[a-z0-9-]{1,40}$/);
