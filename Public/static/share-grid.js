// The grid of a long page: as high as all its pictures from the beginning, with only those in the document that are near.
// What it shows of the others is asked for in windows, when somebody comes there.

// Items of a window; places are numbers in the order of the page.
const windowSize = 200;
const mostTiles = 300;
const mostLoading = 2;
// Tiles that left the document and can come back without being made anew.
const mostKept = 200;
// Milliseconds without scrolling until windows are asked for.
const rest = 60;
const dayLength = 86_400_000;

const sideOf = (width, height, side) => {
    const longest = Math.max(width, height, 1);
    const most = Math.min(side, longest);
    return [width, height].map(length => Math.max(1, Math.floor(length * most / longest)));
};

// The class of a picture's mean color; none for -1.
const colorName = number => number < 0 ? null : `c${number.toString(16).padStart(2, '0')}`;
const isColor = name => /^c[0-3][0-9a-f]$/.test(name);
const colorOf = element => {
    const name = [...element.classList].find(isColor);
    return name ? parseInt(name.slice(1), 16) : -1;
};

// The items of the page by their places, as far as they have come.
const makeStore = (base, version, count, changed) => {
    const known = new Array(count);
    const loading = new Map();
    const wishes = new Map();
    let isOld = false;
    let came = () => {};

    const take = async (query, signal) => {
        const address = `${base}/items?${query}&count=${windowSize}&version=${encodeURIComponent(version)}`;
        const answer = await fetch(address, { credentials: 'same-origin', signal });
        if (answer.status === 409 || answer.status === 410) {
            isOld = true;
            changed();
        }
        if (!answer.ok) throw new Error(String(answer.status));
        const columns = await answer.json();
        columns.marks.forEach((mark, index) => {
            const item = { mark };
            for (const [column, name] of Object.entries({
                keys: 'key', versions: 'version', names: 'name', widths: 'width', heights: 'height', colors: 'color', days: 'day',
                lengths: 'length', motions: 'motion', hdr: 'hdr', videos: 'isVideo', posters: 'hasPoster', captioned: 'isCaptioned',
                downloads: 'canDownload', kept: 'isKept', chosen: 'isChosen',
            })) item[name] = columns[column][index];
            known[columns.from + index] ??= item;
        });
    };
    const load = async number => {
        const controller = new AbortController();
        loading.set(number, controller);
        try {
            await take(`from=${number * windowSize}`, controller.signal);
        } catch (error) {
            if (error.name !== 'AbortError') for (const wish of wishes.values()) wish.delete(number);
        } finally {
            loading.delete(number);
            came();
            pump();
        }
    };
    const isComplete = number => {
        for (let place = number * windowSize; place < Math.min(count, (number + 1) * windowSize); place += 1) {
            if (!known[place]) return false;
        }
        return true;
    };
    const pump = () => {
        const wanted = new Set([...wishes.values()].flatMap(wish => [...wish]));
        for (const [number, controller] of loading) if (!wanted.has(number)) controller.abort();
        for (const number of wanted) {
            if (isOld || loading.size >= mostLoading) return;
            if (!loading.has(number) && !isComplete(number)) load(number);
        }
    };
    return {
        known,
        set onCome(told) { came = told; },
        // Wishes of one asker replace its earlier ones; what nobody wishes any more is given up.
        want: (asker, first, end) => {
            const wish = new Set();
            for (let place = first; place < end; place += 1) if (!known[place]) wish.add(Math.floor(place / windowSize));
            wishes.set(asker, wish);
            pump();
            return wish.size > 0;
        },
        // The place of an item that has not come, after its window has; -1 for an item that is not there.
        find: async (name, there) => {
            try {
                await take(`item=${encodeURIComponent(name)}`);
            } catch {
                return -1;
            }
            return there();
        },
        isLoading: () => loading.size > 0,
        isOld: () => isOld,
    };
};

