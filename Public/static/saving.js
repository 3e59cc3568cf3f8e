// Saves files to the pictures of an iPhone or iPad: they are fetched first, since only a press may hand them over, and no
// more at once than a phone can hold.
import { canShare, share } from './device.js';

const mostFiles = 25;
const mostBytes = 200e6;

const element = (name, more = {}, ...children) => {
    const made = Object.assign(document.createElement(name), more);
    made.append(...children);
    return made;
};

// A dialog that is gone once it is closed. Nothing behind it hears its keys.
const ask = (title, host, ...content) => {
    const dialog = element('dialog', { className: 'saving' }, element('h2', { id: 'saving', textContent: title }), ...content);
    dialog.setAttribute('aria-labelledby', 'saving');
    dialog.dir = document.documentElement.dir || 'ltr';
    dialog.addEventListener('close', () => dialog.remove());
    dialog.addEventListener('keydown', event => event.stopPropagation());
    host.append(dialog);
    dialog.showModal();
    return dialog;
};

// A style sheet beside this script, asked for once.
const styles = new Map();
export const addStyle = name => {
    const load = () => new Promise((done, fail) => {
        document.head.append(Object.assign(document.createElement('link'), {
            rel: 'stylesheet', href: new URL(name, import.meta.url).href, onload: done, onerror: fail,
        }));
    });
    if (!styles.has(name)) styles.set(name, load());
    return styles.get(name);
};

const nameOf = answer => {
    const header = answer.headers.get('Content-Disposition') ?? '';
    const encoded = header.match(/filename\*=UTF-8''([^;]+)/i);
    return encoded ? decodeURIComponent(encoded[1]) : header.match(/filename="([^"]*)"/)?.[1] ?? 'file';
};

// The bytes of an answer, none if they are more than `room`.
const read = async (answer, room, tell) => {
    const length = Number(answer.headers.get('Content-Length')) || 0;
    const reader = answer.body.getReader();
    const pieces = [];
    let count = 0;
    for (;;) {
        const { done, value } = length > room ? { done: false } : await reader.read();
        if (done) return pieces;
        count += value?.length ?? 0;
        if (!value || count > room) {
            reader.cancel();
            return null;
        }
        pieces.push(value);
        if (length) tell(Math.min(1, count / length));
    }
};

const get = async (address, room, signal, tell) => {
    const answer = await fetch(address, { credentials: 'same-origin', signal, headers: { Accept: 'image/jpeg, */*;q=0.5' } });
    if (!answer.ok) throw new Error(String(answer.status));
    const pieces = await read(answer, room, tell);
    const type = (answer.headers.get('Content-Type') ?? '').split(';')[0];
    return pieces && new File(pieces, nameOf(answer), { type });
};

// The file as it is if the system takes it, else its large JPEG; `large` if there is no room, `other` for another kind.
const fetchFile = async (item, room, signal, tell) => {
    const file = await get(item.download, room, signal, tell);
    if (!file) return 'large';
    if (canShare([file])) return file;
    const copy = item.copy && await get(item.copy, room, signal, tell);
    if (!copy) return 'other';
    const named = new File([copy], file.name.replace(/\.[^.]*$/, '') + '.jpg', { type: copy.type });
    return canShare([named]) ? named : 'other';
};

// `items` are addresses of downloads, with one of a JPEG for pictures.
export const save = async (items, { texts, counted, filled }, host = document.body) => {
    await addStyle('viewer.css');
    const control = new AbortController();
    const queue = [...items];
    let [files, failed] = [[], 0];
    const text = element('p');
    text.setAttribute('role', 'status');
    const progress = element('progress', { max: items.length, value: 0 });
    progress.setAttribute('aria-label', texts['save.title']);
    const rest = element('div');
    const now = element('button', { type: 'button', hidden: true });
    const cancel = element('button', { type: 'button', className: 'plain', textContent: texts['save.cancel'] });
    const dialog = ask(
        texts['save.title'], host, text, progress, rest, element('div', { className: 'actions' }, now, cancel));
    cancel.onclick = () => dialog.close();
    dialog.addEventListener('close', () => control.abort());

    // What cannot be saved this way is there as an ordinary download.
    const others = [];
    const offer = () => {
        const links = others.map(item => element('li', {}, element(
            'a', { href: item.download, download: '', textContent: item.name ?? texts['download.button'] })));
        rest.replaceChildren(element('p', { textContent: texts['save.large'] }), element('ul', {}, ...links));
    };

    const gather = async () => {
        let bytes = 0;
        while (queue.length && files.length < mostFiles) {
            const [item] = queue;
            const place = items.length - queue.length;
            text.textContent = filled('save.fetching', { number: place + 1, count: items.length });
            try {
                const tell = part => { progress.value = place + part; };
                const file = await fetchFile(item, mostBytes - bytes, control.signal, tell);
                // The next press has room for it.
                if (file === 'large' && files.length) break;
                if (typeof file === 'string') others.push(item);
                else {
                    files.push(file);
                    bytes += file.size;
                }
            } catch (error) {
                if (control.signal.aborted) throw error;
                failed += 1;
            }
            queue.shift();
            progress.value = items.length - queue.length;
        }
    };

    const step = async () => {
        now.hidden = true;
        try { await gather(); } catch { return; }
        const notes = [];
        if (failed) notes.push(counted('save.failed', failed));
        if (queue.length) notes.push(filled('save.more', { count: queue.length }));
        if (!files.length) notes.push(texts['save.finished']);
        text.textContent = notes.join(' ');
        if (others.length) offer();
        now.hidden = !files.length;
        now.textContent = counted('save.now', files.length);
        if (!files.length) {
            progress.hidden = true;
            cancel.textContent = texts['viewer.close'];
        }
        (files.length ? now : cancel).focus();
    };

    now.onclick = async () => {
        try { await share(files); } catch { return; }
        files = [];
        failed = 0;
        step();
    };
    step();
};

const sizeOf = (bytes, lang) => {
    const [unit, divisor] = bytes < 1e9 ? ['megabyte', 1e6] : ['gigabyte', 1e9];
    return new Intl.NumberFormat(lang, { style: 'unit', unit, maximumFractionDigits: 1 }).format(bytes / divisor);
};

// The days of the page's files, each with a zip of its own; none for a single day.
const daysOf = async base => {
    const answer = await fetch(`${base}/days`, { credentials: 'same-origin' }).catch(() => null);
    const { days } = answer?.ok ? await answer.json() : { days: [] };
    return days.length > 1 ? days : [];
};

// Says how much a download is, before it begins, and offers its days.
export const confirmSize = async (address, bytes, { texts, filled, lang, base }) => {
    const [days] = await Promise.all([daysOf(base), addStyle('viewer.css')]);
    const text = element('p', { textContent: filled('zip.large', { size: sizeOf(bytes, lang) }) });
    const list = element('ul', {}, ...days.map(({ day, text: name, bytes: size }) => element(
        'li', {}, element('a', { href: `${base}/zip?day=${day}`, download: '', textContent: name }),
        element('span', { className: 'soft small', textContent: ` ${sizeOf(size, lang)}` }))));
    const parts = days.length ? [element('p', { textContent: texts['zip.days'] }), list] : [];
    const go = element('a', { className: 'button', href: address, download: '', textContent: texts['download.button'] });
    const cancel = element('button', { type: 'button', className: 'plain', textContent: texts['save.cancel'] });
    const dialog = ask(texts['download.button'], document.body, text, ...parts, element('div', { className: 'actions' }, go, cancel));
    cancel.onclick = () => dialog.close();
    go.addEventListener('click', () => dialog.close());
};
