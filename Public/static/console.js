// Keys, themes and menus of the console. All reading and every form works without it.
"use strict"
{
  const all = (selector, root = document) => [...root.querySelectorAll(selector)]
  const root = document.documentElement
  const theme = sessionStorage.getItem("theme")
  if (theme) root.dataset.theme = theme

  document.addEventListener("click", (event) => {
    if (event.target.matches("dialog[open]")) event.target.close()
    if (event.target.closest("[data-do=theme]")) {
      const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches
      root.dataset.theme = isDark ? "light" : "dark"
      sessionStorage.setItem("theme", root.dataset.theme)
    }
    const copy = event.target.closest("[data-do=copy]")
    if (copy) {
      const source = copy.dataset.of ? document.querySelector(copy.dataset.of) : copy.parentElement.querySelector("pre")
      navigator.clipboard.writeText(source.matches("ul") ? source.innerText : source.textContent).then(() => say("Copied"))
    }
    // Menus close when one clicks elsewhere.
    all("details.menu[open]").forEach((menu) => menu.contains(event.target) || (menu.open = false))
  })

  document.querySelector(".tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" })

  // A passing word for what is done.
  function say(text) {
    const toast = document.createElement("div")
    toast.className = "toast"
    toast.textContent = text
    document.querySelector(".toasts").replaceChildren(toast)
    setTimeout(() => toast.remove(), 4000)
  }

  // A text that is cut off is told to whoever points at it.
  document.addEventListener("pointerover", (event) => {
    const text = event.target.closest?.(".clip")
    if (!text || text.title) return
    if (text.scrollHeight > text.clientHeight + 2 || text.scrollWidth > text.clientWidth + 2) text.title = text.textContent
  })

  // Rows that are chosen are counted, and all of them with one click.
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form")
    const picks = form ? all("input[name=pick]", form) : []
    if (event.target.matches("[data-do=choose]")) picks.forEach((pick) => (pick.checked = event.target.checked))
    const words = form?.querySelector("[data-chosen]")
    if (words) words.textContent = `${picks.filter((pick) => pick.checked).length} chosen`
  })

  // A changed field has an edge that says so, and the bar with the button counts them.
  document.addEventListener("input", (event) => {
    const row = event.target.closest(".fields > div")
    const before = row?.querySelector("input[type=hidden]")
    if (!before) return
    const [text, action, zone, owner] = ["f", "a", "z", "u"].map((part) => row.querySelector(`[name^="${part}."]`)?.value ?? "")
    const isPlain = !zone && !owner && (!text || ["", "NONE"].includes(action))
    const now = isPlain ? text : [text, action, zone, owner].join("\n")
    const isRemoved = row.querySelector("[type=checkbox]")?.checked
    row.classList.toggle("changed", isRemoved || (row.querySelector("[name^='f.']") && before.value.replaceAll("\r\n", "\n") !== now))
    const words = row.closest("form").querySelector("[data-changed]")
    words.textContent = `${all(".fields > .changed", row.closest("form")).length} changed`
  })

  // What was typed is kept while a file is uploaded for a field, and put back when the record's page is there again.
  const replace = document.getElementById("replace")
  if (replace) {
    const names = ["form", "tag", "field"]
    const key = "draft " + JSON.stringify([...new FormData(replace)].filter(([name]) => !names.includes(name)))
    const rows = (button) => all(".fields > .changed").filter((row) => !row.contains(button))
    replace.addEventListener("submit", (event) => {
      const controls = rows(event.submitter).flatMap((row) => all("[name]", row)).filter((control) => /^[fnazu]\./.test(control.name))
      const typed = controls.map((control) => [control.name, control.type === "checkbox" ? control.checked : control.value])
      sessionStorage.setItem(key, JSON.stringify(typed))
    })
    const form = document.querySelector(".fields").closest("form")
    for (const [name, value] of JSON.parse(sessionStorage.getItem(key) ?? "[]")) {
      const control = form.elements[name] ?? receipt(name)
      if (!control) continue
      if (control.type === "checkbox") control.checked = value
      else control.value = value
      control.dispatchEvent(new Event("input", { bubbles: true }))
    }
    sessionStorage.removeItem(key)
  }

  // The place of the receipt of a file that was uploaded before another.
  function receipt(name) {
    const button = all("[form=replace]").find((button) => "f." + button.value === name)
    if (!button) return
    const input = document.createElement("input")
    Object.assign(input, { type: "hidden", name })
    button.before(input)
    button.after(" A new file, which Save puts here.")
    return input
  }

  // The editor of a text that was refused begins at the error.
  const editor = document.querySelector("textarea[data-at]")
  if (editor) {
    const [line, column] = editor.dataset.at.split(":").map(Number)
    const before = editor.value.split("\n").slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0)
    editor.focus()
    editor.setSelectionRange(before + column - 1, before + column - 1)
  }

  function walk(step) {
    const rows = all("tbody tr[tabindex]")
    const now = rows.indexOf(document.activeElement)
    rows[Math.max(0, Math.min(rows.length - 1, now + step))]?.focus()
  }

  // g then a letter goes to a view, j and k walk rows, / finds, ? tells.
  let isGoing = false
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      all("details.menu[open]").forEach((menu) => {
        menu.open = false
        menu.querySelector("summary").focus()
      })
    }
    if (event.metaKey || event.ctrlKey || event.altKey || event.target.matches("input, select, textarea")) return
    if (document.querySelector("dialog[open]")) return
    if (isGoing) {
      isGoing = false
      const link = all(".side [data-key]").find((link) => link.dataset.key === event.key)
      if (link) return void (location.href = link.href)
    }
    isGoing = event.key === "g"
    if (event.key === "/") {
      const field = document.querySelector("[data-find]")
      if (field) {
        event.preventDefault()
        const fold = field.closest("details")
        if (fold) fold.open = true
        field.focus()
      }
    }
    if (event.key === "?") document.getElementById("keys").showModal()
    if (event.key === "j") walk(1)
    if (event.key === "k") walk(-1)
    if (event.key === "Enter" && event.target.matches("tr[tabindex]")) event.target.querySelector("a")?.click()
  })
}
