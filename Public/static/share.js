// Share pages: the viewer over the pictures, more of them while scrolling, and how many are chosen.
// Everything here is also there without it, as links and a form.
import PhotoSwipeLightbox from './photoswipe-lightbox.esm.min.js';

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

// More of them.
let loading = null;

async function loadMore() {
    const more = document.getElementById('more');
    if (!more) return false;
    loading ??= (async () => {
        more.setAttribute('aria-busy', 'true');
        const answer = await fetch(more.href, { credentials: 'same-origin' });
        if (!answer.ok) throw new Error(String(answer.status));
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        const came = lists.map(id => page.getElementById(id)).filter(Boolean);
        // A list that is not on this page yet comes with its own style and scripts: the link is followed by hand.
        if (came.some(list => !document.getElementById(list.id))) throw new Error('another kind of page');
        grid?.classList.remove('lone');
        for (const list of came) document.getElementById(list.id).append(...list.children);
        more.closest('nav').before(...page.querySelectorAll('section.records'));
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
    observer.observe(more);
    more.addEventListener('click', async event => {
        event.preventDefault();
        if (!await loadMore()) location.assign(more.href);
    });
}

// Choosing.
const form = document.getElementById('files');
const start = document.getElementById('choose');
if (form && start) {
    const buttons = form.querySelectorAll('button:not([type])');
    const count = () => document.querySelectorAll('input[name="i"]:checked').length;
    const tell = () => {
        for (const button of buttons) button.disabled = count() === 0;
        const output = document.getElementById('chosen');
        output.hidden = false;
        output.value = counted('choice.chosen', count());
        all.textContent = texts[isAll() ? 'choice.none' : 'choice.all'];
    };
    const all = document.getElementById('all');
    const boxes = () => [...document.querySelectorAll('input[name="i"]')];
    const isAll = () => !document.getElementById('more') && boxes().every(box => box.checked);
    all.addEventListener('click', async () => {
        const on = !isAll();
        // All of them, also those that have not been scrolled to.
        while (on && await loadMore());
        for (const box of boxes()) box.checked = on;
        tell();
    });
    const choose = on => {
        document.body.classList.toggle('choosing', on);
        start.hidden = on;
        tell();
        (on ? all : start).focus();
    };
    document.getElementById('done').addEventListener('click', () => choose(false));
    start.addEventListener('click', () => choose(true));
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
}

// The owner's link, to be sent on.
const copy = document.getElementById('copy');
copy?.addEventListener('click', async () => {
    const address = document.getElementById('address');
    address.select();
    try { await navigator.clipboard.writeText(address.value); } catch { document.execCommand('copy'); }
    copy.textContent = texts['copy.done'];
    setTimeout(() => { copy.textContent = texts['copy.button']; }, 2000);
});

// A style sheet beside this script, asked for when it is needed.
const style = name => new Promise((done, fail) => {
    const link = Object.assign(document.createElement('link'), {
        rel: 'stylesheet', href: new URL(name, import.meta.url).href, onload: done, onerror: fail,
    });
    document.head.append(link);
});

// The viewer.
if (grid) {
    const prefix = '#photo-';
    const lightbox = new PhotoSwipeLightbox({
        gallery: grid,
        children: 'a.photo',
        pswpModule: async () => (await Promise.all([import('./photoswipe.esm.min.js'), style('photoswipe.css')]))[0],
        bgOpacity: 1,
        preload: [1, 2],
        wheelToZoom: true,
        padding: { top: 20, bottom: 20, left: 0, right: 0 },
        errorMsg: texts['viewer.cannotShow'],
        closeTitle: texts['viewer.close'],
        zoomTitle: texts['viewer.zoom'],
        // The arrows lead where they point, and on a page from right to left that is onward to the left.
        arrowPrevTitle: texts[isRightToLeft ? 'viewer.next' : 'viewer.previous'],
        arrowNextTitle: texts[isRightToLeft ? 'viewer.previous' : 'viewer.next'],
    });
    // As they stand from left to right.
    const photos = () => {
        const all = [...grid.querySelectorAll('a.photo')];
        return isRightToLeft ? all.reverse() : all;
    };
    const gather = () => {
        lightbox.options.children = photos();
        const viewer = lightbox.pswp;
        // The open viewer goes on to those that came. From right to left that would move every place in it.
        if (!viewer || isRightToLeft) return;
        const count = viewer.getNumItems();
        viewer.options.dataSource.items = photos();
        viewer.refreshSlideContent(count);
        viewer.dispatch('change');
    };
    gather();
    new MutationObserver(gather).observe(grid, { childList: true });

    lightbox.addFilter('domItemData', (data, element) => {
        data.mark = element.dataset.mark;
        data.download = element.dataset.download;
        data.said = element.querySelector('.caption')?.textContent ?? '';
        data.thumbCropped = true;
        // A tile is cut: stretched to the whole picture it would be a false one.
        if (data.msrc?.includes('/preview/tile/')) data.msrc = undefined;
        return data;
    });

    lightbox.on('afterInit', () => lightbox.pswp.element.setAttribute('aria-label', texts['viewer.photos']));

    lightbox.on('uiRegister', () => {
        lightbox.pswp.ui.registerElement({
            name: 'download',
            order: 8,
            isButton: true,
            tagName: 'a',
            title: texts['download.button'],
            html: {
                isCustomSVG: true,
                inner: '<path d="M20.5 14.3 17.1 18V10h-2.2v7.9l-3.4-3.6L10 16l6 6.1 6-6.1ZM23 23H9v2h14Z" id="pswp__icn-download"/>',
                outlineID: 'pswp__icn-download',
            },
            onInit: (element, pswp) => {
                element.setAttribute('download', '');
                pswp.on('change', () => {
                    element.hidden = !pswp.currSlide.data.download;
                    element.href = pswp.currSlide.data.download ?? '';
                });
            },
        });
    });

    // What is said of a picture stands under it.
    lightbox.on('uiRegister', () => {
        lightbox.pswp.ui.registerElement({
            name: 'said',
            className: 'pswp__said',
            order: 9,
            isButton: false,
            appendTo: 'root',
            onInit: (element, pswp) => {
                element.dir = 'auto';
                pswp.on('change', () => {
                    const counter = pswp.element.querySelector('.pswp__counter');
                    const count = pswp.getNumItems();
                    if (isRightToLeft && counter) counter.textContent = `${count - pswp.currIndex} / ${count}`;
                    element.textContent = pswp.currSlide.data.said;
                    element.hidden = !element.textContent;
                });
            },
        });
    });

    // A link per picture, and the browser's back button closes.
    let isOurs = false;
    lightbox.on('change', () => {
        const mark = lightbox.pswp.currSlide.data.mark;
        if (location.hash === prefix + mark) return;
        if (history.state?.viewer) {
            history.replaceState({ viewer: true }, '', prefix + mark);
        } else {
            history.pushState({ viewer: true }, '', prefix + mark);
            isOurs = true;
        }
        const { currIndex } = lightbox.pswp;
        const left = isRightToLeft ? currIndex : lightbox.pswp.getNumItems() - 1 - currIndex;
        if (left < 3) loadMore();
    });
    lightbox.on('destroy', () => {
        if (!location.hash.startsWith(prefix)) return;
        if (isOurs) history.back(); else history.replaceState(null, '', location.pathname + location.search);
        isOurs = false;
    });
    addEventListener('popstate', () => {
        if (location.hash.startsWith(prefix)) return;
        isOurs = false;
        close();
    });
    // A viewer that is still on its way is closed as soon as it can be.
    const close = () => {
        lightbox.shouldOpen = false;
        const viewer = lightbox.pswp;
        viewer?.close();
        viewer?.on('openingAnimationEnd', () => viewer.close());
    };
    addEventListener('keydown', event => {
        if (event.key === 'Escape') close();
    }, true);
    lightbox.init();

    const openLinked = async () => {
        if (!location.hash.startsWith(prefix) || lightbox.pswp) return;
        const mark = location.hash.slice(prefix.length);
        const place = () => photos().findIndex(photo => photo.dataset.mark === mark);
        while (place() < 0 && await loadMore());
        if (place() >= 0) lightbox.loadAndOpen(place(), { gallery: grid });
    };
    openLinked();
    addEventListener('hashchange', openLinked);
}
