/** What both example apps share: the container, signing in, and telling people what goes on. */
import { configure } from "/client/cumulus.js";

export async function open(containerIdentifier) {
    const { origin, apiToken, environment } = await (await fetch("/settings.json")).json();
    const cloud = configure({ origin, containers: [{ containerIdentifier, environment, apiTokenAuth: { apiToken, persist: true } }] });
    return cloud.getDefaultContainer();
}

export function find(id) {
    return document.getElementById(id);
}

/** Shows the app to whoever is signed in, and a button to everybody else. */
export async function withUser(container, show) {
    const turn = async (identity) => {
        find("welcome").hidden = Boolean(identity);
        find("sign-out").hidden = !identity;
        // Nothing can be pressed before what it needs is there.
        if (identity) await show(identity).catch((error) => say(error.message, true));
        find("app").hidden = !identity;
    };
    find("sign-in").addEventListener("click", async () => {
        try {
            await turn(await container.signIn());
        } catch (error) {
            say(error.message, true);
        }
    });
    find("sign-out").addEventListener("click", async () => {
        await container.signOut();
        location.reload();
    });
    try {
        await turn(await container.setUpAuth());
    } catch (error) {
        // Without a network whoever was here before goes on with what is on the device.
        const { token } = await container.auth.current();
        say(error.message, true);
        await turn(token ? {} : null);
    }
}

/** Says how things stand, for eyes and for screen readers. */
export function say(text, isBad = false) {
    find("status").textContent = text;
    find("status").classList.toggle("bad", isBad);
}

/** Hands a link to the system's share sheet, or else copies it and shows it. */
export async function offer(title, url) {
    if (navigator.share) {
        const isDone = await navigator.share({ title, url }).then(() => true, () => false);
        if (isDone) return;
    }
    await navigator.clipboard?.writeText(url).catch(() => {});
    find("link").hidden = false;
    find("link").textContent = `Whoever opens this link is let in: ${url}`;
}
