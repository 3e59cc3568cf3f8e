// Pictures follow each other by themselves, until somebody touches something. Nothing but a press or a key starts it.
import { keepAwake } from './device.js';

const paces = [3, 5, 10];

export const addSlideshow = (pswp, { texts, isRightToLeft }, tell) => {
    let pace = 5;
    let release = null;
    let wait = null;
    let button = null;

    const next = () => isRightToLeft ? pswp.prev() : pswp.next();

    const after = (signal, action) => {
        const timer = setTimeout(action, pace * 1000);
        signal.addEventListener('abort', () => clearTimeout(timer));
    };

    // A video that cannot be played is shown as long as a picture.
    const play = async (video, signal) => {
        video.addEventListener('ended', next, { signal });
        const fail = () => { if (!signal.aborted) after(signal, next); };
        video.addEventListener('error', fail, { signal });
        try {
            await video.play();
        } catch (error) {
            if (signal.aborted) return;
            if (error.name !== 'NotAllowedError') return fail();
            video.muted = true;
            video.play().catch(fail);
        }
    };

    // The time of a picture begins when it is there.
    const stay = () => {
        wait?.abort();
        wait = null;
        if (!release || document.hidden) return;
        const content = pswp.currSlide?.content;
        if (!content || content.isLoading()) return;
        wait = new AbortController();
        if (content.type === 'video') play(content.element, wait.signal);
        else after(wait.signal, next);
    };

    const show = () => {
        const title = texts[release ? 'slideshow.stop' : 'slideshow.start'];
        pswp.element.classList.toggle('pswp--slideshow', release !== null);
        button.title = title;
        button.setAttribute('aria-label', title);
    };

    const stop = () => {
        if (!release) return;
        release();
        release = null;
        wait?.abort();
        show();
        tell(texts['slideshow.stopped']);
    };

    const start = () => {
        release = keepAwake();
        show();
        tell(texts['slideshow.started']);
        stay();
    };

    const toggle = () => release ? stop() : start();

    const showPace = element => {
        element.textContent = `${pace} s`;
        const label = texts['slideshow.pace'].replace('{number}', pace);
        element.title = label;
        element.setAttribute('aria-label', label);
    };

    pswp.on('uiRegister', () => {
        pswp.ui.registerElement({
            name: 'slideshow',
            order: 8,
            isButton: true,
            title: texts['slideshow.start'],
            html: {
                isCustomSVG: true,
                inner: '<path class="pswp__start" d="M11 8v16l13-8Z" id="pswp__icn-start"/><path class="pswp__stop" d="M10 9h4v14h-4Zm8 0h4v14h-4Z"/>',
            },
            onInit: made => {
                button = made;
                button.setAttribute('aria-keyshortcuts', 's');
            },
            onClick: toggle,
        });
        pswp.ui.registerElement({
            name: 'pace',
            order: 8,
            isButton: true,
            onInit: showPace,
            onClick: (event, element) => {
                pace = paces[(paces.indexOf(pace) + 1) % paces.length];
                showPace(element);
                stay();
            },
        });
    });

    pswp.on('change', stay);
    pswp.on('loadComplete', ({ slide }) => { if (slide === pswp.currSlide) stay(); });
    document.addEventListener('visibilitychange', stay);

    // The bar's buttons say themselves what they end.
    const isBar = target => target.closest?.('.pswp__top-bar');
    pswp.on('pointerDown', ({ originalEvent }) => { if (!isBar(originalEvent.target)) stop(); });
    pswp.on('wheel', stop);
    pswp.on('keydown', ({ originalEvent: { key, target } }) => {
        const isPress = ['Enter', ' '].includes(key) && isBar(target);
        if (!isPress && !['s', 'Tab', 'Shift', 'Control', 'Alt', 'Meta'].includes(key)) stop();
    });
    // A viewer on its way out says nothing.
    pswp.on('close', () => {
        release?.();
        release = null;
        wait?.abort();
        document.removeEventListener('visibilitychange', stay);
    });
    return { toggle };
};
