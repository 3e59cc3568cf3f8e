// A link to a picture of a long page: the pictures of the page's beginning wait until the viewer closes. share.js takes over.
if (location.hash.startsWith('#photo-') || new URLSearchParams(location.search).has('photo')) {
    document.documentElement.classList.add('linked');
    // Without share.js they are shown all the same.
    addEventListener('load', () => document.documentElement.classList.remove('linked'), { once: true });
}
