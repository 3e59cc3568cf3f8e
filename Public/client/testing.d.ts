import type { Container, Fields, Schema, Settings, Value } from "./cumulus.js";

export interface EmulatorSettings {
    /** CUMULUS_ORIGIN when left out, as `cumulus exec` sets it; so with the others. */
    origin?: string; container?: string; apiToken?: string;
    fetch?: typeof fetch;
}
/** A line of a seed. */
export type SeedLine =
    | { person: string; givenName?: string; familyName?: string }
    | { zone: string; of: string }
    | {
        record: { recordType: string; recordName: string; fields?: Record<string, Value | { value: unknown; type?: string }> };
        zone?: string; of?: string; by?: string;
    };
export interface Fault {
    route?: string; user?: string; recordType?: string; nth?: number; count?: number; probability?: number; seed?: number;
    error?: string; retryAfter?: number; hangUp?: "before" | "after"; latency?: number; operation?: number; pageSize?: number;
    syncToken?: "refused"; bandwidth?: number; cutAt?: number; push?: "lost" | "twice" | "late" | "swapped";
}
/** Something that a client should do otherwise. */
export interface Finding {
    rule: "retryAfter" | "moreComing" | "syncToken" | "recordChangeTag" | "poll" | "clientId" | "production";
    text: string; advice: string; container: string; user?: string; clientId?: string; request?: string; count: number;
}

export class Emulator {
    constructor(settings?: EmulatorSettings);
    readonly origin: string;
    readonly container: string;
    readonly apiToken: string;
    signedIn<S extends Schema = Record<string, Fields>>(email?: string, settings?: Partial<Settings>): Promise<Container<S>>;
    seed(lines: string | SeedLine[]): Promise<{ people: number; zones: number; records: number }>;
    reset(options?: { keepSchema?: boolean }): Promise<unknown>;
    takeSnapshot(name: string): Promise<unknown>;
    deleteSnapshot(name: string): Promise<unknown>;
    snapshots(): Promise<string[]>;
    restore(name: string, options?: { syncTokens?: "kept" | "refused" }): Promise<unknown>;
    now(): Promise<Date>;
    setClock(date: Date): Promise<unknown>;
    advanceClock(seconds: number): Promise<unknown>;
    freezeClock(): Promise<unknown>;
    runClock(): Promise<unknown>;
    addFault(fault: Fault): Promise<number>;
    faults(): Promise<(Fault & { id: number; matched: number; decided: number })[]>;
    removeFaults(): Promise<unknown>;
    startLint(options?: { hasWholeSchema?: boolean }): Promise<unknown>;
    lint(): Promise<Finding[]>;
    stopLint(): Promise<unknown>;
}
