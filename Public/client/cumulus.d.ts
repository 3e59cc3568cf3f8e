/**
 * Types of the JavaScript client. A schema maps record types to their fields: `configure<{ Note: { title: string } }>(…)`.
 * `cumulus schema types` makes one.
 */

export type Environment = "development" | "production";
export type DatabaseScope = "PUBLIC" | "PRIVATE" | "SHARED";

export interface ZoneID { zoneName: string; ownerRecordName?: string; zoneType?: string }
/** A zone by its name, or by its ID. */
export type Zone = string | ZoneID;

export interface Location {
    latitude: number; longitude: number; horizontalAccuracy?: number; verticalAccuracy?: number; altitude?: number;
    speed?: number; course?: number; timestamp?: number;
}
export interface Reference { recordName: string; action?: "NONE" | "DELETE_SELF" | "VALIDATE"; zoneID?: ZoneID }
export interface Asset {
    fileChecksum: string; size: number; receipt?: string; wrappingKey?: string; referenceChecksum?: string; downloadURL?: string;
}

/** A value as the short calls have it. */
export type Value =
    | string | number | bigint | boolean | Date | Uint8Array | Location | Reference | Asset
    | string[] | (number | bigint)[] | Date[] | Uint8Array[] | Location[] | Reference[] | Asset[];
/** A value as the wire has it. */
export interface FieldValue { value: unknown; type?: string; isEncrypted?: boolean }

export type Fields = Record<string, Value | undefined>;
export type Schema = Record<string, object>;
/** Fields that are to be saved: bare values, values with their types, files to upload, or null to clear. */
export type FieldsToSave<F> = { [Name in keyof F]?: F[Name] | FieldValue | Blob | Blob[] | null };

export interface Stamp { timestamp: number; userRecordName: string; deviceID: string }

interface SystemFields {
    recordChangeTag?: string; zoneID?: ZoneID; created?: Stamp; modified?: Stamp; share?: Reference; shortGUID?: string;
    publicPermission?: Permission; participants?: Participant[]; owner?: Participant; currentUserParticipant?: Participant;
}

/** A record as it was read. */
export interface CKRecord<Type extends string = string, F = Fields> extends SystemFields {
    recordName: string; recordType: Type; fields: Partial<F>; parent?: Reference;
}
/** A record that is to be saved. */
export interface RecordToSave<Type extends string = string, F = Fields> extends SystemFields {
    recordName?: string; recordType: Type; fields?: FieldsToSave<F>; parent?: Reference | string | null;
    createShortGUID?: boolean; forRecord?: { recordName: string; recordChangeTag?: string };
}
/** A record as CloudKit JS has it. */
export interface WireRecord extends SystemFields {
    recordName: string; recordType: string; fields: Record<string, FieldValue>; parent?: Reference; deleted?: boolean;
}

export type Permission = "NONE" | "READ_ONLY" | "READ_WRITE";
export interface UserIdentity {
    userRecordName: string; emailAddress?: string; nameComponents?: { givenName?: string; familyName?: string };
    lookupInfo?: LookupInfo;
}
export interface LookupInfo { emailAddress?: string; phoneNumber?: string; userRecordName?: string }
export interface Participant {
    participantId?: string; type?: "OWNER" | "USER" | "PUBLIC_USER" | "ADMINISTRATOR"; permission?: Permission;
    acceptanceStatus?: "INVITED" | "ACCEPTED" | "REMOVED"; userIdentity?: Partial<UserIdentity>;
}

export interface ErrorDetails {
    ckErrorCode?: string; serverErrorCode?: string; reason?: string; retryAfter?: number; recordName?: string;
    zoneID?: ZoneID; subscriptionID?: string; shortGUID?: unknown; redirectURL?: string; uuid?: string; status?: number;
    restoredTo?: number; serverRecord?: CKRecord;
}
/** An error of a request or of one of its items. */
export class CKError extends Error implements ErrorDetails {
    constructor(details: ErrorDetails, options?: { cause?: unknown });
    ckErrorCode: string; serverErrorCode?: string; reason?: string; retryAfter?: number; recordName?: string;
    zoneID?: ZoneID; subscriptionID?: string; shortGUID?: unknown; redirectURL?: string; uuid?: string; status?: number;
    restoredTo?: number; serverRecord?: CKRecord;
    readonly isRetryable: boolean;
    readonly isConflict: boolean;
    readonly isAbort: boolean;
    readonly isSignInRequired: boolean;
    readonly isTokenRefused: boolean;
}

