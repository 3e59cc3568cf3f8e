import { isSame } from "../values.js";

/** The names of the fields of several records. */
function names(...records) {
    return new Set(records.flatMap((record) => Object.keys(record?.fields ?? {})));
}

function parentOf(record) {
    return record?.parent?.recordName ?? null;
}

/** Merges what two devices made of one record, field by field. Where both changed a field the server's stands. */
export function merge(ancestor, mine, theirs) {
    const fields = {};
    for (const name of names(ancestor, mine, theirs)) {
        const [before, here, there] = [ancestor, mine, theirs].map((record) => record?.fields?.[name]);
        const chosen = isSame(there, before) ? here : there;
        if (chosen?.value != null) fields[name] = chosen;
    }
    const keepsParent = parentOf(theirs) === parentOf(ancestor);
    return { type: theirs?.recordType ?? mine.type, fields, parent: (keepsParent ? mine : theirs).parent };
}

/** The fields and the parent that a local record has and the server's has not. */
export function difference(base, local) {
    const fields = {};
    for (const name of names(base, local)) {
        if (!isSame(local.fields[name], base?.fields?.[name])) fields[name] = local.fields[name] ?? { value: null };
    }
    const change = { fields };
    if (parentOf(base) !== parentOf(local)) change.parent = local.parent ?? null;
    return change;
}

/** Whether a difference is none. */
export function isEmpty({ fields, parent }) {
    return Object.keys(fields).length === 0 && parent === undefined;
}

/** What the device has of a record of the server. */
export function localOf(wire) {
    return wire && { type: wire.recordType, fields: wire.fields ?? {}, parent: wire.parent };
}
