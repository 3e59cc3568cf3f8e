/** Operations of a request. */
export const largestBatch = 200;
/** Bytes of a request's operations: CloudKit takes requests of 2 MB. */
export const largestBody = 1_900_000;

const encoder = new TextEncoder();

/** Bytes that an operation takes in a request. */
export function sizeOf(operation) {
    return encoder.encode(JSON.stringify(operation)).length;
}

/** Operations in portions that fit a request each. An operation that is too large by itself goes alone. */
export function* portions(operations) {
    let portion = [];
    let bytes = 0;
    for (const operation of operations) {
        const size = sizeOf(operation);
        if (portion.length && (portion.length === largestBatch || bytes + size > largestBody)) {
            yield portion;
            portion = [];
            bytes = 0;
        }
        portion.push(operation);
        bytes += size;
    }
    if (portion.length) yield portion;
}