export interface TokenStore {
    getToken(key: string): string | null | Promise<string | null>;
    putToken(key: string, token: string | null): void | Promise<void>;
}
/** A random name, also on pages without TLS. */
export function uuid(): string;
export function memoryTokenStore(): TokenStore;
export function localTokenStore(prefix?: string): TokenStore;
export function cookieTokenStore(cookie: { get(name: string): string | null; set(name: string, value: string | null): void }): TokenStore;

export interface ContainerSettings {
    containerIdentifier: string;
    /** "development" when left out. */
    environment?: Environment;
    apiTokenAuth: { apiToken: string; /** Keeps the user's token in the browser. */ persist?: boolean; ckWebAuthToken?: string };
}
export interface Settings {
    /** Scheme, host and port of the server. */
    origin: string;
    containers: ContainerSettings[];
    tokenStore?: TokenStore;
    fetch?: typeof fetch;
    /** Names this client, so that it is not told of its own writes. */
    clientId?: string;
    /** Seconds without a byte after which a try of a request ends, longer for a large body; 30 when left out. */
    timeLimit?: number;
    /** Seconds that a call waits at most where the server asks for a pause; 30 when left out. */
    longestWait?: number;
    /** Milliseconds before the first repeat; they double. 500 when left out. */
    retryDelay?: number;
    /** How INT64 values are read: "number" while that is exact, or always "bigint". */
    int64?: "number" | "bigint";
    /** "poll" where a proxy holds streams back. */
    notifications?: { transport?: "stream" | "poll" };
}

export function configure<S extends Schema = Record<string, Fields>>(settings: Settings): Cumulus<S>;
export class Cumulus<S extends Schema = Record<string, Fields>> {
    constructor(settings: Settings);
    readonly origin: string;
    getDefaultContainer(): Container<S>;
    getContainer(identifier: string): Container<S>;
    getAllContainers(): Container<S>[];
}

export interface Session {
    readonly userIdentity: UserIdentity | null;
    onChange(listener: (identity: UserIdentity | null) => void): () => void;
}
export interface SignInNonce { nonce: string; hashedNonce: string; expires: Date }
export interface TokenSignInOptions {
    provider: string; idToken: string; nonce: SignInNonce | string; signal?: AbortSignal;
    name?: { givenName?: string; familyName?: string } | { firstName?: string; lastName?: string };
}
export interface SignInOptions { mode?: "auto" | "popup" | "redirect"; webAuthToken?: string; signal?: AbortSignal }

export class Container<S extends Schema = Record<string, Fields>> {
    private constructor();
    readonly containerIdentifier: string;
    readonly environment: Environment;
    readonly origin: string;
    readonly key: string;
    readonly auth: Session;
    readonly publicCloudDatabase: Database<S>;
    readonly privateCloudDatabase: Database<S>;
    readonly sharedCloudDatabase: Database<S>;
    readonly notifications: Notifications;
    readonly keyValue: KeyValueStore;
    getDatabaseWithDatabaseScope(scope: DatabaseScope | Lowercase<DatabaseScope>): Database<S>;
    setUpAuth(): Promise<UserIdentity | null>;
    signIn(options?: SignInOptions): Promise<UserIdentity | null>;
    prepareSignIn(options?: { signal?: AbortSignal }): Promise<SignInNonce>;
    signInWithToken(options: TokenSignInOptions): Promise<UserIdentity | null>;
    signInURL(): Promise<string>;
    signOut(): Promise<void>;
    whenUserSignsIn(): Promise<UserIdentity>;
    whenUserSignsOut(): Promise<void>;
    fetchCurrentUserIdentity(): Promise<UserIdentity>;
    discoverAllUserIdentities(): Promise<Answer<"users", UserIdentity>>;
    discoverUserIdentities(lookupInfos: LookupInfo[]): Promise<Answer<"users", UserIdentity>>;
    discoverUserIdentityWithEmailAddress(emailAddress: string): Promise<UserIdentity | null>;
    discoverUserIdentityWithPhoneNumber(phoneNumber: string): Promise<UserIdentity | null>;
    discoverUserIdentityWithUserRecordName(userRecordName: string): Promise<UserIdentity | null>;
    fetchRecordInfos(shortGUIDs: ShortGUID | ShortGUID[]): Promise<Answer<"results", RecordInfo>>;
    acceptShares(shortGUIDs: ShortGUID | ShortGUID[]): Promise<Answer<"results", RecordInfo>>;
    shareURL(share: { shortGUID?: string }): string;
    assetURL(asset: Asset, fileName?: string): string;
    addNotificationListener(listener: (message: Message) => void): void;
    removeNotificationListener(listener: (message: Message) => void): void;
}

