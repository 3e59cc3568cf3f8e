// Share pages: the viewer over the pictures, more of them while scrolling, and how many are chosen.
// Everything here is also there without it, as links and a form.
import PhotoSwipeLightbox from './photoswipe-lightbox.esm.min.js';

const grid = document.getElementById('photos');
const lists = [grid, document.getElementById('others')].filter(Boolean);

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
        for (const list of lists) {
            list.append(...(page.getElementById(list.id)?.children ?? []));
        }
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
    more.addEventListener('click', event => { event.preventDefault(); loadMore(); });
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
        output.value = `${count()} chosen`;
    };
    const choose = on => {
        document.body.classList.toggle('choosing', on);
        start.setAttribute('aria-pressed', String(on));
        start.textContent = on ? 'Done' : 'Choose';
        tell();
    };
    document.getElementById('done').addEventListener('click', () => { choose(false); start.focus(); });
    start.addEventListener('click', () => choose(!document.body.classList.contains('choosing')));
    document.querySelector('[data-choose]')?.addEventListener('click', event => {
        event.target.closest('details').open = false;
        choose(true);
        start.focus();
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
        if (event.key === 'Escape' && document.body.classList.contains('choosing')) { choose(false); start.focus(); }
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
    copy.textContent = 'Copied';
    setTimeout(() => { copy.textContent = 'Copy'; }, 2000);
});

// The viewer.
if (grid) {
    const prefix = '#photo-';
    const lightbox = new PhotoSwipeLightbox({
        gallery: grid,
        children: 'a.photo',
        pswpModule: () => import('./photoswipe.esm.min.js'),
        bgOpacity: 1,
        preload: [1, 2],
        wheelToZoom: true,
        padding: { top: 20, bottom: 20, left: 0, right: 0 },
        errorMsg: 'This picture cannot be shown.',
    });

    lightbox.addFilter('domItemData', (data, element) => {
        data.mark = element.dataset.mark;
        data.download = element.dataset.download;
        data.said = element.querySelector('.caption')?.textContent ?? '';
        const image = element.querySelector('img');
        data.thumbCropped = true;
        // A picture of unknown size: its shape is the preview's.
        if (!(data.width > 0) && image?.naturalWidth) {
            data.width = data.w = image.naturalWidth * 6;
            data.height = data.h = image.naturalHeight * 6;
        }
        return data;
    });

    lightbox.on('uiRegister', () => {
        lightbox.pswp.ui.registerElement({
            name: 'download',
            order: 8,
            isButton: true,
            tagName: 'a',
            title: 'Download',
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
        if (lightbox.pswp.currIndex >= lightbox.pswp.getNumItems() - 3) loadMore();
    });
    lightbox.on('destroy', () => {
        if (!location.hash.startsWith(prefix)) return;
        if (isOurs) history.back(); else history.replaceState(null, '', location.pathname + location.search);
        isOurs = false;
    });
    addEventListener('popstate', () => {
        if (location.hash.startsWith(prefix)) return;
        isOurs = false;
        const viewer = lightbox.pswp;
        viewer?.close();
        // It does not close before it is all open.
        viewer?.on('openingAnimationEnd', () => viewer.close());
    });
    lightbox.init();

    const openLinked = async () => {
        if (!location.hash.startsWith(prefix) || lightbox.pswp) return;
        const mark = location.hash.slice(prefix.length);
        const place = () => [...grid.querySelectorAll('a.photo')].findIndex(photo => photo.dataset.mark === mark);
        while (place() < 0 && await loadMore());
        if (place() >= 0) lightbox.loadAndOpen(place(), { gallery: grid });
    };
    openLinked();
    addEventListener('hashchange', openLinked);
}
