// Live Photos: the movie plays over the still, without sound, while a mouse rests on it or a finger holds it, and by its button.
const hold = 350;

let playing = null;
const stop = () => {
    playing?.remove();
    playing = null;
};

// Plays over `photo`, which is as large as the still.
export const play = (photo, source) => {
    if (playing?.parentElement === photo) return;
    stop();
    const video = Object.assign(document.createElement('video'), {
        className: 'motion', src: source, muted: true, playsInline: true, autoplay: true,
    });
    video.setAttribute('aria-hidden', 'true');
    for (const name of ['ended', 'error']) video.addEventListener(name, () => {
        if (playing === video) stop();
    });
    photo.append(video);
    playing = video;
};

export const listen = page => {
    const photoOf = event => event.target.closest?.('a.photo[data-live]');
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)');
    let timer = null;
    let isHeld = false;
    page.addEventListener('pointerover', event => {
        const photo = photoOf(event);
        if (photo && event.pointerType === 'mouse' && !isCalm.matches) play(photo, photo.dataset.live);
    });
    page.addEventListener('pointerout', event => {
        if (event.pointerType === 'mouse' && playing && !playing.parentElement.contains(event.relatedTarget)) stop();
    });
    page.addEventListener('pointerdown', event => {
        const photo = photoOf(event);
        isHeld = false;
        if (!photo || event.pointerType === 'mouse') return;
        timer = setTimeout(() => {
            isHeld = true;
            play(photo, photo.dataset.live);
        }, hold);
    });
    for (const name of ['pointerup', 'pointercancel']) page.addEventListener(name, event => {
        clearTimeout(timer);
        if (event.pointerType !== 'mouse' && isHeld) stop();
    });
    // A hold opens neither the viewer nor a menu.
    page.addEventListener('contextmenu', event => {
        if (isHeld || photoOf(event) && event.pointerType === 'touch') event.preventDefault();
    });
    page.addEventListener('click', event => {
        const button = event.target.closest?.('button.live');
        if (button) {
            const photo = button.closest('li').querySelector('a.photo');
            if (playing?.parentElement === photo) stop(); else play(photo, photo.dataset.live);
        } else if (isHeld && photoOf(event)) {
            isHeld = false;
            event.preventDefault();
            event.stopPropagation();
        }
    }, true);
};

// The button in the viewer.
export const addLive = (pswp, { texts }) => pswp.on('uiRegister', () => pswp.ui.registerElement({
    name: 'live',
    order: 8,
    isButton: true,
    title: texts['live.play'],
    html: {
        isCustomSVG: true,
        inner: '<path d="M16 6a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm0 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16Zm-3 4v8l7-4-7-4Z" id="pswp__icn-live"/>',
        outlineID: 'pswp__icn-live',
    },
    onInit: element => {
        pswp.on('change', () => {
            stop();
            element.hidden = !pswp.currSlide.data.live;
        });
        pswp.on('close', stop);
    },
    onClick: () => {
        const { content, data, container } = pswp.currSlide;
        if (playing?.parentElement === container) return stop();
        play(container, data.live);
        for (const side of ['width', 'height']) playing.style[side] = content.element.style[side];
    },
}));