export type ShortGUID = string | { value: string; shouldFetchRootRecord?: boolean; rootRecordDesiredKeys?: string[] };
export interface RecordInfo {
    shortGUID: { value: string }; databaseScope: DatabaseScope; zoneID: ZoneID; share: WireRecord; rootRecordName?: string;
    rootRecord?: WireRecord; participantStatus: string; participantPermission: Permission; ownerIdentity: Partial<UserIdentity>;
}

export type Answer<Key extends string, Item> = { [K in Key]: Item[] } & { errors: CKError[]; hasErrors: boolean };
export type Comparator =
    | "=" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in" | "beginsWith" | "contains" | "words"
    | "EQUALS" | "NOT_EQUALS" | "LESS_THAN" | "LESS_THAN_OR_EQUALS" | "GREATER_THAN" | "GREATER_THAN_OR_EQUALS" | "IN" | "NOT_IN"
    | "BEGINS_WITH" | "NOT_BEGINS_WITH" | "CONTAINS_ALL_TOKENS" | "CONTAINS_ANY_TOKENS" | "LIST_CONTAINS" | "NOT_LIST_CONTAINS"
    | "LIST_CONTAINS_ALL" | "LIST_CONTAINS_ANY" | "NOT_LIST_CONTAINS_ALL" | "NOT_LIST_CONTAINS_ANY" | "LIST_MEMBER_BEGINS_WITH"
    | "NOT_LIST_MEMBER_BEGINS_WITH" | "NEAR";
export type SystemField = "recordName" | "share" | "parent" | "createdUserRecordName" | "createdTimestamp" | "modifiedTimestamp" | "modifiedUserRecordName";
type Name<F> = (keyof F & string) | SystemField;
export type Condition<F> = [field: Name<F> | undefined, comparator: Comparator, value: Value, distance?: number] | Filter;
export interface Filter { fieldName?: string; systemFieldName?: string; comparator: string; fieldValue: FieldValue; distance?: number }
export type SortKey<F> = Name<F> | `-${Name<F>}` | { fieldName?: string; systemFieldName?: string; ascending?: boolean; relativeLocation?: unknown };

export interface CallOptions { zone?: Zone; signal?: AbortSignal }
export interface QueryOptions<F> extends CallOptions {
    where?: Condition<F>[]; orderBy?: SortKey<F> | SortKey<F>[]; zoneWide?: boolean; desiredKeys?: string[]; resultsLimit?: number;
}
export interface RecordsOptions {
    zoneID?: Zone; atomic?: boolean; desiredKeys?: string[]; resultsLimit?: number; numbersAsStrings?: boolean; zoneWide?: boolean;
    continuationMarker?: string; signal?: AbortSignal;
}
export type Change<F = Fields> =
    | { record: CKRecord<string, F>; deleted?: undefined; resync?: undefined; token?: undefined }
    | { deleted: string; record?: undefined; resync?: undefined; token?: undefined }
    | { resync: true; restoredTo?: number; record?: undefined; deleted?: undefined; token?: undefined }
    | { token: string; record?: undefined; deleted?: undefined; resync?: undefined };
export interface Progress { loaded: number; total: number }
export interface ShareOptions extends CallOptions { title?: string; publicPermission?: Permission; participants?: Participant[] }
export interface WireZone { zoneID: ZoneID; syncToken?: string; atomic?: boolean; deleted?: boolean }
export interface Subscription {
    subscriptionID?: string; subscriptionType: "zone" | "query" | "database"; zoneID?: ZoneID; zoneWide?: boolean;
    firesOn?: ("create" | "update" | "delete")[]; query?: { recordType: string; filterBy?: Filter[] }; notificationInfo?: object;
}
export type QueryResponse = Answer<"records", WireRecord> & { continuationMarker?: string; moreComing: boolean };
export interface WireQuery { recordType: string; filterBy?: Filter[]; sortBy?: object[] }

