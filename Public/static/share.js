// Share pages: more items while scrolling, how many are chosen, and the viewer when somebody opens it.
// Everything here is also there without it, as links and a form.
import { copy as copyText, isPhone, savesToPhotos } from './device.js';

const grid = document.getElementById('photos');
const lists = ['photos', 'media', 'others'];
const isRightToLeft = document.documentElement.dir === 'rtl';

// The texts of the page's language.
const texts = JSON.parse(document.getElementById('texts').textContent);
const { lang } = document.documentElement;
const plurals = new Intl.PluralRules(lang);
const counted = (key, count) => {
    const forms = texts[key];
    const form = forms[plurals.select(count)] ?? forms.other ?? Object.values(forms)[0];
    return form.replace('{count}', count.toLocaleString(lang));
};

const filled = (key, values) => texts[key].replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name] ?? whole;
    return typeof value === 'number' ? value.toLocaleString(lang) : value;
});

// Pictures and videos, in the order of the page: its parts, and the places in each.
const items = () => [...document.querySelectorAll('[data-place]')].sort((one, other) =>
    (one.dataset.part ?? 0) - (other.dataset.part ?? 0) || one.dataset.place - other.dataset.place);

// A video without a poster is asked for when it is near.
const near = new IntersectionObserver(entries => {
    for (const { target } of entries.filter(entry => entry.isIntersecting)) {
        target.preload = 'metadata';
        near.unobserve(target);
    }
}, { rootMargin: '400px' });
const watchVideos = () => { for (const video of document.querySelectorAll('video[preload="none"]:not([poster])')) near.observe(video); };
watchVideos();

// The grid of a long page, once its script is there; null while it is on its way, or without one.
let long = null;
const isLong = Boolean(grid?.dataset.grid);

// More of them.
let loading = null;
let part = 0;

async function loadMore() {
    const more = document.getElementById('more');
    if (!more || long) return false;
    loading ??= (async () => {
        more.setAttribute('aria-busy', 'true');
        const answer = await fetch(more.href, { credentials: 'same-origin' });
        if (!answer.ok) throw new Error(String(answer.status));
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        const came = lists.map(id => page.getElementById(id)).filter(Boolean);
        // A list that is not on this page yet comes with its own style and scripts: the link is followed by hand.
        if (came.some(list => !document.getElementById(list.id))) throw new Error('another kind of page');
        grid?.classList.remove('lone', 'one', 'few', 'four');
        grid?.classList.add('many');
        part += 1;
        for (const item of page.querySelectorAll('[data-place]')) item.dataset.part = part;
        for (const list of came) document.getElementById(list.id).append(...list.children);
        more.closest('nav').before(...page.querySelectorAll('section.records'));
        watchVideos();
        const next = page.getElementById('more');
        if (next) more.href = next.getAttribute('href'); else more.closest('nav').remove();
        return true;
    })();
    try {
        return await loading;
    } catch {
        // The link is still there to be followed by hand.
        observer.disconnect();
        return false;
    } finally {
        loading = null;
        more.removeAttribute('aria-busy');
        // Looked at anew: it may be in view still.
        if (more.isConnected) { observer.unobserve(more); observer.observe(more); }
    }
}

const observer = new IntersectionObserver(entries => {
    if (entries.some(entry => entry.isIntersecting)) loadMore();
}, { rootMargin: '800px' });
const more = document.getElementById('more');
if (more) {
    if (!isLong) observer.observe(more);
    more.addEventListener('click', async event => {
        if (long) return;
        event.preventDefault();
        if (!await loadMore()) location.assign(more.href);
    });
}

