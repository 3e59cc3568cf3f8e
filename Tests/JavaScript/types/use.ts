// Compiled by the tests, never run. Each line that must not compile says so.
import { CKError, configure, localTokenStore } from "../../../Public/client/cumulus.js";
import { openOffline } from "../../../Public/client/offline.js";
import { configureCloudKit } from "../../../Public/client/cloudkit-js.js";
import { fileStore } from "../../../Public/client/node.js";
import { Emulator } from "../../../Public/client/testing.js";

type Note = { title: string; stars: number; due: Date; tags: string[] };
const cloud = configure<{ Note: Note; Photo: { image: Blob } }>({
    origin: "https://cloud.example.com", tokenStore: localTokenStore(),
    containers: [{ containerIdentifier: "iCloud.com.example.app", environment: "production", apiTokenAuth: { apiToken: "x", persist: true } }],
});
const container = cloud.getDefaultContainer();
const database = container.privateCloudDatabase;

export async function use(signal: AbortSignal): Promise<string | undefined> {
    for await (const note of database.query("Note", { where: [["stars", ">", 3], ["tags", "contains", "a"]], orderBy: ["-due", "title"], zone: "Notes", signal })) {
        const title: string | undefined = note.fields.title;
        console.log(title, note.created?.timestamp);
    }
    // @ts-expect-error: there is no such field
    database.query("Note", { where: [["star", ">", 3]] });
    // @ts-expect-error: there is no such record type
    database.query("Notes");
    // @ts-expect-error: a title is a text
    await database.save({ recordType: "Note", fields: { title: 3 } });
    const saved = await database.save({ recordType: "Note", fields: { title: "a", due: null } }, { merge: (_, mine, theirs) => ({ ...theirs, fields: { ...theirs.fields, title: mine.fields?.title } }) });
    for await (const change of database.changes({ zone: "Notes", since: null })) {
        if (change.record) console.log(change.record.recordName);
        else if (change.deleted !== undefined) console.log(change.deleted.length);
        else if (change.resync) console.log(change.restoredTo);
        else localStorage.setItem("token", change.token);
    }
    const { records, errors, hasErrors } = await database.saveRecords([{ recordType: "Note", fields: { title: { value: "a" } } }], { zoneID: "Notes" });
    if (hasErrors) console.log(errors[0].ckErrorCode, records.length);
    try {
        await database.delete(saved);
    } catch (error) {
        if (error instanceof CKError && error.isConflict) return error.serverRecord?.recordName;
    }
    const local = await openOffline(container, { zones: ["Notes"], store: await fileStore("x"), resolve: ({ mine }) => (mine ? "mine" : undefined) });
    const local1 = await local.save({ recordType: "Note", fields: { title: "b" } });
    const nonce = await container.prepareSignIn();
    await container.signInWithToken({ provider: "apple", idToken: "a.b.c", nonce, name: { firstName: "Mei" } });
    local.on((event) => event.type === "status" && event.state === "signIn" && container.signIn({ mode: "popup" }));
    // @ts-expect-error: there is no such scope
    await openOffline(container, { scope: "public" });
    await container.keyValue.set("theme", { dark: true });
    const emulator = new Emulator({ origin: "http://127.0.0.1:8080", container: "c", apiToken: "t" });
    await emulator.seed([{ zone: "Notes", of: "mei@example.com" }, { record: { recordType: "Note", recordName: "n", fields: { title: "a" } } }]);
    // @ts-expect-error: a fault hangs up before or after
    await emulator.addFault({ hangUp: "now" });
    console.log((await emulator.signedIn<{ Note: Note }>("mei@example.com")).auth.userIdentity?.userRecordName);
    configureCloudKit({ configure: (settings: object) => settings }, { origin: "https://cloud.example.com", containers: [] });
    return local1.fields.title;
}
