// Videos that the browser cannot play are asked for in a form that it can, which the server makes meanwhile.

const form = 'h264';
// Seconds between two questions, whatever the server says.
const [least, most] = [1, 60];

// The address of the film of a video.
export const filmOf = video => {
    const address = new URL(video, location.href);
    address.hash = '';
    address.searchParams.set('as', form);
    return address.href;
};

const isFilm = address => new URL(address, location.href).searchParams.get('as') === form;

const pause = (seconds, signal) => new Promise((done, fail) => {
    const timer = setTimeout(done, seconds * 1000);
    signal.addEventListener('abort', () => {
        clearTimeout(timer);
        fail(signal.reason);
    }, { once: true });
});

// Asks until the film is there.
const wait = async (address, signal, tell) => {
    for (;;) {
        const answer = await fetch(address, { headers: { Range: 'bytes=0-0' }, credentials: 'same-origin', signal });
        if (answer.status !== 202) {
            // Nothing but the status is of use.
            await answer.body?.cancel();
            return answer.status;
        }
        tell((await answer.json()).progress);
        await pause(Math.min(Math.max(Number(answer.headers.get('Retry-After')) || 0, least), most), signal);
    }
};

// Calls back when it turns out that the browser cannot play a video: with an error, or with sound over no picture where
// the video is known to have one.
export const whenUnplayable = (video, hasPicture, call) => {
    video.addEventListener('error', () => {
        const { MEDIA_ERR_DECODE: broken, MEDIA_ERR_SRC_NOT_SUPPORTED: unknown } = MediaError;
        if ([broken, unknown].includes(video.error?.code)) call();
    });
    video.addEventListener('loadedmetadata', () => { if (hasPicture() && video.videoWidth === 0) call(); });
};

export const addFilms = (pswp, { texts, lang, filled }) => {
    let asking = null;
    let [box, words, link] = [];

    const say = (text, download) => {
        words.textContent = text;
        link.hidden = !download;
        link.href = download ?? '';
        box.hidden = !text;
    };

    const made = share => share === null || share === undefined
        ? texts['film.waiting']
        : filled('film.making', { percent: new Intl.NumberFormat(lang, { style: 'percent' }).format(share) });

    const fail = ({ data }, key) => say(texts[key], data.download);

    const ask = async content => {
        const { data, element } = content;
        const film = filmOf(data.video);
        const { signal } = asking = new AbortController();
        say(texts['film.waiting']);
        try {
            const status = await wait(film, signal, share => say(made(share)));
            if (status !== 200 && status !== 206) return fail(content, status === 429 || status >= 500 ? 'film.later' : 'film.none');
            Object.assign(data, { video: film, isUnplayable: false });
            say('');
            element.src = film;
            await element.play().catch(() => {});
        } catch {
            if (!signal.aborted) fail(content, 'film.later');
        }
    };

    const look = () => {
        asking?.abort();
        asking = null;
        say('');
        const content = pswp.currSlide?.content;
        if (!content?.data.isUnplayable) return;
        if (isFilm(content.data.video)) fail(content, 'film.none'); else ask(content);
    };

    pswp.on('uiRegister', () => pswp.ui.registerElement({
        name: 'film',
        order: 9,
        isButton: false,
        appendTo: 'root',
        onInit: element => {
            box = element;
            box.setAttribute('role', 'status');
            words = document.createElement('p');
            link = Object.assign(document.createElement('a'), { textContent: texts['film.download'] });
            link.setAttribute('download', '');
            box.append(words, link);
            say('');
            pswp.on('change', look);
        },
    }));
    pswp.on('destroy', () => asking?.abort());

    // Watches a video of the viewer.
    return content => whenUnplayable(content.element, () => Boolean(content.data.hasPicture), () => {
        content.data.isUnplayable = true;
        if (pswp.currSlide?.content === content) look();
    });
};
