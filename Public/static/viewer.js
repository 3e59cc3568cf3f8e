// The viewer over pictures and videos, with PhotoSwipe. It is loaded when somebody opens it.
import PhotoSwipe from './photoswipe.esm.min.js';
import { addAbout } from './about.js';
import { addSlideshow } from './slideshow.js';
import { addLive } from './live.js';
import { addBright } from './bright.js';
import { addFilms } from './film.js';
import { copy, savesToPhotos } from './device.js';
import { addStyle, save } from './saving.js';

// A picture that is wider than this, by its height, opens at full height.
const panorama = 2.2;
// The controls of a video, in pixels from below: a finger there moves no picture.
const controls = 72;

const isVideo = target => target instanceof HTMLVideoElement;
const isControl = ({ target, clientY }) => isVideo(target) && target.getBoundingClientRect().bottom - clientY < controls;

// The original of a picture with a gain map: its address and type.
const brightOf = (element, page) => element.dataset.hdr && {
    src: `${page.base}/media/${page.keyOf(element)}?v=${new URL(element.href).searchParams.get('v')}`,
    type: `image/${element.dataset.hdr}`,
};

// What PhotoSwipe is to know of an item of the page.
const describe = (element, page) => {
    const { mark, download, video } = element.dataset;
    const data = { element, mark, download, key: page.keyOf(element) };
    if (video) {
        const own = element.querySelector('video');
        // Its shape is 16 to 9 until it is known, and its size that of a screen.
        const { pswpWidth, pswpHeight } = element.dataset;
        const [width, height] = [own?.videoWidth || own?.width || +pswpWidth, own?.videoHeight || own?.height || +pswpHeight];
        const shape = width && height ? width / height : 16 / 9;
        const name = own?.getAttribute('aria-label') ?? element.dataset.name ?? '';
        return {
            ...data, type: 'video', video: own?.getAttribute('src') ?? video, poster: own?.poster ?? element.dataset.poster, alt: name, name,
            hasPicture: Boolean(own?.width || +pswpWidth), said: element.dataset.said ?? '', w: Math.round(1080 * shape), h: 1080,
        };
    }
    const image = element.querySelector('img');
    const source = image.currentSrc || image.src;
    return {
        ...data, live: element.dataset.live, bright: brightOf(element, page), src: element.href, srcset: element.dataset.pswpSrcset, alt: image.alt, name: image.alt,
        w: parseInt(element.dataset.pswpWidth, 10) || 0, h: parseInt(element.dataset.pswpHeight, 10) || 0,
        said: element.querySelector('.caption')?.textContent ?? '', thumbCropped: true,
        // A tile is cut: stretched to the whole picture it would be a false one.
        msrc: source.includes('/preview/tile/') ? undefined : source,
        color: [...element.classList].find(name => /^c[0-3][0-9a-f]$/.test(name)),
    };
};

const videoElement = ({ video, poster, alt, download }) => {
    const made = Object.assign(document.createElement('video'), {
        className: 'pswp__video', src: video, controls: true, playsInline: true, preload: 'metadata',
    });
    if (poster) made.poster = poster;
    if (!download) made.setAttribute('controlslist', 'nodownload');
    made.setAttribute('aria-label', alt);
    return made;
};

const addVideos = (pswp, watch) => {
    // It is near: only what is next to the open item is made.
    pswp.on('contentLoad', event => {
        const { content } = event;
        if (content.type !== 'video') return;
        event.preventDefault();
        if (!content.element) {
            content.element = videoElement(content.data);
            watch(content);
        }
        content.state = 'loaded';
    });
    for (const name of ['contentDeactivate', 'contentRemove', 'contentDestroy']) {
        pswp.on(name, ({ content }) => { if (content.type === 'video') content.element?.pause(); });
    }
    pswp.addFilter('preventPointerEvent', (prevents, event) => prevents && !isControl(event) && !isInPart(event.target));
    pswp.on('pointerDown', event => { if (isControl(event.originalEvent)) event.preventDefault(); });
    for (const name of ['tapAction', 'doubleTapAction']) {
        pswp.on(name, event => { if (isVideo(event.originalEvent.target)) event.preventDefault(); });
    }
    pswp.on('change', () => pswp.element.classList.toggle('pswp--video', pswp.currSlide.data.type === 'video'));
};

// Until a picture is there, its color holds its place.
const addColors = pswp => pswp.on('contentLoad', ({ content }) => {
    if (content.data.color) content.placeholder?.element?.classList.add(content.data.color);
});

const isInPart = target => target.closest?.('.pswp__about, .pswp__film, dialog');

