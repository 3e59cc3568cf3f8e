// The panel that tells what the server knows of the item in the viewer.
export const addAbout = (pswp, { texts, base }) => {
    const known = new Map();
    let panel = null;
    let button = null;

    const element = (name, more = {}, ...children) => {
        const made = Object.assign(document.createElement(name), more);
        made.append(...children);
        return made;
    };

    const line = ({ label, text }) => {
        const says = element('dd', { textContent: text });
        says.dir = 'auto';
        return element('div', {}, element('dt', { textContent: label }), says);
    };

    const ask = async key => {
        const answer = await fetch(`${base}/about/${key}`, { credentials: 'same-origin' });
        if (!answer.ok) throw new Error(String(answer.status));
        return (await answer.json()).lines;
    };

    const fill = async () => {
        const { key } = pswp.currSlide.data;
        const place = panel.querySelector('div');
        let content;
        try {
            if (!known.has(key)) {
                place.setAttribute('aria-busy', 'true');
                known.set(key, await ask(key));
            }
            content = element('dl', {}, ...known.get(key).map(line));
        } catch {
            content = element('p', { textContent: texts['about.failed'] });
        }
        // Another item may be there by now.
        if (!panel || pswp.currSlide?.data.key !== key) return;
        place.removeAttribute('aria-busy');
        place.replaceChildren(content);
    };

    const close = () => {
        panel?.remove();
        panel = null;
        button.setAttribute('aria-expanded', 'false');
        button.focus();
    };

    const open = () => {
        const title = element('h2', { id: 'about', tabIndex: -1, textContent: texts['about.title'] });
        const shut = element('button', { type: 'button', className: 'pswp__shut', onclick: close }, '×');
        shut.setAttribute('aria-label', texts['viewer.close']);
        const lines = element('div');
        lines.setAttribute('aria-live', 'polite');
        panel = element('section', { className: 'pswp__about' }, element('header', {}, title, shut), lines);
        panel.setAttribute('aria-labelledby', 'about');
        panel.dir = document.documentElement.dir || 'ltr';
        // What is done in the panel moves no picture.
        panel.addEventListener('wheel', event => event.stopPropagation());
        pswp.element.append(panel);
        button.setAttribute('aria-expanded', 'true');
        title.focus();
        fill();
    };

    const toggle = () => panel ? close() : open();

    pswp.on('uiRegister', () => pswp.ui.registerElement({
        name: 'about',
        order: 9,
        isButton: true,
        title: texts['about.title'],
        html: {
            isCustomSVG: true,
            inner: '<path d="M16 6a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm0 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16Zm-1 6.5h2V22h-2ZM15 10h2v2.3h-2Z" id="pswp__icn-about"/>',
            outlineID: 'pswp__icn-about',
        },
        onInit: made => {
            button = made;
            button.setAttribute('aria-expanded', 'false');
            button.setAttribute('aria-keyshortcuts', 'i');
        },
        onClick: toggle,
    }));
    pswp.on('change', () => { if (panel) fill(); });
    return { toggle, close, isOpen: () => panel !== null };
};
