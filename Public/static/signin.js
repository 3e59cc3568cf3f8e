// Opens a provider in a window of its own where an app's page waits for this one: providers cut windows off from their openers.
const goesOn = document.getElementById("goes-on");
for (const link of document.querySelectorAll("a[data-window]")) {
    link.addEventListener("click", event => {
        if (!window.opener || event.ctrlKey || event.metaKey || event.shiftKey) return;
        const opened = window.open("", "_blank", "popup,width=520,height=640");
        if (!opened) return;
        event.preventDefault();
        const random = crypto.getRandomValues(new Uint8Array(16));
        const id = Array.from(random, byte => byte.toString(16).padStart(2, "0")).join("");
        const channel = new BroadcastChannel(`cumulus-signin-${id}`);
        channel.addEventListener("message", ({data}) => {
            channel.postMessage("heard");
            channel.close();
            goesOn.elements.namedItem("action").value = data === "signed-in" ? "continue" : "cancel";
            HTMLFormElement.prototype.submit.call(goesOn);
        });
        opened.opener = null;
        opened.location = `${link.href}${link.search ? "&" : "?"}window=${id}`;
    });
}