// At its full height a panorama is wider than the window: the arrows go through it first.
const isWide = ({ elementSize, fit, vFill }) => elementSize.x / elementSize.y > panorama && vFill > fit;
const zooms = {
    initialZoomLevel: levels => isWide(levels) ? levels.vFill : levels.fit,
    secondaryZoomLevel: levels => isWide(levels) ? levels.fit : undefined,
};
const pan = ({ currSlide: slide, viewportSize }, key) => {
    if (!slide || !isWide(slide.zoomLevels) || !slide.isPannable()) return false;
    const { pan: { x, y }, bounds } = slide;
    const isEnd = key === 'ArrowRight' ? x <= bounds.max.x : x >= bounds.min.x;
    if (isEnd) return false;
    slide.panTo(x + (key === 'ArrowRight' ? -0.6 : 0.6) * viewportSize.x, y);
    return true;
};

// What has happened is shown for a moment and read out; where somebody is, is only read out.
const addWords = (pswp, { texts, filled, isRightToLeft }) => {
    const status = className => {
        const made = Object.assign(document.createElement('div'), { className });
        made.setAttribute('role', 'status');
        return made;
    };
    const [told, place] = [status('pswp__told'), status('unseen')];
    let timer = null;
    pswp.on('afterInit', () => {
        pswp.element.setAttribute('aria-label', texts['viewer.photos']);
        pswp.element.append(told, place);
        told.dir = document.documentElement.dir || 'ltr';
    });
    pswp.on('change', () => {
        const count = pswp.getNumItems();
        const number = isRightToLeft ? count - pswp.currIndex : pswp.currIndex + 1;
        place.textContent = `${filled('viewer.position', { number, count })}: ${pswp.currSlide.data.name}`;
    });
    return text => {
        clearTimeout(timer);
        told.textContent = text;
        timer = setTimeout(() => { told.textContent = ''; }, 2500);
    };
};

// What is said of an item stands under it.
const addCaption = (pswp, { isRightToLeft }) => pswp.on('uiRegister', () => pswp.ui.registerElement({
    name: 'said',
    className: 'pswp__said',
    order: 9,
    isButton: false,
    appendTo: 'root',
    onInit: element => {
        element.dir = 'auto';
        pswp.on('change', () => {
            element.textContent = pswp.currSlide.data.said;
            element.hidden = !element.textContent;
            // The counter has been written just before.
            const counter = pswp.element.querySelector('.pswp__counter');
            const count = pswp.getNumItems();
            if (isRightToLeft && counter) counter.textContent = `${count - pswp.currIndex} / ${count}`;
        });
    },
}));

const addLink = (pswp, { texts, linkTo }, tell) => pswp.on('uiRegister', () => pswp.ui.registerElement({
    name: 'link',
    order: 9,
    isButton: true,
    title: texts['photo.link'],
    html: {
        isCustomSVG: true,
        inner: '<path d="M14.5 20.5 12 23a3.5 3.5 0 0 1-5-5l4.5-4.5a3.5 3.5 0 0 1 5 0l1.4-1.4a5.5 5.5 0 0 0-7.8 0L5.6 16.6a5.5 5.5 0 0 0 7.8 7.8l2.5-2.5ZM17.5 11.5 20 9a3.5 3.5 0 0 1 5 5l-4.5 4.5a3.5 3.5 0 0 1-5 0l-1.4 1.4a5.5 5.5 0 0 0 7.8 0l4.5-4.5a5.5 5.5 0 0 0-7.8-7.8l-2.5 2.5Z" id="pswp__icn-link"/>',
        outlineID: 'pswp__icn-link',
    },
    onClick: async () => {
        await copy(linkTo(pswp.currSlide.data.key), pswp.element);
        tell(texts['photo.linked']);
    },
}));

const addDownload = (pswp, page) => pswp.on('uiRegister', () => pswp.ui.registerElement({
    name: 'download',
    order: 9,
    isButton: true,
    tagName: 'a',
    title: page.texts[savesToPhotos ? 'save.button' : 'download.button'],
    html: {
        isCustomSVG: true,
        inner: '<path d="M20.5 14.3 17.1 18V10h-2.2v7.9l-3.4-3.6L10 16l6 6.1 6-6.1ZM23 23H9v2h14Z" id="pswp__icn-download"/>',
        outlineID: 'pswp__icn-download',
    },
    onInit: element => {
        element.setAttribute('download', '');
        pswp.on('change', () => {
            element.hidden = !pswp.currSlide.data.download;
            element.href = pswp.currSlide.data.download ?? '';
        });
    },
    onClick: event => {
        if (!savesToPhotos) return;
        event.preventDefault();
        const { download, src, name } = pswp.currSlide.data;
        save([{ download, copy: src, name }], page, pswp.element);
    },
}));