// Choosing.
let startChoosing = () => {};
const form = document.getElementById('files');
const start = document.getElementById('choose');
if (form && start) {
    const buttons = form.querySelectorAll('button:not([type]), #save');
    const count = () => (long?.chosenCount() ?? 0)
        + [...document.querySelectorAll('input[name="i"]:checked')].filter(box => !long || !grid.contains(box)).length;
    const tell = () => {
        for (const button of buttons) button.disabled = count() === 0;
        const output = document.getElementById('chosen');
        output.hidden = false;
        output.value = counted('choice.chosen', count());
        all.textContent = texts[isAll() ? 'choice.none' : 'choice.all'];
    };
    const all = document.getElementById('all');
    const boxes = () => [...document.querySelectorAll('input[name="i"]')];
    const isAll = () => (long ? long.isAll() : !document.getElementById('more'))
        && boxes().every(box => box.checked || long && grid.contains(box));
    all.addEventListener('click', async () => {
        const on = !isAll();
        // All of them, also those that have not been scrolled to.
        while (on && await loadMore());
        await long?.chooseAll(on);
        for (const box of boxes()) box.checked = on;
        tell();
    });
    const choose = on => {
        document.body.classList.toggle('choosing', on);
        start.hidden = on;
        tell();
        if (on) long?.prepareChoices().then(tell);
        (on ? all : start).focus();
    };
    document.getElementById('done').addEventListener('click', () => choose(false));
    start.addEventListener('click', () => choose(true));
    startChoosing = () => {
        if (document.body.classList.contains('choosing')) return;
        const { activeElement } = document;
        choose(true);
        activeElement.focus({ preventScroll: true });
    };
    document.querySelector('[data-choose]')?.addEventListener('click', event => {
        event.target.closest('details').open = false;
        choose(true);
    });
    // While choosing, a press on a picture chooses it instead of opening it.
    document.addEventListener('click', event => {
        const photo = event.target.closest?.('a.photo');
        if (!photo || !document.body.classList.contains('choosing')) return;
        event.preventDefault();
        event.stopPropagation();
        photo.parentElement.querySelector('input')?.click();
    }, true);
    addEventListener('keydown', event => {
        if (event.key === 'Escape' && document.body.classList.contains('choosing')) choose(false);
    });
    document.addEventListener('change', tell);
    addEventListener('pageshow', tell);
    // An iPhone saves what is chosen to its photos.
    const save = document.getElementById('save');
    if (save && savesToPhotos) {
        save.hidden = false;
        save.addEventListener('click', async () => {
            const here = boxes().filter(box => box.checked && !(long && grid.contains(box))).map(box => box.closest('li'));
            const chosen = [...long?.chosenElements() ?? [], ...here].map(item => ({
                download: item.querySelector('[data-download]')?.dataset.download ?? item.querySelector('a[download]')?.href,
                copy: item.querySelector('a.photo')?.href,
                name: item.querySelector('[data-name]')?.dataset.name ?? item.querySelector('img')?.alt ?? item.querySelector('[dir]')?.textContent,
            }));
            const { save } = await withSaving();
            save(chosen.filter(item => item.download), page);
        });
    }
}

const withSaving = () => import('./saving.js');

// A phone is told before it downloads more than many can hold.
const large = 4e9;
const zip = document.getElementById('zip');
if (isPhone && zip) {
    zip.addEventListener('click', async event => {
        event.preventDefault();
        const answer = await fetch(zip.href, { method: 'HEAD', credentials: 'same-origin' }).catch(() => null);
        const bytes = Number(answer?.headers.get('Content-Length') ?? 0);
        if (bytes <= large) return location.assign(zip.href);
        const { confirmSize } = await withSaving();
        confirmSize(zip.href, bytes, page);
    });
}

// The owner's link, to be sent on.
const copy = document.getElementById('copy');
copy?.addEventListener('click', async () => {
    const address = document.getElementById('address');
    address.select();
    await copyText(address.value, document.body);
    copy.textContent = texts['copy.done'];
    setTimeout(() => { copy.textContent = texts['copy.button']; }, 2000);
});

// A page that has changed stays as it is until somebody wants to see what is new.
const news = document.getElementById('news');
const offer = words => {
    const button = document.getElementById('changed')
        ?? Object.assign(document.createElement('button'), { id: 'changed', type: 'button' });
    if (button.textContent !== words) button.textContent = words;
    if (button.isConnected) return;
    button.addEventListener('click', () => {
        if (long) history.replaceState({ at: long.inSight() }, '');
        location.reload();
    });
    news.append(button);
};

// The viewer. A link to an item is the page's address with its mark; `?photo=` names it to messengers as well.
const prefix = '#photo-';
const { pathname } = location;
// As in the addresses of its files.
const keyOf = element => new URL(element.dataset.video ?? element.href, location.href).pathname.split('/').pop();
const query = () => {
    const words = new URLSearchParams(location.search);
    words.delete('photo');
    return `${words}` && `?${words}`;
};

// The browser's back button closes the viewer.
let isOurs = false;
const shows = mark => {
    if (location.hash === prefix + mark) return;
    // A page that was opened by a link to one has no entry of its own to go back to.
    if (history.state?.viewer || location.hash.startsWith(prefix)) {
        history.replaceState({ viewer: true }, '', prefix + mark);
    } else {
        history.pushState({ viewer: true }, '', prefix + mark);
        isOurs = true;
    }
};
const closed = () => {
    viewer = null;
    if (!location.hash.startsWith(prefix)) return;
    if (isOurs) history.back(); else history.replaceState(null, '', pathname + query());
    isOurs = false;
};
const page = {
    texts, lang, counted, filled, isRightToLeft, items, loadMore, keyOf, shows, closed, base: pathname,
    long: () => long, isViewing: () => viewer !== null, reveal: () => reveal(), startChoosing: () => startChoosing(),
    offer: words => offer(words),
    linkTo: key => `${location.origin}${pathname}?photo=${key}`,
};

