/** A map whose keys can be walked in order. Many new keys at once are sorted in once. */
export class OrderedMap {
    #values = new Map();
    #keys = [];
    #added = new Set();
    #removed = new Set();

    get size() { return this.#values.size; }

    get(key) { return this.#values.get(key); }

    set(key, value) {
        if (!this.#values.has(key) && !this.#removed.delete(key)) this.#added.add(key);
        this.#values.set(key, value);
    }

    delete(key) {
        if (this.#values.delete(key) && !this.#added.delete(key)) this.#removed.add(key);
    }

    [Symbol.iterator]() { return this.#values[Symbol.iterator](); }

    /** The entries within bounds, in the order of their keys or backwards. */
    range({ from, below, after, before, limit = Infinity, isReversed = false }) {
        this.#settle();
        const first = Math.max(from === undefined ? 0 : this.#find(from), after === undefined ? 0 : this.#find(after, true));
        const end = Math.min(...[below, before].map((key) => (key === undefined ? this.#keys.length : this.#find(key))));
        const found = [];
        for (let at = 0; at < end - first && found.length < limit; at += 1) {
            const key = this.#keys[isReversed ? end - 1 - at : first + at];
            found.push([key, this.#values.get(key)]);
        }
        return found;
    }

    /** The position of the first key that is not smaller, or with `isAfter` of the first that is larger. */
    #find(key, isAfter = false) {
        let low = 0;
        let high = this.#keys.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.#keys[middle] < key || (isAfter && this.#keys[middle] === key)) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    #settle() {
        const few = 32;
        if (this.#removed.size > few) this.#keys = this.#keys.filter((key) => !this.#removed.has(key));
        else for (const key of this.#removed) this.#keys.splice(this.#find(key), 1);
        if (this.#added.size > few) {
            for (const key of this.#added) this.#keys.push(key);
            this.#keys.sort();
        } else for (const key of this.#added) this.#keys.splice(this.#find(key), 0, key);
        this.#removed.clear();
        this.#added.clear();
    }
}
