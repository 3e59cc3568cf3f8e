import type { CKRecord, CKError, Comparator, Container, Database, Fields, FieldsToSave, Reference, Schema, SystemField, Value, Zone, ZoneID } from "./cumulus.js";

/** Where records are kept. What a transaction writes counts whole or not at all. */
export interface Store {
    transaction<Result>(work: (transaction: StoreTransaction) => Promise<Result>): Promise<Result>;
    /** Runs work that only reads, without waiting for transactions. A store without it reads in transactions. */
    read?<Result>(work: (transaction: StoreTransaction) => Promise<Result>): Promise<Result>;
    close(): Promise<void>;
    /** Whether an earlier content could not be read. */
    wasDamaged?: boolean;
}
export type Table = "records" | "outbox" | "meta" | "problems" | "assets" | "index";
/** Part of a table in the order of its keys: from a key, below or before one, after one, at most so many, backwards. */
export interface Bounds { from?: string; below?: string; after?: string; before?: string; limit?: number; isReversed?: boolean }
export interface StoreTransaction {
    get(table: Table, key: string): Promise<any>;
    put(table: Table, key: string, value: unknown): Promise<void>;
    delete(table: Table, key: string): Promise<void>;
    /** The entries whose keys begin so, in the order of their keys. */
    entries(table: Table, prefix?: string): Promise<[key: string, value: any][]>;
    range(table: Table, bounds?: Bounds): Promise<[key: string, value: any][]>;
}
export function memoryStore(): Store;
export function indexedDBStore(name: string): Store;

export type LocalRecord<T extends string = string, F = Fields> = CKRecord<T, F> & { /** Whether an edit waits to be sent. */ isPending: boolean };
export interface Conflict { zone: ZoneID; ancestor: CKRecord | null; mine: CKRecord | null; theirs: CKRecord | null }
export type Resolution = "mine" | "theirs" | "delete" | { fields: FieldsToSave<Fields> } | undefined;

export interface OfflineOptions {
    store?: Store;
    scope?: "private" | "shared";
    zones?: Zone[];
    resolve?: (conflict: Conflict) => Resolution;
    deletes?: "ifUnchanged" | "force";
    onZoneDeleted?: "discard" | "keep";
    pageSize?: number;
    /** Fields by which `query` finds and sorts without reading all records, by record type: `{ Note: ["title", "due"] }`. */
    indexes?: Record<string, string[]>;
}
export interface LocalQueryOptions<F> {
    zone?: Zone; where?: [field: keyof F & string | SystemField, comparator: Comparator, value: Value][];
    orderBy?: string | string[]; limit?: number; /** The cursor of the page before. */ after?: string | null;
}
export function openOffline<S extends Schema>(container: Container<S>, options?: OfflineOptions): Promise<OfflineDatabase<S>>;

export interface Problem {
    id: string; kind: "refused" | "discarded" | "damaged"; zone?: ZoneID; recordName?: string; reason?: string; ckErrorCode?: string;
    record?: { type: string; fields: Record<string, { value: unknown; type?: string }> };
}
export type OfflineEvent =
    | { type: "records"; changes: { zone: ZoneID; recordName: string; deleted: boolean }[] }
    | { type: "status"; state: "idle" | "syncing" | "offline" | "signIn" | "failed"; error?: CKError }
    | { type: "account"; previous: string; current: string; unsent: { zone: ZoneID; name: string }[] }
    | { type: "resync"; zone: ZoneID; restoredTo?: number }
    | { type: "zoneDeleted"; zone: ZoneID }
    | { type: "upload"; zone: ZoneID; recordName: string; fieldName: string; loaded: number; total: number };

type WithFiles<F> = { [Name in keyof F]?: F[Name] | Blob | Blob[] | { value: unknown; type?: string } | null };
export interface LocalRecordToSave<T extends string, F> {
    recordName?: string; recordType: T; fields?: WithFiles<F>; parent?: Reference | string | null; zoneID?: ZoneID;
}
export interface Edit<S extends Schema> {
    save<T extends keyof S & string>(record: LocalRecordToSave<T, S[T]>, options?: { zone?: Zone }): void;
    delete(record: string | { recordName: string; zoneID?: ZoneID }, options?: { zone?: Zone }): void;
}

export class OfflineDatabase<S extends Schema = Record<string, Fields>> {
    private constructor();
    readonly container: Container<S>;
    readonly database: Database<S>;
    readonly status: { state: "idle" | "syncing" | "offline" | "signIn" | "failed"; error?: CKError };
    get<T extends keyof S & string>(recordName: string, options?: { zone?: Zone }): Promise<LocalRecord<T, S[T]> | null>;
    records<T extends keyof S & string>(options?: { zone?: Zone; recordType?: T }): Promise<LocalRecord<T, S[T]>[]>;
    query<T extends keyof S & string>(recordType: T, options?: LocalQueryOptions<S[T]>): Promise<{ records: LocalRecord<T, S[T]>[]; cursor: string | null }>;
    zones(): Promise<ZoneID[]>;
    save<T extends keyof S & string>(record: LocalRecordToSave<T, S[T]>, options?: { zone?: Zone }): Promise<LocalRecord<T, S[T]>>;
    delete(record: string | { recordName: string; zoneID?: ZoneID }, options?: { zone?: Zone }): Promise<void>;
    edit(work: (edit: Edit<S>) => void, options?: { isAtomic?: boolean }): Promise<LocalRecord[]>;
    revert(recordName: string, options?: { zone?: Zone }): Promise<void>;
    assetBytes(asset: { local?: string } | object | undefined): Promise<Uint8Array | null | undefined>;
    problems(): Promise<Problem[]>;
    dismiss(id: string): Promise<void>;
    retryRefused(): Promise<void>;
    pendingCount(): Promise<number>;
    sync(): Promise<void>;
    start(options?: { notifications?: boolean }): void;
    close(): Promise<void>;
    on(listener: (event: OfflineEvent) => void): () => void;
}
