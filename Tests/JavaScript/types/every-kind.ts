// Made by: cumulus schema types --schema every-kind.ckdb --language typescript
import type * as Client from "cumulus-client";

/** Record type "Date". */
export interface DateRecord {
    Date: Date;
}

export interface EveryKind {
    asset: Client.Asset;
    assets: Client.Asset[];
    bytes: Uint8Array;
    bytesList: Uint8Array[];
    double: number;
    doubles: number[];
    int64: number | bigint;
    int64s: (number | bigint)[];
    location: Client.Location;
    locations: Client.Location[];
    number: number | bigint;
    numbers: (number | bigint)[];
    reference: Client.Reference;
    references: Client.Reference[];
    secretBytes: Uint8Array;
    /** Encrypted: save it as `{ value, isEncrypted: true }`. */
    secretDate: Date;
    /** Encrypted: save it as `{ value, isEncrypted: true }`. */
    secretDouble: number;
    /** Encrypted: save it as `{ value, isEncrypted: true }`. */
    secretInt64: number | bigint;
    /** Encrypted: save it as `{ value, isEncrypted: true }`. */
    secretLocation: Client.Location;
    /** Encrypted: save it as `{ value, isEncrypted: true }`. */
    secretString: string;
    /** Encrypted: save it as `{ value, isEncrypted: true }`. */
    secretStrings: string[];
    settled: number | bigint;
    string: string;
    strings: string[];
    timestamp: Date;
    timestamps: Date[];
}

export interface Users {
    nickname: string;
    roles: (number | bigint)[];
}

/** Record type "a-b.c". */
export interface a_b_c_2 {
    a: string;
}

export interface a_b_c {
    a: string;
}

/** Record type "class". */
export interface classRecord {
    Any: string;
    Protocol: string;
    Self: string;
    String: string;
    Type: string;
    constructor: string | Object["constructor"];
    default: string;
    description: string;
    func: string;
    hasOwnProperty: number | bigint | Object["hasOwnProperty"];
    init: string;
    let: string;
    newValue: string;
    nil: string;
    record: string;
    recordType: string;
    self: string;
    toString: string | Object["toString"];
    var: string;
    while: string;
}

/** Record type "cloudkit.share". */
export interface CloudKitShare {
    "cloudkit.thumbnailImageData": Uint8Array;
    "cloudkit.title": string;
    "cloudkit.type": string;
}

/** The fields of each record type, for `configure<Schema>(…)`. */
export type Schema = {
    Date: DateRecord;
    EveryKind: EveryKind;
    Users: Users;
    "a-b.c": a_b_c_2;
    a_b_c: a_b_c;
    class: classRecord;
    "cloudkit.share": CloudKitShare;
};
