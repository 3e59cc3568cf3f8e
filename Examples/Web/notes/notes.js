/** Notes that several people edit: one's own in the private database, those of others in the shared one, both offline. */
import { openOffline } from "/client/offline.js";
import { find, offer, open, say, withUser } from "/app.js";

const zone = "Notes";
const container = await open("iCloud.com.example.notes");
let own;
let shared;
let current;

function isMine(note) { return !note.local || note.local === own; }

async function all() {
    const mine = await own.records({ zone, recordType: "Note" });
    const zones = await shared.zones();
    const theirs = (await Promise.all(zones.map((zone) => shared.records({ zone, recordType: "Note" })))).flat();
    const notes = [...mine.map((note) => ({ ...note, local: own })), ...theirs.map((note) => ({ ...note, local: shared }))];
    return notes.sort((one, other) => (other.modified?.timestamp ?? Infinity) - (one.modified?.timestamp ?? Infinity));
}

async function show() {
    const notes = await all();
    find("list").replaceChildren(...notes.map((note) => {
        const item = document.createElement("li");
        const button = document.createElement("button");
        const title = document.createElement("span");
        const line = document.createElement("span");
        title.textContent = note.fields.title || "Untitled";
        line.className = "soft small";
        line.textContent = [isMine(note) ? "" : "shared with you", note.isPending ? "not sent yet" : ""].filter(Boolean).join(", ")
            || (note.fields.body ?? "").split("\n")[0] || "Empty";
        button.append(title, line);
        button.setAttribute("aria-current", String(current?.recordName === note.recordName));
        button.addEventListener("click", () => edit(note));
        item.append(button);
        return item;
    }));
    const fresh = current && notes.find((note) => note.recordName === current.recordName);
    if (current && !fresh) return close();
    if (fresh) fill(fresh);
}

/** Puts a note into the form, but never over what is being typed. */
function fill(note) {
    current = note;
    for (const field of ["title", "body"]) {
        const input = find(field);
        if (input.dataset.typed === undefined) input.value = note.fields[field] ?? "";
    }
    // Members of a share edit the note, and its owner alone shares and deletes it.
    find("share").hidden = find("delete").hidden = !isMine(note);
}

function edit(note) {
    for (const field of ["title", "body"]) delete find(field).dataset.typed;
    fill(note);
    find("editor").hidden = false;
    find("notes").classList.add("open");
    find(note.fields.title ? "body" : "title").focus();
    show();
}

function close() {
    current = undefined;
    find("editor").hidden = true;
    find("notes").classList.remove("open");
    show();
}

async function save(field) {
    const input = find(field);
    const { local, recordName, zoneID } = current;
    input.dataset.typed = "";
    const text = input.value;
    await local.save({ recordName, recordType: "Note", fields: { [field]: text } }, { zone: zoneID });
    if (input.value === text) delete input.dataset.typed;
}

async function share() {
    await own.sync();
    const db = container.privateCloudDatabase;
    const root = await db.get(current.recordName, { zone });
    const existing = root.share && (await db.get(root.share.recordName, { zone }));
    const made = existing ?? (await db.share(root, { title: root.fields.title || "A note", publicPermission: "READ_WRITE" }));
    await offer(root.fields.title || "A note", `${location.origin}/notes/#join=${made.shortGUID}`);
}

/** Joins the note whose link was opened. */
async function join() {
    const guid = new URLSearchParams(location.hash.slice(1)).get("join");
    if (!guid) return;
    history.replaceState(null, "", location.pathname);
    const { errors } = await container.acceptShares([guid]);
    if (errors.length) say(errors[0].message, true);
}

async function tell(local) {
    const count = await local.pendingCount();
    const [problem] = await local.problems();
    if (problem) say(problem.reason, true);
    else say(count ? `${count} not sent` : "All saved");
}

function follow(local) {
    local.on((event) => {
        if (event.type === "records" || event.type === "account") show();
        if (event.type !== "status") return;
        if (event.state === "idle") tell(local);
        else if (event.state === "offline") say("No network", true);
        else if (event.state === "signIn") say("Sign in again to synchronize", true);
        else if (event.state === "failed") say(event.error.message, true);
    });
}

async function start() {
    own = await openOffline(container, { zones: [zone] });
    shared = await openOffline(container, { scope: "shared" });
    follow(own);
    follow(shared);
    await show();
    connect();
}

/** What needs the network, for which nobody waits. */
async function connect() {
    await join().catch((error) => say(error.message, true));
    for (const [local, database] of [[own, container.privateCloudDatabase], [shared, container.sharedCloudDatabase]]) {
        await database.saveSubscriptions({ subscriptionID: `all-${database.databaseScope}`, subscriptionType: "database" }).catch(() => {});
        local.start();
    }
}

find("add").addEventListener("click", async () => edit({ ...(await own.save({ recordType: "Note", fields: { title: "", body: "" } }, { zone })), local: own }));
find("back").addEventListener("click", close);
find("editor").addEventListener("submit", (event) => event.preventDefault());
for (const field of ["title", "body"]) find(field).addEventListener("input", () => save(field).catch((error) => say(error.message, true)));
find("share").addEventListener("click", () => share().catch((error) => say(error.message, true)));
find("delete").addEventListener("click", async () => {
    const { local, recordName, zoneID } = current;
    await local.delete(recordName, { zone: zoneID });
    close();
});
await withUser(container, start);
document.documentElement.dataset.ready = "";