// The grid behind the viewer, whose pictures may have waited for it.
const { classList } = document.documentElement;
const reveal = () => classList.remove('behind');

let viewer = null;
// Counts up with each wish, so that one of before opens nothing.
let wish = 0;
const view = async (element, point = null) => {
    if (viewer) return;
    wish += 1;
    const own = wish;
    for (const played of document.querySelectorAll('main video, main audio')) played.pause();
    try {
        const { open } = await import('./viewer.js');
        const opened = own === wish && await open(page, element, point, () => own === wish);
        if (opened) viewer = opened;
    } catch (error) {
        // The picture itself is there.
        if (own === wish && element.href) location.assign(element.href);
        throw error;
    }
};
// A viewer that is still on its way does not open.
const close = () => {
    wish += 1;
    viewer?.close();
};

document.querySelector('main').addEventListener('click', event => {
    const element = event.target.closest('a.photo, [data-view]');
    if (!element || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    // A key has no point: then the viewer takes the focus.
    const point = event.clientX || event.clientY ? { x: event.clientX, y: event.clientY } : null;
    view(element.closest('[data-place]'), point);
});
addEventListener('popstate', () => {
    if (location.hash.startsWith(prefix)) return;
    isOurs = false;
    close();
});
addEventListener('keydown', event => {
    if (event.key === 'Escape' && !viewer?.hasPart()) close();
}, true);

// A video of the page that is started and cannot be played is opened in the viewer, which knows what to do.
const started = new WeakSet();
const isOfPage = ({ target }) => target instanceof HTMLVideoElement && target.closest('main [data-video]') !== null;
addEventListener('play', event => { if (isOfPage(event)) started.add(event.target); }, true);
for (const name of ['error', 'loadedmetadata']) addEventListener(name, event => {
    if (!isOfPage(event) || !started.has(event.target)) return;
    const { target } = event;
    if (target.error || target.width && target.videoWidth === 0) view(target.closest('[data-place]'));
}, true);

// Live Photos play where there are some, or may come.
if (isLong || document.querySelector('[data-live]')) {
    import('./live.js').then(({ listen }) => listen(document.querySelector('main')));
}

// Keys in the grid of a short page.
if (grid && !isLong) grid.addEventListener('focusin', async () => {
    const { start } = await import('./grid-keys.js');
    start(grid, page);
}, { once: true });

// After the first pictures.
const isShown = image => image.complete || new Promise(done => {
    for (const name of ['load', 'error']) image.addEventListener(name, done, { once: true });
});
const startLong = async () => {
    try {
        await Promise.all([...grid.querySelectorAll('img[loading="eager"]')].map(isShown));
        const { start } = await import('./share-grid.js');
        long = start(page, grid, JSON.parse(grid.dataset.grid));
        // It was loaded anew for its news.
        const { at } = history.state ?? {};
        if (at) {
            history.replaceState(null, '');
            await long.goTo(at);
        }
    } catch (error) {
        // The parts go on.
        if (more) observer.observe(more);
        throw error;
    }
};
const isReady = isLong ? startLong().catch(error => console.error(error)) : null;

const openLinked = async () => {
    classList.replace('linked', 'behind');
    if (!await openIfLinked()) reveal();
};
// Gives whether an item is linked that can be opened.
const openIfLinked = async () => {
    const key = new URLSearchParams(location.search).get('photo');
    const mark = location.hash.startsWith(prefix) ? location.hash.slice(prefix.length) : null;
    if (viewer || mark === null && key === null) return false;
    const isIt = element => mark === null ? keyOf(element) === key : element.dataset.mark === mark;
    await isReady;
    const linked = () => items().find(isIt);
    while (!linked() && await loadMore());
    const element = linked() ?? await long?.find(mark ?? key);
    if (!element) return false;
    if (mark === null) history.replaceState(null, '', pathname + query() + prefix + element.dataset.mark);
    await view(element);
    return viewer !== null;
};
openLinked();
addEventListener('hashchange', openLinked);

// News of the page, after all that it shows first.
const listen = async () => {
    const { listen } = await import('./news.js');
    listen(page, news);
};
if (news) {
    if (document.readyState === 'complete') listen(); else addEventListener('load', listen, { once: true });
}
