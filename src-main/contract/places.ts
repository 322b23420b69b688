import { z } from 'zod';
import { PlaceId, ProjectId, ThreadId } from './ids';
import { AppError } from './result';

/** Where the agent's tools find a place: one name at the top of their tree, such as `/docs/`. */
const PlacePath = z.string().regex(/^\/[\p{L}\p{N}][\p{L}\p{N}._-]{0,62}\/$/u);

/** A folder on another machine, over the person's OpenSSH client. */
const SshOptions = z.strictObject({
  kind: z.literal('ssh'),
  /** A name of the person's OpenSSH configuration, or `user@host`. */
  host: z.string().min(1).max(255),
  /** Absolute, or below `~`. */
  folder: z.string().min(1).max(4_096),
  /** Fingerprints (`SHA256:…`) that the person accepted for hosts that OpenSSH did not know. */
  hostKeys: z.array(z.string().regex(/^SHA256:[A-Za-z0-9+/=]{1,100}$/)).max(10),
});

/** A folder in a running container of this machine. */
const ContainerOptions = z.strictObject({
  kind: z.literal('container'),
  engine: z.enum(['docker', 'podman']),
  /** Its name or id. */
  container: z.string().min(1).max(255),
  /** Absolute, or below `~`. */
  folder: z.string().min(1).max(4_096),
});

/** What a place is made of, by kind. Never holds a secret. */
export const PlaceOptions = z.discriminatedUnion('kind', [
  /** Another folder of this machine. */
  z.strictObject({ kind: z.literal('folder'), folder: z.string().min(1).max(4_096) }),
  SshOptions,
  ContainerOptions,
  /** Memories of a team in a Postgres database. */
  z.strictObject({
    kind: z.literal('team'),
    /** `postgresql://user@host:5432/database`, without a password. */
    address: z.string().min(1).max(2_000),
  }),
  /** Files in a bucket of S3, or of a server that speaks its protocol. */
  z.strictObject({
    kind: z.literal('bucket'),
    bucket: z.string().min(1).max(255),
    /** What the keys begin with. Empty: the whole bucket. */
    prefix: z.string().max(1_000),
    region: z.string().min(1).max(64),
    /** `https://host:port`. Empty: Amazon. */
    endpoint: z.string().max(2_000),
    /** Its secret is in the keychain. Empty: without a key, as for public buckets. */
    accessKeyId: z.string().max(200),
  }),
  /** Prompts and memories in an agent repository of the LangSmith Hub. */
  z.strictObject({
    kind: z.literal('hub'),
    /** `https://host`. Empty: LangSmith's own. */
    server: z.string().max(2_000),
    /** `name` or `owner/name`. */
    repository: z.string().min(1).max(255),
  }),
  /** The files that a module of a project provides. */
  z.strictObject({
    kind: z.literal('module'),
    /** The module: `.deepdesk/places.mjs` in the folder of the only project that has the place. */
    file: z.string().min(1).max(4_096),
    /** SHA-256 of the content that the person allowed. */
    hash: z.string().regex(/^[0-9a-f]{64}$/),
  }),
]);
export type PlaceOptions = z.infer<typeof PlaceOptions>;
export type PlaceKind = PlaceOptions['kind'];

/** To whom the secret of a place goes: two places with the same account share host, encryption and name. */
export function accountOf(options: PlaceOptions): string {
  switch (options.kind) {
    case 'ssh':
      return JSON.stringify([options.kind, ...serverOf(options.host)]);
    case 'team':
      return JSON.stringify([options.kind, ...serverOf(options.address)]);
    case 'bucket':
      return JSON.stringify([options.kind, ...serverOf(options.endpoint), options.accessKeyId]);
    case 'hub':
      return JSON.stringify([options.kind, ...serverOf(options.server)]);
    default:
      return JSON.stringify(options);
  }
}

