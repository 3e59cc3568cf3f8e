// Gain maps: on a screen of high range the viewer shows the original of a picture that has one, once its preview is there.
const range = matchMedia('(dynamic-range: high)');

// Whether the browser shows images of a type: it takes a source of no other.
const pixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const types = new Map([['image/jpeg', Promise.resolve(true)]]);
const isShown = type => {
    if (!types.has(type)) {
        const image = new Image();
        const picture = document.createElement('picture');
        picture.append(Object.assign(document.createElement('source'), { type, srcset: pixel }), image);
        types.set(type, image.decode().then(() => true, () => false));
    }
    return types.get(type);
};

// Puts an image into the place of the one that is shown, in the same box.
const put = (content, image) => {
    const { element } = content;
    image.className = element.className;
    image.alt = element.alt;
    for (const side of ['width', 'height']) image.style[side] = element.style[side];
    element.replaceWith(image);
    content.element = image;
};

export const addBright = pswp => {
    // The original that is on its way, and for which content.
    let loading = null;
    // Contents that show their originals, with their previews.
    const previews = new Map();
    const stop = () => {
        loading?.image.removeAttribute('src');
        loading = null;
    };
    const restore = content => {
        if (!previews.has(content)) return;
        put(content, previews.get(content));
        previews.delete(content);
    };
    const load = async own => {
        const { content, image } = own;
        const { src, type } = content.data.bright;
        if (!await isShown(type)) {
            delete content.data.bright;
        } else {
            // The preview comes first.
            await content.element?.decode().catch(() => {});
            if (loading !== own) return;
            image.src = src;
            try {
                await image.decode();
            } catch {
                // One that cannot be shown is not asked for again.
                if (loading === own) delete content.data.bright;
            }
        }
        if (loading !== own) return;
        loading = null;
        if (!content.data.bright || !content.element?.isConnected) return;
        previews.set(content, content.element);
        put(content, image);
    };
    const look = () => {
        const content = pswp.currSlide?.content;
        if (loading && (loading.content !== content || !range.matches)) stop();
        if (!range.matches || loading || pswp.isDestroying || !content?.data.bright || previews.has(content)) return;
        if (!pswp.opener.isOpen || content.state !== 'loaded' || !content.element?.isConnected) return;
        loading = { content, image: new Image() };
        load(loading);
    };
    // The picture is in the document after the event.
    for (const name of ['change', 'openingAnimationEnd', 'loadComplete', 'contentAppendImage']) {
        pswp.on(name, () => queueMicrotask(look));
    }
    pswp.on('contentRemove', ({ content }) => restore(content));
    const switched = () => {
        if (!range.matches) for (const content of [...previews.keys()]) restore(content);
        look();
    };
    range.addEventListener('change', switched);
    pswp.on('close', stop);
    pswp.on('destroy', () => range.removeEventListener('change', switched));
};
