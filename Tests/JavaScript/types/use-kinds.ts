// Compiled by the tests, never run, as use.ts is. A test of the program holds every-kind.ts to `cumulus schema types`.
import { configure, type Asset, type Location, type Reference } from "cumulus-client";
import { openOffline } from "cumulus-client/offline";
import type { EveryKind, Schema, Users } from "./every-kind.js";

const container = configure<Schema>({ origin: "https://cloud.example.com", containers: [] }).getDefaultContainer();
const database = container.privateCloudDatabase;

/** Whether two types are the same. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends (<T>() => T extends Other ? 1 : 2) ? true : false;
const kinds: [
    Same<EveryKind["asset"], Asset>, Same<EveryKind["bytesList"], Uint8Array[]>, Same<EveryKind["double"], number>,
    Same<EveryKind["int64"], number | bigint>, Same<EveryKind["int64s"], (number | bigint)[]>, Same<EveryKind["locations"], Location[]>,
    Same<EveryKind["reference"], Reference>, Same<EveryKind["secretString"], string>, Same<EveryKind["timestamp"], Date>,
    Same<Users["roles"], (number | bigint)[]>,
] = [true, true, true, true, true, true, true, true, true, true];

export async function use(): Promise<unknown[]> {
    for await (const { recordType, fields } of database.query("EveryKind", { where: [["int64", "in", [1, 2n]]], orderBy: "-timestamp" })) {
        const type: "EveryKind" = recordType;
        const text: string | undefined = fields.string;
        console.log(type, text?.length, Number(fields.int64) + 1, fields.timestamp?.getTime(), fields.location?.latitude, fields.reference?.recordName);
        // What was read can be asked for and saved again.
        database.query("EveryKind", { where: fields.int64s && [["int64", "in", fields.int64s]] });
        await database.save({ recordType, fields: { ...fields, int64: 1, strings: ["a"], asset: null } });
    }
    // @ts-expect-error: a field that the schema does not have
    database.query("EveryKind", { orderBy: "title" });
    // @ts-expect-error: a text is no date
    await database.save({ recordType: "EveryKind", fields: { timestamp: "today" } });
    // @ts-expect-error: the schema's name of a type is not that of its interface
    database.query("DateRecord");
    await database.save({ recordType: "EveryKind", fields: { secretString: { value: "a", isEncrypted: true } } });
    await database.save({ recordType: "Date", fields: { Date: new Date() } });
    await database.save({ recordType: "a-b.c", fields: { a: "a" } });
    await database.save({ recordType: "class", fields: { default: "a", toString: "b" } });
    const share = await database.get<"cloudkit.share">("Share-1");
    const title: string | undefined = share?.fields["cloudkit.title"];
    const local = await (await openOffline(container)).save({ recordType: "EveryKind", fields: { asset: new Blob(["a"]) } });
    return [title, local.fields.asset?.size, kinds];
}
