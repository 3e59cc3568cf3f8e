// Keeps the first table of a page as it is on the server: while it can be seen, nobody works in it and somebody is there,
// since asking for it keeps an operator signed in.
"use strict"
{
  const [interval, patience] = [2000, 300_000]
  const button = document.querySelector("[data-do=pause]")
  const panel = () => document.querySelector("main .panel")
  let lastUse = Date.now()

  for (const name of ["pointermove", "keydown", "visibilitychange"]) document.addEventListener(name, () => { lastUse = Date.now() })
  button.addEventListener("click", () => button.setAttribute("aria-pressed", button.getAttribute("aria-pressed") !== "true"))

  const isStill = () => button.getAttribute("aria-pressed") === "true" || document.hidden
    || Date.now() - lastUse > patience || panel().matches(":hover, :focus-within")

  async function fresh() {
    const response = await fetch(location.href)
    if (!response.ok || response.redirected) return
    return new DOMParser().parseFromString(await response.text(), "text/html").querySelector("main .panel")
  }

  async function refresh() {
    // A server that is away now is asked again.
    const found = isStill() ? undefined : await fresh().catch(() => {})
    if (found && !isStill() && found.innerHTML !== panel().innerHTML) panel().replaceWith(document.adoptNode(found))
    setTimeout(refresh, interval)
  }
  setTimeout(refresh, interval)
}