/** Scheme, account, host and parameters of an address with a scheme. */
const WITH_SCHEME =
  /^([a-z][a-z0-9+.-]*:\/\/)(?:([\w.%+~-]*)(?::[^@/?#\s\\]*)?@)?([\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:\/[^?#\s\\]*)?(\?[^#\s]*)?$/i;
/** Account and host of SSH. */
const WITHOUT_SCHEME = /^((?:[^@\s]+@)?)([\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/**
 * Without password, port and path. The parameters of a database can name another host or turn off TLS. An address of
 * another form counts as a whole.
 */
const serverOf = (address: string): string[] =>
  (WITH_SCHEME.exec(address) ?? WITHOUT_SCHEME.exec(address))?.slice(1).map((part) => part ?? '') ?? [
    address,
  ];

/** Where a place is, in one line. */
export function placeTarget(options: PlaceOptions): string {
  switch (options.kind) {
    case 'folder':
      return options.folder;
    case 'ssh':
      return `${options.host}:${options.folder}`;
    case 'container':
      return `${options.engine} ${options.container}:${options.folder}`;
    case 'team':
      return options.address;
    case 'bucket': {
      const { bucket, prefix, endpoint } = options;
      return `s3://${bucket}/${prefix}${endpoint === '' ? '' : ` (${endpoint})`}`;
    }
    case 'hub':
      return options.repository + (options.server === '' ? '' : ` (${options.server})`);
    case 'module':
      return options.file;
    default:
      return options satisfies never;
  }
}

/** Of one place, or of one project. */
export const MAX_PATH_RULES = 100;

/**
 * What the agent may do at the paths of a pattern: an exception to what a place allows, or a rule of a project. The first one
 * that matches a path decides.
 */
export const PlaceRule = z.strictObject({
  effect: z.enum(['allow', 'ask', 'deny']),
  operations: z
    .array(z.enum(['read', 'write']))
    .min(1)
    .max(2),
  /** A glob relative to the place or the project folder: `drafts/**`, `*.key`. In a project also `/etc/hosts` and `~/notes`. */
  glob: z.string().min(1).max(1_000),
});
export type PlaceRule = z.infer<typeof PlaceRule>;

/** What the agent may do in a place. */
export const PlacePolicy = z.strictObject({
  reading: z.enum(['allow', 'ask']),
  writing: z.enum(['allow', 'ask', 'deny']),
  rules: z.array(PlaceRule).max(MAX_PATH_RULES),
  /** Further calls within a minute are rejected. Null: no limit. */
  callsPerMinute: z.number().int().min(1).max(100_000).nullable(),
});
export type PlacePolicy = z.infer<typeof PlacePolicy>;

export const DEFAULT_PLACE_POLICY: PlacePolicy = {
  reading: 'allow',
  writing: 'ask',
  rules: [],
  callsPerMinute: null,
};

/** A place as stored. */
export const Place = z.object({
  id: PlaceId,
  /** One name, except for the folder of a project: its path there. */
  path: z.string().regex(/^\/(?:[^/]+\/)+$/),
  options: PlaceOptions,
  /** The only project that has it. Null: every project has it. */
  projectId: ProjectId.nullable(),
  policy: PlacePolicy,
  /** Milliseconds since 1970. */
  createdAt: z.number(),
});
export type Place = z.infer<typeof Place>;

/** The folder of a project on another computer or in a container, as the person describes it. */
export const RemoteOptions = z.discriminatedUnion('kind', [SshOptions, ContainerOptions]);
export type RemoteOptions = z.infer<typeof RemoteOptions>;

/** A place as the person describes it. */
export const PlaceDraft = z.strictObject({
  path: PlacePath,
  options: PlaceOptions,
  projectId: ProjectId.nullable(),
  policy: PlacePolicy,
});
export type PlaceDraft = z.infer<typeof PlaceDraft>;

/**
 * Whether a place can be used. `unused`: nothing has needed it since the start. `offline`: it could not be reached.
 * `refused`: it was reached and does not let us in, or is not what was set up.
 */
export const PlaceState = z.object({
  phase: z.enum(['unused', 'connecting', 'connected', 'offline', 'refused']),
  /** Milliseconds since 1970. */
  since: z.number(),
  /** Why it is offline or refused. */
  error: AppError.nullable(),
});
export type PlaceState = z.infer<typeof PlaceState>;

/** A place as the window shows it. */
export const PlaceInfo = Place.extend({
  state: PlaceState,
  /** A password or key is stored. */
  hasSecret: z.boolean(),
  /** The agent may run commands there. */
  runsCommands: z.boolean(),
  /** It is the folder of its project. */
  isProject: z.boolean(),
});
export type PlaceInfo = z.infer<typeof PlaceInfo>;

/** One call of the agent at a path of a place, or of a project with rules about paths. */
export const PlaceCall = z.object({
  id: z.number(),
  threadId: ThreadId,
  /** The thread's title. */
  title: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  operation: z.enum(['read', 'write', 'delete', 'run']),
  /** The path of the tools, or the command. */
  target: z.string(),
  /** `asked`: the person allowed it. `denied`: a rule, a mode or the person did not. */
  result: z.enum(['allowed', 'asked', 'denied', 'failed']),
});
export type PlaceCall = z.infer<typeof PlaceCall>;
