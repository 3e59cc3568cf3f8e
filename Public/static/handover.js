// Tells the page that opened this window what came of signing in, and only a page of the origin named.
const handover = document.getElementById("handover");
if (window.opener && !window.opener.closed) {
    const message = {};
    for (const item of handover.querySelectorAll("data")) message[item.dataset.name] = item.value;
    window.opener.postMessage(message, handover.dataset.origin);
    if (handover.hasAttribute("data-closes")) window.close();
} else {
    document.getElementById("told").hidden = true;
    document.getElementById("alone").hidden = false;
}