export class Database<S extends Schema = Record<string, Fields>> {
    private constructor();
    readonly databaseScope: DatabaseScope;
    get<T extends keyof S & string>(recordName: string, options?: CallOptions & { desiredKeys?: string[] }): Promise<CKRecord<T, S[T]> | null>;
    save<T extends keyof S & string>(record: RecordToSave<T, S[T]>, options?: CallOptions & {
        merge?: (ancestor: CKRecord<T, S[T]> | null, mine: RecordToSave<T, S[T]>, theirs: CKRecord<T, S[T]>) => RecordToSave<T, S[T]> | Promise<RecordToSave<T, S[T]>>;
    }): Promise<CKRecord<T, S[T]>>;
    delete(record: string | { recordName: string; recordChangeTag?: string; zoneID?: ZoneID }, options?: CallOptions): Promise<void>;
    query<T extends keyof S & string>(recordType: T, options?: QueryOptions<S[T]>): AsyncGenerator<CKRecord<T, S[T]>, void, void>;
    changes(options: { zone: Zone; since?: string | null; desiredKeys?: string[]; signal?: AbortSignal }): AsyncGenerator<Change, void, void>;
    upload(record: { recordType: string; recordName?: string; fields?: object; zoneID?: ZoneID }, fieldName: string, data: Blob | BufferSource | string,
        options?: CallOptions & { onProgress?: (progress: Progress) => void }): Promise<Asset>;
    download(record: CKRecord<string, any>, fieldName: string, options?: { signal?: AbortSignal }): Promise<Response>;
    ensureZone(zone: Zone, options?: { signal?: AbortSignal }): Promise<WireZone>;
    share(root: { recordName: string; recordChangeTag?: string; zoneID?: ZoneID }, options?: ShareOptions): Promise<CKRecord>;

    fetchRecords(records: Named | Named[], options?: RecordsOptions): Promise<Answer<"records", WireRecord>>;
    saveRecords(records: RecordToSave | RecordToSave[], options?: RecordsOptions): Promise<Answer<"records", WireRecord>>;
    deleteRecords(records: Named | Named[], options?: RecordsOptions): Promise<Answer<"records", WireRecord>>;
    newRecordsBatch(options?: RecordsOptions): RecordsBatch;
    performQuery(query: WireQuery | QueryResponse, options?: RecordsOptions): Promise<QueryResponse>;
    fetchDatabaseChanges(options?: { syncToken?: string; resultsLimit?: number; signal?: AbortSignal }): Promise<Answer<"zones", WireZone> & { syncToken: string; moreComing: boolean }>;
    fetchRecordZoneChanges(zones: Zone | (ZoneID | { zoneID: ZoneID; syncToken?: string })[], options?: RecordsOptions):
        Promise<Answer<"zones", WireZone & { records: WireRecord[]; moreComing: boolean }>>;
    fetchAllRecordZones(): Promise<Answer<"zones", WireZone>>;
    fetchRecordZones(zones: Zone | Zone[]): Promise<Answer<"zones", WireZone>>;
    saveRecordZones(zones: Zone | Zone[]): Promise<Answer<"zones", WireZone>>;
    deleteRecordZones(zones: Zone | Zone[]): Promise<Answer<"zones", WireZone>>;
    fetchAllSubscriptions(): Promise<Answer<"subscriptions", Subscription>>;
    fetchSubscriptions(subscriptions: SubscriptionName | SubscriptionName[]): Promise<Answer<"subscriptions", Subscription>>;
    saveSubscriptions(subscriptions: Subscription | Subscription[]): Promise<Answer<"subscriptions", Subscription>>;
    deleteSubscriptions(subscriptions: SubscriptionName | SubscriptionName[]): Promise<Answer<"subscriptions", Subscription>>;
}
export type Named = string | { recordName: string };
export type SubscriptionName = string | { subscriptionID: string };

export interface RecordsBatch {
    create(records: RecordToSave | RecordToSave[]): this;
    update(records: RecordToSave | RecordToSave[]): this;
    createOrUpdate(records: RecordToSave | RecordToSave[]): this;
    replace(records: RecordToSave | RecordToSave[]): this;
    forceUpdate(records: RecordToSave | RecordToSave[]): this;
    forceReplace(records: RecordToSave | RecordToSave[]): this;
    delete(records: Named | Named[]): this;
    forceDelete(records: Named | Named[]): this;
    commit(): Promise<Answer<"records", WireRecord>>;
}

/** A message about a change, or what became of the connection. */
export interface Message {
    aps?: object; reconnected?: true; failed?: CKError;
    ck?: {
        cid: string; nid: string; fet?: { sid: string; zid: string; zoid: string; dbs: number }; met?: { sid: string };
        qry?: { sid: string; rid?: string; zid: string; zoid: string; fo?: 1 | 2 | 3; dbs: number; af?: Record<string, unknown> };
        kvs?: { reason: string };
    };
}
export class Notifications {
    private constructor();
    on(listener: (message: Message) => void): () => void;
    stop(): void;
}

export type KeyValue = string | number | bigint | boolean | Date | Uint8Array | KeyValue[] | { [key: string]: KeyValue };
export class KeyValueStore {
    private constructor();
    get(key: string): KeyValue | undefined;
    keys(): string[];
    set(key: string, value: KeyValue): Promise<void>;
    remove(key: string): Promise<void>;
    synchronize(): Promise<void>;
    onChange(listener: (change: { reason: string; keys: string[] }) => void): () => void;
}
