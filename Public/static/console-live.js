// Keeps the table of a page up to date, and still while somebody is in it.
"use strict"
{
  const pace = 2000
  const longestPause = 60_000
  const mostFailures = 6
  const part = document.querySelector("[data-live]")
  const state = document.querySelector("[data-live-state]")
  const news = document.querySelector("[data-live-news]")
  let waiting = null
  let failures = 0
  let timer = 0
  let isAsking = false
  let hasEnded = false

  // A row that says something else than before counts as new; its age alone does not.
  const rows = (root) => [...root.querySelectorAll("tbody tr")].map((row) => row.innerHTML.replace(/(<time[^>]*>)[^<]*/g, "$1"))

  // Tells the ages of the rows that stay.
  function age(fresh) {
    const ages = new Map([...fresh.querySelectorAll("time")].map((time) => [time.dateTime, time.textContent]))
    for (const time of part.querySelectorAll("time")) time.textContent = ages.get(time.dateTime) ?? time.textContent
  }

  function isHeld() {
    const sheet = part.querySelector(".sheet")
    const focused = document.activeElement
    return sheet !== null && (sheet.matches(":hover") || sheet.contains(focused) || focused === news)
  }

  function tell(text, kind) {
    if (state.textContent === text) return
    const dot = document.createElement("span")
    dot.className = `dot ${kind}`
    state.replaceChildren(dot, text)
  }

  // The rows alone are replaced where there are some, so that the table stays where it was scrolled to.
  function show(fresh) {
    const [body, newer] = [part, fresh].map((root) => root.querySelector("tbody"))
    if (body && newer) body.replaceWith(newer)
    else part.replaceChildren(...fresh.childNodes)
    waiting = null
    news.hidden = true
  }

  function take(fresh) {
    const shown = new Set(rows(part))
    const all = rows(fresh)
    const count = all.filter((row) => !shown.has(row)).length
    if (count === 0) return age(fresh)
    if (!isHeld()) return show(fresh)
    waiting = fresh
    news.textContent = `${count === all.length ? "at least " : ""}${count} new`
    news.hidden = false
  }

  async function ask() {
    isAsking = true
    try {
      const answer = await fetch(location.href, {
        headers: { "X-Cumulus-Live": "1" }, redirect: "manual", signal: AbortSignal.timeout(20_000),
      })
      if (answer.type === "opaqueredirect" || answer.status === 401 || answer.status === 403) return end()
      if (!answer.ok) throw new Error(`status ${answer.status}`)
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-live]")
      if (!fresh) throw new Error("another page")
      take(fresh)
      failures = 0
      tell("live", "good live")
    } catch {
      failures += 1
      if (failures === mostFailures) return end()
      tell("no answer, trying again", "warn")
    } finally {
      isAsking = false
    }
    plan()
  }

  // Signed out, or nobody answers any more.
  function end() {
    hasEnded = true
    tell("not live: reload the page", "bad")
  }

  // One question at a time, and none while nobody sees the page.
  function plan() {
    clearTimeout(timer)
    if (hasEnded || isAsking || document.hidden) return
    timer = setTimeout(ask, Math.min(longestPause, pace * 2 ** failures))
  }

  function release() {
    if (waiting && !isHeld()) show(waiting)
  }

  news.addEventListener("click", (event) => {
    if (waiting) show(waiting)
    // By a key: the focus goes to what is new.
    if (event.detail === 0) part.querySelector("tbody tr[tabindex]")?.focus()
  })
  part.addEventListener("pointerout", () => setTimeout(release))
  part.addEventListener("focusout", () => setTimeout(release))
  document.addEventListener("visibilitychange", plan)
  tell("live", "good live")
  plan()
}
