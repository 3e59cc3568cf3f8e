// The palette: views, containers and actions by name, and what is typed as a request, a person or a record.
"use strict"
{
  const palette = document.getElementById("palette")
  const ask = palette.querySelector("input")
  const list = palette.querySelector("ul")
  const { container, environment, name: shortName } = palette.dataset
  const here = container && { container, environment }

  if (/Mac|iPhone|iPad/.test(navigator.platform)) {
    for (const key of document.querySelectorAll("kbd")) if (key.textContent === "Ctrl K") key.textContent = "⌘K"
  }

  const address = (path, fields) => `${path}?${new URLSearchParams(Object.entries(fields).filter(([, value]) => value))}`

  // A place has a title, an address and the key of the view whose drawing it bears.
  const views = [...document.querySelectorAll(".side [data-key]")].map((link) => ({
    title: link.textContent.trim(), address: link.href, view: link.dataset.key, hasKey: true,
  }))
  const actions = here ? [
    { title: "Try a request as somebody", address: address("/console/act-as", here), view: "a" },
    { title: "Compare and deploy the schema", address: address("/console/schema/deploy", here), view: "s" },
    { title: "Edit the schema's text", address: address("/console/schema/text", here), view: "s" },
    { title: "New record type", address: address("/console/schema/type", here), view: "s" },
    { title: "New container", address: "/console/container", view: "o" },
    { title: "Import records", address: address("/console/import", here), view: "d" },
    { title: "Back up now", address: "/console/settings/backups", view: "t" },
    { title: "Tokens and keys", address: "/console/settings/credentials", view: "t" },
    { title: "Audit log", address: "/console/settings/audit", view: "t" },
  ] : []
  const containers = [...document.querySelectorAll(".top .menu a")].map((link) => ({
    title: link.firstElementChild.textContent, address: link.href, view: "d",
    remark: link.querySelector(".env") ? "environment" : "container",
  }))
  const places = [...views, ...actions, ...containers]

  // The database that the page is about, so that a record is looked for where one is.
  function spot() {
    const asked = new URLSearchParams(location.search)
    return /^\/console\/(data|record)$/.test(location.pathname) ? { user: asked.get("user"), zone: asked.get("zone") } : {}
  }

  // What a text may name, the likeliest first.
  function named(text) {
    const found = []
    const isUUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
    const isUser = text.startsWith("_")
    if (isUUID) found.push({ title: text, remark: "request", address: address("/console/request", { uuid: text.toLowerCase() }), view: "r" })
    if (text.includes("@")) found.push({ title: text, remark: "person", address: address("/console/person", { email: text }), view: "p" })
    if (isUser && here) found.push({ title: text, remark: `private data in ${shortName}`, address: address("/console/data", { ...here, user: text }), view: "d" })
    if (!isUUID) found.push({ title: text, remark: "people with this in a name or address", address: address("/console/people", { matching: text }), view: "p" })
    if (isUser || /^[A-Z_]{4,}$/.test(text)) found.push({ title: text, remark: "requests", address: address("/console/requests", { matching: text }), view: "r" })
    if (here) {
      const record = { title: text, remark: `record in ${shortName}, ${environment}`, address: address("/console/record", { ...here, ...spot(), name: text }), view: "d" }
      found.splice(isUUID || isUser || text.includes("@") ? found.length : 0, 0, record)
    }
    return found
  }

  function option({ title, remark, address, view, hasKey }, index) {
    const [item, link, label] = ["li", "a", "span"].map((name) => document.createElement(name))
    item.setAttribute("role", "none")
    link.setAttribute("role", "option")
    Object.assign(link, { id: `palette-${index}`, href: address, tabIndex: -1 })
    const drawing = document.querySelector(`.side [data-key="${view}"] svg`)
    if (drawing) link.append(drawing.cloneNode(true))
    label.dir = "auto"
    label.textContent = title
    link.append(label)
    const end = Object.assign(document.createElement("span"), { className: "end soft small" })
    if (remark) link.append(Object.assign(end, { textContent: remark }))
    if (hasKey) {
      for (const text of ["g", view]) end.append(Object.assign(document.createElement("kbd"), { textContent: text }), " ")
      end.setAttribute("aria-hidden", "true")
      link.append(end)
    }
    item.append(link)
    return item
  }

  const options = () => [...list.querySelectorAll("a")]
  const chosen = () => options().findIndex((link) => link.getAttribute("aria-selected") === "true")

  function choose(index) {
    options().forEach((link, at) => {
      link.setAttribute("aria-selected", at === index)
      link.parentElement.classList.toggle("chosen", at === index)
      if (at !== index) return
      ask.setAttribute("aria-activedescendant", link.id)
      link.scrollIntoView({ block: "nearest" })
    })
  }

  function show() {
    const text = ask.value.trim()
    const words = text.toLowerCase().split(/\s+/)
    const fit = places.filter(({ title, remark }) => words.every((word) => `${title} ${remark ?? ""}`.toLowerCase().includes(word)))
    list.replaceChildren(...[...fit, ...(text ? named(text) : [])].map(option))
    ask.removeAttribute("aria-activedescendant")
    choose(0)
  }

  function open() {
    if (document.querySelector("dialog[open]")) return
    ask.value = ""
    palette.showModal()
    show()
  }

  document.addEventListener("click", (event) => { if (event.target.closest("[data-do=palette]")) open() })
  document.addEventListener("keydown", (event) => {
    if (event.key?.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    if (palette.open) palette.close()
    else open()
  })
  ask.addEventListener("input", show)
  ask.addEventListener("keydown", (event) => {
    if (event.isComposing) return
    const count = options().length
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      choose((chosen() + step + count) % count)
    }
    if (event.key === "Enter") {
      event.preventDefault()
      const link = options()[chosen()]
      palette.close()
      link?.click()
    }
  })
}