const addKeys = (pswp, about, slideshow) => pswp.on('keydown', event => {
    const { originalEvent: key } = event;
    const take = () => {
        event.preventDefault();
        key.preventDefault();
    };
    if (key.ctrlKey || key.metaKey || key.altKey || key.shiftKey) return;
    if (key.key === 'Escape' && about.isOpen()) {
        take();
        about.close();
    } else if (key.key === 'i') {
        take();
        about.toggle();
    } else if (key.key === 's') {
        take();
        slideshow.toggle();
    } else if (key.key.startsWith('Arrow')) {
        // A video has its own use for them, and the panel scrolls.
        const isOwn = isVideo(key.target) || isInPart(key.target) && ['ArrowUp', 'ArrowDown'].includes(key.key);
        if (isOwn) event.preventDefault();
        else if (['ArrowLeft', 'ArrowRight'].includes(key.key) && pan(pswp, key.key)) take();
    }
});

// Opens the viewer at an item of the page, once its styles are there and if `isWanted` still.
export const open = async (page, element, point, isWanted) => {
    await Promise.all([addStyle('photoswipe.css'), addStyle('viewer.css')]);
    if (!isWanted()) return null;
    // As they stand from left to right.
    const ordered = () => page.isRightToLeft ? page.items().reverse() : page.items();
    const { texts, isRightToLeft } = page;
    // A long page gives items by their places, and not all of them have come.
    const long = page.long();
    const place = number => isRightToLeft ? long.count - 1 - number : number;
    const elements = long ? [] : ordered();
    const index = long ? place(long.placeOf(element)) : elements.indexOf(element);
    if (index < 0) return null;
    const dataSource = long ? { isLong: true } : elements.map(item => describe(item, page));
    const pswp = new PhotoSwipe({
        dataSource,
        index,
        initialPointerPos: point,
        bgOpacity: 1,
        preload: [1, 2],
        wheelToZoom: true,
        padding: { top: 20, bottom: 20, left: 0, right: 0 },
        ...zooms,
        errorMsg: texts['viewer.cannotShow'],
        closeTitle: texts['viewer.close'],
        zoomTitle: texts['viewer.zoom'],
        // The arrows lead where they point, and on a page from right to left that is onward to the left.
        arrowPrevTitle: texts[isRightToLeft ? 'viewer.next' : 'viewer.previous'],
        arrowNextTitle: texts[isRightToLeft ? 'viewer.previous' : 'viewer.next'],
    });
    if (long) {
        pswp.addFilter('numItems', () => long.count);
        pswp.addFilter('itemData', (data, number) => {
            const item = long.at(place(number));
            return item ? describe(item, page) : { type: 'html', html: '', isWaiting: true, name: '', said: '' };
        });
    }
    const tell = addWords(pswp, page);
    const slideshow = addSlideshow(pswp, page, tell);
    const about = addAbout(pswp, page);
    addKeys(pswp, about, slideshow);
    addVideos(pswp, addFilms(pswp, page));
    addColors(pswp);
    addCaption(pswp, page);
    addLink(pswp, page, tell);
    addDownload(pswp, page);
    addLive(pswp, page);
    addBright(pswp);

    // It goes on to items that come. From right to left that would move every place in it.
    const grow = () => {
        const count = dataSource.length;
        if (isRightToLeft) return;
        dataSource.push(...ordered().slice(count).map(item => describe(item, page)));
        if (dataSource.length === count) return;
        pswp.refreshSlideContent(count);
        pswp.dispatch('change');
    };
    const left = () => isRightToLeft ? pswp.currIndex : pswp.getNumItems() - 1 - pswp.currIndex;
    // Items that had not come are shown when they have.
    const refresh = () => {
        if (pswp.isDestroying) return;
        for (let number = pswp.currIndex - 2; number <= pswp.currIndex + 2; number += 1) {
            const slide = pswp.mainScroll.itemHolders.find(holder => holder.slide?.index === number)?.slide;
            if (slide?.data.isWaiting && long.at(place(number))) pswp.refreshSlideContent(number);
        }
        if (pswp.currSlide?.data.mark) pswp.dispatch('change');
    };
    pswp.on('change', () => {
        const { mark } = pswp.currSlide.data;
        if (mark) page.shows(mark);
        if (long) long.near(place(pswp.currIndex), refresh);
        else if (left() < 3) page.loadMore().then(came => { if (came && !pswp.isDestroying) grow(); });
    });
    pswp.on('destroy', page.closed);
    // The grid behind comes to the open item before the viewer shrinks to its tile.
    pswp.on('close', () => {
        page.reveal();
        long?.left(place(pswp.currIndex));
    });
    pswp.addFilter('thumbEl', tile => tile?.isConnected ? tile : null);
    pswp.init();
    return {
        // Before it is all open it is closed as soon as it can be.
        close: () => {
            pswp.close();
            pswp.on('openingAnimationEnd', () => pswp.close());
        },
        hasPart: () => about.isOpen() || Boolean(pswp.element?.querySelector('dialog')),
    };
};
