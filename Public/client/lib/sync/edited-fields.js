import { closeFields } from "../records.js";
import { uuid } from "../uuid.js";
import { isFieldValue, isSame, originalKey } from "../values.js";

/** The fields that an edit changes as the wire has them, and the files that it brings: `[id, bytes]`. */
export async function editedFields(record) {
    const files = [];
    const fields = {};
    const file = async (blob) => {
        const bytes = new Uint8Array(await blob.arrayBuffer());
        const id = uuid();
        files.push([id, bytes]);
        return { fileChecksum: `local:${id}`, size: bytes.length, local: id };
    };
    for (const [name, given] of Object.entries(record.fields ?? {})) {
        const value = isFieldValue(given) ? given.value : given;
        if (value instanceof Blob) fields[name] = { value: await file(value), type: "ASSETID" };
        else if (Array.isArray(value) && value[0] instanceof Blob) fields[name] = { value: await Promise.all(value.map(file)), type: "ASSETID_LIST" };
        else Object.assign(fields, closeFields(only(record.fields, name)));
    }
    const original = record[originalKey];
    for (const [name, field] of Object.entries(original?.fields ?? {})) {
        if (!Object.hasOwn(record.fields, name)) fields[name] = { value: null };
        else if (isSame(fields[name], field)) delete fields[name];
    }
    return { fields, files };
}

/** One field beside the types of all. */
function only(fields, name) {
    const types = Object.getOwnPropertySymbols(fields).map((symbol) => [symbol, fields[symbol]]);
    return Object.fromEntries([[name, fields[name]], ...types]);
}