export const start = (page, grid, { version, count, others, days }) => {
    const { base, texts, lang, isRightToLeft } = page;
    const pattern = grid.querySelector('.tile').cloneNode(true);
    // Nothing of a video stays in the tiles of pictures.
    const patternPhoto = pattern.querySelector('a.photo');
    for (const name of ['video', 'poster', 'name', 'said', 'live', 'download']) delete patternPhoto.dataset[name];
    patternPhoto.removeAttribute('aria-label');
    const tiles = new Map();
    const kept = new Map();
    const chosen = new Set();
    let current = 0;
    let hasFocus = false;

    const store = makeStore(base, version, count, () => page.offer(texts['grid.changed']));

    // What the page came with.
    page.items().forEach((element, place) => {
        const input = element.closest('li').querySelector('input');
        if (input?.checked) chosen.add(input.value);
        if (!element.matches('a.photo')) return element.closest('li').remove();
        const { dataset } = element;
        const image = element.querySelector('img');
        store.known[place] = {
            mark: dataset.mark, key: page.keyOf(element), name: dataset.name ?? image.alt,
            version: new URL(element.href).searchParams.get('v'), width: Number(dataset.pswpWidth), height: Number(dataset.pswpHeight),
            isVideo: dataset.video ? 1 : 0, hasPoster: dataset.poster ? 1 : 0, length: element.querySelector('.length')?.textContent ?? '',
            color: colorOf(element), motion: dataset.live?.split('/media/')[1] ?? '', hdr: dataset.hdr ?? '',
            isCaptioned: element.querySelector('.caption') ? 1 : 0, canDownload: dataset.download ? 1 : 0,
            isKept: element.closest('li').classList.contains('kept') ? 1 : 0, isChosen: input?.checked ? 1 : 0,
        };
        tiles.set(place, element.closest('li'));
    });
    const media = document.getElementById('media');
    if (media && !media.children.length) {
        media.previousElementSibling?.matches('h2') && media.previousElementSibling.remove();
        media.remove();
    }
    // Other files and records stay behind the link to the next part.
    if (!others) document.getElementById('more')?.closest('nav').remove();

    // Headings are made anew with the tiles under them.
    for (const heading of grid.querySelectorAll(':scope > .heading')) heading.remove();
    grid.classList.toggle('dated', days.length > 0);
    grid.classList.remove('one', 'few', 'four');
    grid.classList.add('many');
    // Days by their first places.
    let sum = 0;
    const starts = days.map(([day, length]) => {
        sum += length;
        return { day, start: sum - length };
    });
    const dayAt = place => {
        let [low, high] = [0, starts.length - 1];
        while (low < high) {
            const middle = Math.ceil((low + high) / 2);
            if (starts[middle].start <= place) low = middle; else high = middle - 1;
        }
        return low;
    };
    const dayFormat = new Intl.DateTimeFormat(lang, { dateStyle: 'full', timeZone: 'UTC' });
    const wordsOf = place => starts.length
        ? dayFormat.format(new Date(starts[dayAt(place)].day * dayLength))
        : page.filled('viewer.position', { number: place + 1, count });

    // Tiles.
    const preview = (size, { key, version: of }) => `${base}/preview/${size}/${key}?v=${of}`;
    const makePicture = (photo, item) => {
        const [medium] = sideOf(item.width || 1024, item.height || 1024, 1024);
        const [large] = sideOf(item.width || 2048, item.height || 2048, 2048);
        const image = photo.querySelector('img');
        photo.href = preview('large', item);
        photo.dataset.pswpWidth = item.width || '';
        photo.dataset.pswpHeight = item.height || '';
        photo.dataset.pswpSrcset = `${preview('medium', item)} ${medium}w, ${preview('large', item)} ${large}w`;
        const tile = Math.min(400, item.width || 400);
        image.srcset = `${preview('tile', item)} ${tile}w, ${preview('medium', item)} ${medium}w`;
        image.src = preview('tile', item);
        image.alt = item.name;
    };
    const makeVideo = (photo, item) => {
        photo.classList.add('video');
        photo.href = `${base}/media/${item.key}?v=${item.version}`;
        photo.dataset.video = photo.href;
        photo.dataset.name = item.name;
        photo.dataset.said = item.isCaptioned ? item.name : '';
        photo.dataset.pswpWidth = item.width || '';
        photo.dataset.pswpHeight = item.height || '';
        delete photo.dataset.pswpSrcset;
        photo.setAttribute('aria-label', item.name);
        if (item.length) photo.append(Object.assign(document.createElement('span'), { className: 'length', textContent: item.length }));
        const image = photo.querySelector('img');
        if (!item.hasPoster) return image.remove();
        photo.dataset.poster = preview('medium', item);
        image.srcset = `${preview('tile', item)} 400w, ${preview('medium', item)} 1024w`;
        image.src = preview('tile', item);
        image.alt = '';
    };
    const make = (place, item) => {
        const tile = pattern.cloneNode(true);
        tile.classList.toggle('kept', Boolean(item.isKept));
        const photo = tile.querySelector('a.photo');
        photo.id = `photo-${item.mark}`;
        photo.className = ['photo', colorName(item.color)].filter(Boolean).join(' ');
        photo.dataset.mark = item.mark;
        photo.dataset.place = place;
        if (item.motion) photo.dataset.live = `${base}/media/${item.motion}`; else delete photo.dataset.live;
        if (item.hdr) photo.dataset.hdr = item.hdr; else delete photo.dataset.hdr;
        const badge = tile.querySelector('.live');
        if (!item.motion) badge?.remove();
        else if (!badge) {
            const made = Object.assign(document.createElement('button'), { className: 'live scripted', type: 'button' });
            made.setAttribute('aria-label', texts['live.play']);
            made.append(Object.assign(document.createElement('span'), { textContent: texts['live.badge'] }));
            made.firstChild.setAttribute('aria-hidden', 'true');
            made.tabIndex = -1;
            photo.after(made);
        }
        if (item.canDownload) photo.dataset.download = `${base}/download/${item.key}`; else delete photo.dataset.download;
        for (const old of photo.querySelectorAll('.caption, .length')) old.remove();
        const image = photo.querySelector('img');
        image.removeAttribute('fetchpriority');
        image.loading = 'lazy';
        if (item.isVideo) makeVideo(photo, item); else makePicture(photo, item);
        if (item.isCaptioned) {
            const caption = Object.assign(document.createElement('span'), { className: 'caption', textContent: item.name });
            caption.dir = 'auto';
            caption.setAttribute('aria-hidden', 'true');
            photo.append(caption);
        }
        const input = tile.querySelector('input');
        if (input) {
            input.value = item.mark;
            const name = tile.querySelector('bdi');
            if (name) name.textContent = item.name;
        }
        return tile;
    };
    const blank = () => Object.assign(document.createElement('li'), { className: 'tile waits' });
    const isBlank = tile => tile.classList.contains('waits');
    const tileAt = place => {
        const item = store.known[place];
        if (!item) return null;
        const there = tiles.get(place);
        if (there && !isBlank(there)) return there;
        if (!kept.has(place)) {
            kept.set(place, make(place, item));
            if (kept.size > mostKept) kept.delete(kept.keys().next().value);
        }
        return kept.get(place);
    };
    const prepare = (place, tile) => {
        tile.setAttribute('aria-setsize', count);
        tile.setAttribute('aria-posinset', place + 1);
        const photo = tile.querySelector('a.photo');
        if (photo) photo.tabIndex = place === current ? 0 : -1;
        const input = tile.querySelector('input');
        if (input) {
            input.tabIndex = place === current ? 0 : -1;
            input.checked = chosen.has(input.value);
        }
    };

    // The document holds the rows that are near; the others are room above and below. Each day begins a row, under its heading.
    const shape = { columns: 1, row: 100, head: 0, days: [] };
    const measure = () => {
        const style = getComputedStyle(grid);
        shape.gap = parseFloat(style.rowGap) || 0;
        const isDated = starts.length > 0;
        shape.columns = isDated ? Number(style.getPropertyValue('--columns')) : style.gridTemplateColumns.split(' ').length;
        shape.row = isDated
            ? (grid.clientWidth - (shape.columns - 1) * shape.gap) / shape.columns + shape.gap
            : parseFloat(style.gridTemplateColumns) + shape.gap;
        shape.head = isDated ? 2.75 * parseFloat(getComputedStyle(document.documentElement).fontSize) + shape.gap : 0;
        let sum = 0;
        shape.days = (isDated ? starts : [{ start: 0 }]).map(({ start }, index) => {
            const end = starts[index + 1]?.start ?? count;
            const rows = Math.ceil((end - start) / shape.columns);
            sum += shape.head + rows * shape.row;
            return { start, end, rows, top: sum - shape.head - rows * shape.row };
        });
        shape.height = sum;
    };
    // The last of the days whose `key` is not above a value.
    const lastDay = (key, value) => {
        let [low, high] = [0, shape.days.length - 1];
        while (low < high) {
            const middle = Math.ceil((low + high) / 2);
            if (shape.days[middle][key] <= value) low = middle; else high = middle - 1;
        }
        return low;
    };
    const dayOf = place => shape.days[lastDay('start', place)];
    // The first place of the row at an offset, and the offset of a place's row.
    const firstAt = offset => {
        const day = shape.days[lastDay('top', offset)];
        const row = Math.max(0, Math.min(day.rows - 1, Math.floor((offset - day.top - shape.head) / shape.row)));
        return day.start + row * shape.columns;
    };
    const topOf = place => {
        const day = dayOf(place);
        return day.top + shape.head + Math.floor((place - day.start) / shape.columns) * shape.row;
    };
    const rowStart = place => place - (place - dayOf(place).start) % shape.columns;
    const rowEnd = place => Math.min(rowStart(place) + shape.columns, dayOf(place).end);
    const below = place => rowEnd(place) < count
        ? Math.min(rowEnd(place) + place - rowStart(place), rowEnd(rowEnd(place)) - 1) : count;
    const above = place => rowStart(place) > 0
        ? Math.min(rowStart(rowStart(place) - 1) + place - rowStart(place), rowStart(place) - 1) : -1;
    const top = () => grid.getBoundingClientRect().top;
    const range = () => {
        const over = -top();
        const margin = Math.min(innerHeight / 3, 400);
        const first = firstAt(over - margin);
        const end = rowEnd(firstAt(over + innerHeight + margin));
        return [first, Math.min(end, first + mostTiles)];
    };
    const headings = new Map();
    const renderHeadings = (first, end) => {
        const [from, to] = starts.length ? [lastDay('start', first), lastDay('start', end - 1)] : [0, -1];
        for (const [index, heading] of headings) {
            if (index >= from && index <= to) continue;
            heading.remove();
            headings.delete(index);
        }
        for (let index = from; index <= to; index += 1) {
            if (!headings.has(index)) {
                const heading = Object.assign(document.createElement('li'), { className: 'heading' });
                heading.append(Object.assign(document.createElement('h3'), { textContent: wordsOf(starts[index].start) }));
                headings.set(index, heading);
            }
            const [heading, tile] = [headings.get(index), tiles.get(Math.max(first, starts[index].start))];
            if (heading.nextSibling !== tile) grid.insertBefore(heading, tile);
        }
    };
    const render = () => {
        const [first, end] = range();
        const isOut = place => place < first || place >= end;
        // Before anything is removed: focusing lays out the page, which would be short for a moment and scroll.
        if (isOut(Number(document.activeElement.closest?.('#photos > li')?.getAttribute('aria-posinset') ?? first + 1) - 1)) {
            grid.tabIndex = 0;
            grid.focus({ preventScroll: true });
        }
        for (const [place, tile] of tiles) {
            if (!isOut(place)) continue;
            tile.remove();
            tiles.delete(place);
            if (!isBlank(tile)) kept.set(place, tile);
        }
        while (kept.size > mostKept) kept.delete(kept.keys().next().value);
        let before = null;
        for (let place = end - 1; place >= first; place -= 1) {
            const there = tiles.get(place);
            const wanted = tileAt(place) ?? there ?? blank();
            if (there !== wanted) {
                if (there) there.replaceWith(wanted); else grid.insertBefore(wanted, before);
                tiles.set(place, wanted);
                kept.delete(place);
            }
            prepare(place, wanted);
            before = wanted;
        }
        renderHeadings(first, end);
        grid.style.paddingBlockStart = `${topOf(first) - shape.head}px`;
        grid.style.paddingBlockEnd = `${Math.max(0, shape.height - topOf(end - 1) - shape.row)}px`;
        // The stop of the tab key is a picture in sight.
        if (!tiles.has(current) && !hasFocus) {
            current = Math.min(end - 1, Math.max(first, firstAt(-top())));
            if (tiles.has(current)) prepare(current, tiles.get(current));
        }
        grid.tabIndex = tiles.get(current)?.querySelector('a.photo') ? -1 : 0;
        tellPlace();
    };
    let frame = 0;
    let timer = 0;
    const ask = () => store.want('grid', ...range());
    const soon = () => {
        frame ||= requestAnimationFrame(() => {
            frame = 0;
            render();
        });
        clearTimeout(timer);
        timer = setTimeout(ask, rest);
    };
    const again = () => {
        const place = firstAt(-top());
        const isInside = top() < 0;
        measure();
        render();
        if (isInside) scrollBy(0, top() + topOf(place) - shape.head);
        soon();
    };
    let width = 0;
    new ResizeObserver(() => {
        if (grid.clientWidth === width) return;
        width = grid.clientWidth;
        again();
    }).observe(grid);
    addEventListener('scroll', soon, { passive: true });
    addEventListener('resize', soon);

    const reveal = (place, block = 'nearest') => {
        // Not under the heading that stays in sight.
        const start = top() + topOf(place) - shape.head;
        const end = start + shape.head + shape.row;
        if (block === 'start') scrollBy({ top: start, behavior: 'instant' });
        else if (start < 0) scrollBy({ top: start, behavior: 'instant' });
        else if (end > innerHeight) scrollBy({ top: end - innerHeight, behavior: 'instant' });
        render();
        soon();
    };

    // Keys: arrows go from picture to picture, and one of them is the stop of the tab key.
    let isWaiting = false;
    const focus = place => {
        const before = current;
        current = Math.max(0, Math.min(count - 1, place));
        reveal(current);
        if (tiles.has(before)) prepare(before, tiles.get(before));
        const tile = tiles.get(current);
        if (tile) prepare(current, tile);
        const photo = tile?.querySelector('a.photo');
        isWaiting = !photo;
        (photo ?? grid).focus({ preventScroll: true });
    };
    grid.addEventListener('focusin', event => {
        hasFocus = true;
        const place = event.target.closest?.('[data-place]')?.dataset.place;
        if (place === undefined || Number(place) === current) return;
        const before = tiles.get(current);
        current = Number(place);
        if (before) for (const old of [before, tiles.get(current)]) prepare(Number(old.querySelector('[data-place]')?.dataset.place), old);
    });
    grid.addEventListener('focusout', event => { hasFocus = grid.contains(event.relatedTarget); });
    grid.addEventListener('keydown', event => {
        if (page.isViewing() || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
        const onward = isRightToLeft ? 'ArrowLeft' : 'ArrowRight';
        const back = isRightToLeft ? 'ArrowRight' : 'ArrowLeft';
        const moves = {
            [onward]: current + 1, [back]: current - 1, ArrowDown: below(current),
            ArrowUp: above(current), Home: 0, End: count - 1,
        };
        if (event.key in moves) {
            event.preventDefault();
            if (moves[event.key] >= 0 && moves[event.key] < count) focus(moves[event.key]);
        } else if (event.key === ' ') {
            const input = tiles.get(current)?.querySelector('input');
            if (!input || event.target === input) return;
            event.preventDefault();
            page.startChoosing();
            input.click();
        }
    });

    // The scrubber: a slider over the days at the edge of the page.
    const scrubber = Object.assign(document.createElement('div'), { className: 'scrubber', tabIndex: 0 });
    // Moved by a transform: a change of its place would count as a layout shift.
    const rail = Object.assign(document.createElement('span'), { className: 'rail' });
    const thumb = Object.assign(document.createElement('span'), { className: 'thumb' });
    const label = Object.assign(document.createElement('span'), { className: 'day' });
    thumb.append(label);
    rail.append(thumb);
    scrubber.append(rail);
    for (const [name, value] of Object.entries({
        role: 'slider', 'aria-label': texts['grid.scrubber'], 'aria-orientation': 'vertical', 'aria-valuemin': 1,
        'aria-valuemax': count, 'aria-controls': 'photos',
    })) scrubber.setAttribute(name, value);
    label.setAttribute('aria-hidden', 'true');
    grid.before(scrubber);
    // Where a jump has led, which the end of the page may keep from the top.
    let jumped = null;
    const placeInSight = () => jumped ?? firstAt(-top() + shape.head + shape.row / 2);
    const tellPlace = () => {
        const place = placeInSight();
        scrubber.setAttribute('aria-valuenow', place + 1);
        const words = wordsOf(place);
        if (label.textContent !== words) {
            label.textContent = words;
            scrubber.setAttribute('aria-valuetext', words);
        }
        rail.style.transform = `translateY(${place / Math.max(1, count - 1) * 100}%)`;
    };
    const jump = place => {
        const wanted = Math.max(0, Math.min(count - 1, place));
        jumped = wanted;
        reveal(wanted, 'start');
    };
    for (const name of ['wheel', 'touchmove']) addEventListener(name, () => { jumped = null; }, { passive: true });
    addEventListener('keydown', event => { if (event.target !== scrubber) jumped = null; }, true);
    const monthOf = index => {
        const date = new Date(starts[index].day * dayLength);
        return date.getUTCFullYear() * 12 + date.getUTCMonth();
    };
    const dayBy = steps => {
        if (!starts.length) return placeInSight() + steps * shape.columns;
        return starts[Math.max(0, Math.min(starts.length - 1, dayAt(placeInSight()) + steps))].start;
    };
    const monthBy = step => {
        if (!starts.length) return placeInSight() + step * shape.columns * Math.max(1, Math.floor(innerHeight / shape.row));
        let index = dayAt(placeInSight());
        const month = monthOf(index);
        while (starts[index + step] && monthOf(index) === month) index += step;
        // The first day of a month.
        if (step < 0) while (index > 0 && monthOf(index - 1) === monthOf(index)) index -= 1;
        return starts[index].start;
    };
    scrubber.addEventListener('keydown', event => {
        const moves = {
            ArrowDown: () => dayBy(1), ArrowUp: () => dayBy(-1), PageDown: () => monthBy(1), PageUp: () => monthBy(-1),
            [isRightToLeft ? 'ArrowLeft' : 'ArrowRight']: () => dayBy(1),
            [isRightToLeft ? 'ArrowRight' : 'ArrowLeft']: () => dayBy(-1), Home: () => 0, End: () => count - 1,
        };
        if (!Object.hasOwn(moves, event.key)) return;
        event.preventDefault();
        jump(moves[event.key]());
    });
    const drag = event => {
        const box = scrubber.getBoundingClientRect();
        jump(Math.round((event.clientY - box.top) / box.height * (count - 1)));
    };
    scrubber.addEventListener('pointerdown', event => {
        scrubber.setPointerCapture(event.pointerId);
        scrubber.classList.add('held');
        drag(event);
    });
    scrubber.addEventListener('pointermove', event => { if (scrubber.hasPointerCapture(event.pointerId)) drag(event); });
    for (const name of ['pointerup', 'pointercancel']) {
        scrubber.addEventListener(name, () => scrubber.classList.remove('held'));
    }

    // Waiting for items that have not come.
    const waiting = new Set();
    store.onCome = () => {
        render();
        if (isWaiting && hasFocus) focus(current);
        for (const told of [...waiting]) told();
    };
    const until = isDone => new Promise(done => {
        const check = () => {
            if (!isDone() && store.isLoading()) return;
            waiting.delete(check);
            done(isDone());
        };
        waiting.add(check);
        check();
    });
    // All windows that are missing, one after the other, until `isEnough`.
    const loadAll = async (isEnough = () => false) => {
        for (let from = 0; from < count && !isEnough(); from += windowSize * mostLoading) {
            const end = Math.min(count, from + windowSize * mostLoading);
            const isThere = () => {
                for (let place = from; place < end; place += 1) if (!store.known[place]) return false;
                return true;
            };
            if (store.want('all', from, end) && !await until(isThere)) return false;
        }
        store.want('all', 0, 0);
        for (const item of store.known) if (item?.isChosen && !seen.has(item.mark)) {
            seen.add(item.mark);
            chosen.add(item.mark);
        }
        return true;
    };
    // Marks whose beginning choice has been taken over.
    const seen = new Set(store.known.filter(Boolean).map(item => item.mark));

    // Choosing goes on for items that are not in the document.
    grid.addEventListener('change', event => {
        const { value, checked } = event.target;
        seen.add(value);
        if (checked) chosen.add(value); else chosen.delete(value);
    });
    document.getElementById('files')?.addEventListener('formdata', event => {
        const there = new Set(event.formData.getAll('i'));
        for (const tile of tiles.values()) {
            const input = tile.querySelector('input');
            if (input?.checked) there.add(input.value);
        }
        for (const mark of chosen) if (!there.has(mark)) event.formData.append('i', mark);
    });

    grid.style.overflowAnchor = 'none';
    // Going back from the viewer would scroll to where it was opened.
    history.scrollRestoration = 'manual';
    measure();
    width = grid.clientWidth;
    render();
    ask();

    // The place of the item with this mark or key; -1 for another one.
    const placeOf = async name => {
        const there = () => store.known.findIndex(item => item && (item.mark === name || item.key === name));
        return there() < 0 ? store.find(name, there) : there();
    };
    const element = place => tileAt(place)?.querySelector('a.photo') ?? null;
    return {
        count,
        // The element of an item, which need not be in the document; nil until it has come.
        at: element,
        placeOf: item => Number(item.dataset.place),
        // Asks for what is near a place in the viewer.
        near: (place, told) => {
            const [first, end] = [Math.max(0, place - 3), Math.min(count, place + 4)];
            const missing = () => {
                let sum = 0;
                for (let near = first; near < end; near += 1) sum += store.known[near] ? 0 : 1;
                return sum;
            };
            const before = missing();
            // Told again only when some have come, or the viewer would ask again without end.
            if (store.want('viewer', first, end)) until(() => missing() === 0).then(() => { if (missing() < before) told(); });
        },
        // What is at the top of what is in sight: its place, and its mark if it has come.
        inSight: () => ({ place: placeInSight(), mark: store.known[placeInSight()]?.mark }),
        goTo: async ({ place, mark }) => {
            const found = mark ? await placeOf(mark) : -1;
            jump(found < 0 ? place : found);
        },
        left: place => {
            store.want('viewer', 0, 0);
            if (place !== null) reveal(place);
        },
        // The element of the item with this mark or key; null for another one.
        find: async name => {
            const place = await placeOf(name);
            return place < 0 ? null : element(place);
        },
        // Choices.
        prepareChoices: async () => { if (chosen.size > 0) await loadAll(); },
        chosenCount: () => chosen.size,
        isAll: () => chosen.size === count,
        chooseAll: async on => {
            if (on) {
                await loadAll();
                for (const item of store.known) if (item) chosen.add(item.mark);
            } else {
                chosen.clear();
            }
            for (const item of store.known) if (item) seen.add(item.mark);
            render();
        },
        chosenElements: () => [...store.known.keys()].filter(place => chosen.has(store.known[place]?.mark))
            .map(place => tileAt(place)),
    };
};
