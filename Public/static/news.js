// Tells that the page has changed since it was opened. Nothing moves by itself: a button shows the page anew.

// The versions of the page come as events while somebody looks at it.
export const listen = (page, { dataset }) => {
    const { base, texts } = page;
    let source = null;

    const tell = async version => {
        if (version === dataset.version) {
            // As it was: something came and went.
            document.getElementById('changed')?.remove();
            return;
        }
        const answer = await fetch(`${base}/items?count=1`, { credentials: 'same-origin' }).catch(() => null);
        const more = answer?.ok ? (await answer.json()).count - Number(dataset.count) : 0;
        const changed = Number(dataset.count) > 0 ? texts['grid.changed'] : texts['news.changed'];
        page.offer(more > 0 ? page.counted('news.photos', more) : changed);
    };
    const open = () => {
        source ??= new EventSource(`${base}/events`);
        source.onmessage = event => tell(event.data);
    };
    const close = () => {
        source?.close();
        source = null;
    };
    const turn = () => { if (document.visibilityState === 'visible') open(); else close(); };
    document.addEventListener('visibilitychange', turn);
    // A page that can be gone back to holds no connection.
    addEventListener('pagehide', close);
    addEventListener('pageshow', turn);
    turn();
};
