/** An album with upload from a phone: three pictures at a time, each with its progress, and a failed one can be repeated. */
import { uuid } from "/client/cumulus.js";
import { find, offer, open, say, withUser } from "/app.js";

const zone = "Album";
const root = "album";
const container = await open("iCloud.com.example.album");
const db = container.privateCloudDatabase;
const atOnce = 3;
let waiting = [];
let running = 0;

function tile(photo) {
    const item = document.createElement("li");
    item.dataset.name = photo.recordName;
    const link = document.createElement("a");
    const image = document.createElement("img");
    link.href = container.assetURL(photo.fields.image, "photo.jpg");
    link.target = "_blank";
    link.rel = "noopener";
    image.src = container.assetURL(photo.fields.thumbnail ?? photo.fields.image, "thumbnail.jpg");
    image.alt = photo.fields.name ? `Photo ${photo.fields.name}` : "Photo";
    image.loading = "lazy";
    link.append(image);
    item.append(link);
    return item;
}

async function show() {
    const tiles = [];
    try {
        for await (const photo of db.query("Photo", { zone, orderBy: "-createdTimestamp" })) tiles.push(tile(photo));
    } catch (error) {
        // Nobody has saved a photo yet, so there is no such record type.
        if (error.ckErrorCode !== "NOT_FOUND") throw error;
    }
    // Photos that were added while the list came are there already.
    const there = new Set([...find("grid").children].map(({ dataset }) => dataset.name));
    find("grid").append(...tiles.filter(({ dataset }) => !there.has(dataset.name)));
    find("empty").hidden = find("grid").children.length > 0;
}

/** A smaller picture, upright, as a JPEG. */
async function scaled(file, longest) {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
    const canvas = new OffscreenCanvas(Math.max(1, Math.round(bitmap.width * scale)), Math.max(1, Math.round(bitmap.height * scale)));
    canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    return canvas.convertToBlob({ type: "image/jpeg", quality: 0.85 });
}

async function upload({ file, record, item }) {
    const progress = item.querySelector("progress");
    const onProgress = ({ loaded, total }) => (progress.value = loaded / total);
    await db.upload(record, "thumbnail", await scaled(file, 400), { zone });
    await db.upload(record, "image", await scaled(file, 2048), { zone, onProgress });
    const saved = await db.save(record, { zone });
    item.replaceWith(tile(saved));
}

function next() {
    while (running < atOnce && waiting.length) {
        const job = waiting.shift();
        running += 1;
        upload(job).catch((error) => again(job, error)).finally(() => {
            running -= 1;
            tell();
            next();
        });
    }
    tell();
}

function tell() {
    const left = running + waiting.length;
    const failed = find("grid").querySelectorAll("button").length;
    if (left) say(`${left} to upload`);
    else if (failed) say(`${failed} not uploaded`, true);
    else say("All uploaded");
}

/** Offers a failed picture once more. It keeps its name, so it cannot be there twice. */
function again(job, error) {
    const button = document.createElement("button");
    button.textContent = "Try again";
    button.title = error.message;
    job.item.querySelector("progress").replaceWith(button);
    button.addEventListener("click", () => {
        button.replaceWith(document.createElement("progress"));
        waiting.push(job);
        next();
    });
}

function add(files) {
    for (const file of files) {
        const item = document.createElement("li");
        const progress = document.createElement("progress");
        progress.value = 0;
        progress.setAttribute("aria-label", `Uploading ${file.name}`);
        item.append(progress);
        const record = { recordType: "Photo", recordName: uuid(), parent: root, fields: { name: file.name } };
        item.dataset.name = record.recordName;
        find("grid").prepend(item);
        waiting.push({ file, record, item });
    }
    find("empty").hidden = true;
    next();
}

async function album() {
    await db.ensureZone(zone);
    return (await db.get(root, { zone })) ?? db.save({ recordType: "Album", recordName: root, fields: { title: "Album" } }, { zone });
}

async function share() {
    const record = await album();
    const existing = record.share && (await db.get(record.share.recordName, { zone }));
    const made = existing ?? (await db.share(record, { title: "Album", publicPermission: "READ_ONLY" }));
    await offer("Album", container.shareURL(made));
}

find("files").addEventListener("change", ({ target }) => {
    add([...target.files]);
    target.value = "";
});
find("share").addEventListener("click", () => share().catch((error) => say(error.message, true)));
await withUser(container, async () => {
    await album();
    await show();
});
document.documentElement.dataset.ready = "";
