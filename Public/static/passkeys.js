// Passkeys: signing in with one, also from the suggestions of the address field, and adding one to the account.

// How long a challenge is good, with time to spare.
const validity = 240_000;

async function options(path, form) {
    const fields = new URLSearchParams(new FormData(form));
    fields.delete("answer");
    const answer = await fetch(path, {method: "POST", body: fields});
    const told = await answer.json();
    if (told.problem) throw Object.assign(new Error(told.problem), {shown: told.problem});
    return told;
}

// Sends the form as a browser does, without the password, which has done its part.
function send(form, ticket, credential) {
    form.elements.ticket.value = ticket;
    form.elements.answer.value = JSON.stringify(credential.toJSON());
    for (const secret of form.querySelectorAll("input[type=password]")) secret.disabled = true;
    HTMLFormElement.prototype.submit.call(form);
}

function tell(form, error) {
    const notice = form.querySelector("[role=alert]");
    notice.textContent = error.shown ?? notice.dataset.failed;
    notice.hidden = false;
}

function signIn(form) {
    const keep = document.querySelector("input[type=checkbox][name=keep]");
    let waiting = new AbortController();

    async function ask(mediation) {
        waiting.abort();
        const own = waiting = new AbortController();
        const {ticket, options: asked} = await options(form.dataset.options ?? "/auth/passkey/options", form);
        const credential = await navigator.credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked), mediation, signal: own.signal
        });
        if (keep?.checked) form.append(Object.assign(keep.cloneNode(), {hidden: true, checked: true}));
        send(form, ticket, credential);
    }

    // Offers passkeys where the address is typed. Challenges are renewed for as long as the page is open.
    async function suggest() {
        if (!await PublicKeyCredential.isConditionalMediationAvailable?.()) return;
        let renewal = 0;
        try {
            renewal = setTimeout(suggest, validity);
            await ask("conditional");
        } catch (error) {
            if (error.name !== "AbortError") clearTimeout(renewal);
        }
    }

    form.hidden = false;
    form.addEventListener("submit", async event => {
        event.preventDefault();
        try {
            await ask("optional");
        } catch (error) {
            if (error.name !== "AbortError") tell(form, error);
        }
    });
    suggest();
}

function change(form) {
    const isNew = form.dataset.passkey === "add";
    form.hidden = false;
    form.addEventListener("submit", async event => {
        event.preventDefault();
        const button = form.querySelector("button");
        button.disabled = true;
        try {
            const {ticket, options: asked} = await options("/account/passkeys/options", form);
            const credential = isNew
                ? await navigator.credentials.create({
                    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked)
                })
                : await navigator.credentials.get({publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked)});
            send(form, ticket, credential);
        } catch (error) {
            tell(form, error);
        } finally {
            button.disabled = false;
        }
    });
}

if (window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
    const form = document.getElementById("passkey");
    if (form) signIn(form);
    document.querySelectorAll("form[data-passkey]").forEach(change);
}
